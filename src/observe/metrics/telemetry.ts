/**
 * Metrics for Prometheus, of one identity or of all that a program holds. Each telemetry has its own
 * registry, so that two in one program share nothing. Many identities are counted together, and the
 * gauges are those of one of them: a series for each would be too many. Of a fleet, the few with the strongest evidence have one.
 *
 * Labels are words from short fixed lists, and names of these few: never a content or what a stranger calls itself.
 */
import {collectDefaultMetrics, Counter, Histogram, Registry} from 'prom-client';
import type {Fleet, FleetRequest} from '../../generated/types.ts';
import {requireKnownNames, type Names} from '../../platform/unknown-names.ts';
import {createCycleCounter} from './cycle-metrics.ts';
import {registerFleet} from './fleet-gauges.ts';
import {registerGauge, registerGauges, registerReadiness} from './gauges.ts';
import type {AnsweredRequest, NodeFigures, ObservedIdentity} from './observed.ts';

/** Metrics of identities. */
export type Telemetry = {
	/** Every metric in Prometheus's text format. Before the identity is ready, it has the metrics that exist by then. */
	text(): Promise<string>;
	/** The media type of that text. */
	readonly contentType: string;
	/** Counts an answered request. */
	countRequest(request: AnsweredRequest): void;
	/** Counts what one more identity does from now on. */
	observe(identity: Pick<ObservedIdentity, 'actor'>): void;
	/** Records how long one commit of the journal took, in seconds, and how many records it had. */
	observeCommit(seconds: number, records: number): void;
	/** Stops counting. The text stays readable. */
	close(): void;
};

/** Options of telemetry. */
export type TelemetryOptions = {
	/**
	 * Whether the text includes metrics of the running program: CPU, memory, event loop, garbage collection, under
	 * prom-client's names. They belong to the program, so `close` does not stop them.
	 * @default false
	 */
	defaultMetrics?: boolean;
	/** How a node stands among others; without it there are no metrics of nodes. @default undefined */
	node?: () => NodeFigures;
	/** Rows of all identities; without it there are no metrics of a fleet. @default undefined */
	fleet?: (request: FleetRequest) => Promise<Fleet>;
};

const names: Names<TelemetryOptions> = {defaultMetrics: true, node: true, fleet: true};

/**
 * Counts from now on.
 *
 * @param observed The identity; or, of many, a function that gives the one whose gauges are shown, or null. Each of
 * many is counted by `observe`.
 *
 * @throws {ConfigurationError} for an unknown option
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {createHttp, createTelemetry} from 'processual-state/http';
 *
 * const identity = createIdentity();
 * const telemetry = createTelemetry(identity, {defaultMetrics: true});
 * export const http = createHttp(identity, {metrics: telemetry});
 * console.log(await telemetry.text());
 * ```
 */
export const createTelemetry = (
	observed: ObservedIdentity | (() => ObservedIdentity | null), options: TelemetryOptions = {},
): Telemetry => {
	requireKnownNames('Telemetry', options, names);
	const {defaultMetrics = false, node, fleet} = options;
	const registry = new Registry();
	const {observe, close} = createCycleCounter(registry);
	const find = typeof observed === 'function' ? observed : () => observed;
	registerGauges(registry, find);
	registerReadiness(registry, find, node && (() => node().readiness));
	if (typeof observed !== 'function') {
		observe(observed);
	}

	const commitDuration = new Histogram({
		name: 'processual_journal_commit_seconds',
		help: 'How long the journal took to make a group of records durable.',
		buckets: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
		registers: [registry],
	});
	const commitRecords = new Histogram({
		name: 'processual_journal_commit_records',
		help: 'How many records of an identity one commit of the journal had.',
		buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
		registers: [registry],
	});
	if (node) {
		registerNode(registry, node);
	}

	if (fleet) {
		registerFleet(registry, fleet);
	}

	if (defaultMetrics) {
		collectDefaultMetrics({register: registry});
	}

	return {
		text: () => registry.metrics(),
		contentType: registry.contentType,
		countRequest: createRequestCounter(registry),
		observeCommit(seconds, records) {
			commitDuration.observe(seconds);
			commitRecords.observe(records);
		},
		observe,
		close,
	};
};

// HTTP requests by the path of their route, never by their own path, which a client can invent.

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST']);

const createRequestCounter = (registry: Registry): ((request: AnsweredRequest) => void) => {
	const requests = new Counter({
		name: 'processual_http_requests_total',
		help: 'Answered HTTP requests, by method, route and class of status.',
		labelNames: ['method', 'route', 'status'],
		registers: [registry],
	});
	const durations = new Histogram({
		name: 'processual_http_request_duration_seconds',
		help: 'How long an HTTP request waited for its response, by route.',
		labelNames: ['route'],
		buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
		registers: [registry],
	});

	return ({method, route, status, seconds}) => {
		requests.inc({method: methods.has(method) ? method : 'other', route, status: `${Math.floor(status / 100)}xx`});
		durations.observe({route}, seconds);
	};
};

// Metrics of a node among others, read at each scrape. No label names an identity: there may be a million.

const registerNode = (registry: Registry, read: () => NodeFigures): void => {
	const counter = (name: string, help: string, values: (figures: NodeFigures) => Record<string, number>, label?: string): void => {
		registry.registerMetric(new Counter({
			name: `processual_node_${name}_total`, help, labelNames: label === undefined ? [] : [label], registers: [],
			collect() {
				this.reset();
				for (const [word, value] of Object.entries(values(read()))) {
					this.inc(label === undefined ? {} : {[label]: word}, value);
				}
			},
		}));
	};

	registerGauge(registry, {name: 'node_owned', help: 'Identities that this node has.'}, () => [[{}, read().owned]]);
	registerGauge(
		registry, {name: 'node_member', help: 'Whether the node holds its lock in the database, and so may answer from memory.'},
		() => [[{}, Number(read().isMember)]],
	);
	counter('takeovers', 'Identities that were opened here.', ({takeOvers}) => ({takeOvers}));
	counter('fenced', 'Identities that other nodes took over from here.', ({fenced}) => ({fenced}));
	counter('lost', 'Identities of which the database has lost acknowledged records.', ({lost}) => ({lost}));
	counter('forwarded', 'Tries to have a request answered by another node, by how they ended.', ({forwarded}) => forwarded, 'outcome');
};
