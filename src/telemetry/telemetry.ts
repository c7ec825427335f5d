/**
 * What a process does, as numbers for Prometheus. Each telemetry has its own registry, so that
 * processes side by side share nothing.
 *
 * Labels are words from short fixed lists: never an id, a content, or what a caller may make up.
 */
import prometheus from 'prom-client';
import {countCycles} from './cycle-metrics.ts';
import {countRequests, type AnsweredRequest} from './request-metrics.ts';
import {showStanding} from './gauges.ts';
import type {Observed} from './observed.ts';

/** The numbers of one process. */
export type Telemetry = {
	/** Every metric in Prometheus's text format. Works before the process is ready, with what there is by then. */
	text(): Promise<string>;
	/** The media type of that text. */
	readonly contentType: string;
	/** Counts a request that has its answer. */
	answered(request: AnsweredRequest): void;
	/** Notes how long one commit of the journal took, in seconds. */
	journalCommitted(seconds: number): void;
	/** Stops counting. The text stays readable. */
	close(): void;
};

/** What is counted besides the process. */
export type TelemetryOptions = {
	/**
	 * Whether the metrics of the running program stand in the text too: CPU, memory, event loop,
	 * garbage collection, under the names of prom-client. They belong to the program and not to
	 * the process: `close` does not end their sampling. False unless given.
	 */
	defaultMetrics?: boolean;
};

/** Counts from now on. */
export const createTelemetry = (process: Observed, {defaultMetrics = false}: TelemetryOptions = {}): Telemetry => {
	const registry = new prometheus.Registry();
	const stopCounting = countCycles(registry, process);
	showStanding(registry, process);
	const answered = countRequests(registry);
	const commit = new prometheus.Histogram({
		name: 'processual_journal_commit_seconds',
		help: 'How long the journal took to make a group of records durable.',
		buckets: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
		registers: [registry],
	});
	if (defaultMetrics) {
		prometheus.collectDefaultMetrics({register: registry});
	}

	return {
		text: () => registry.metrics(),
		contentType: registry.contentType,
		answered,
		journalCommitted(seconds) {
			commit.observe(seconds);
		},
		close: stopCounting,
	};
};
