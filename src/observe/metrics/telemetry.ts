/**
 * Metrics for Prometheus, for one identity or all of a program. Each telemetry has a separate registry, so that two in one
 * program share nothing. Many identities are counted together, and the gauges are those of one of them: a series for each
 * would be too many. In a fleet, the few identities with the strongest evidence have a series.
 *
 * Labels are words from short fixed lists, or the names of these few identities; never contents or the names of sources.
 */
import {collectDefaultMetrics, Counter, Registry} from 'prom-client';
import type {Fleet, FleetRequest} from '../../generated/types.ts';
import {requireKnownNames, type Names} from '../../platform/unknown-names.ts';
import {createCycleCounter, metricsOf} from './cycle-metrics.ts';
import {registerFleet, registerGauge, registerGauges, registerReadiness} from './gauges.ts';
import {httpMethods, type AnsweredRequest, type NodeFigures, type ObservedIdentity} from './observed.ts';

/** Metrics of identities. */
export type Telemetry = {
	/** All metrics in Prometheus's text format. Before the identity is ready, those that exist by then. */
	text(): Promise<string>;
	/** The media type of the text. */
	readonly contentType: string;
	/** Counts an answered request. */
	countRequest(request: AnsweredRequest): void;
	/** Starts to count another identity. */
	observe(identity: Pick<ObservedIdentity, 'actor'>): void;
	/** Records the duration of a commit of the journal in seconds, and its number of records. */
	observeCommit(seconds: number, records: number): void;
	/** Stops counting. The text can still be read. */
	close(): void;
};

/** Options of telemetry. */
export type TelemetryOptions = {
	/**
	 * Includes metrics of the running program under prom-client's names: CPU, memory, event loop, garbage collection. They
	 * belong to the program, so `close` does not stop them.
	 * @default false
	 */
	defaultMetrics?: boolean;
	/** Gives the figures of this node. @default undefined — no metrics of a node */
	node?: () => NodeFigures;
	/** Gives the rows of all identities. @default undefined — no metrics of a fleet */
	fleet?: (request: FleetRequest) => Promise<Fleet>;
};

const names: Names<TelemetryOptions> = {defaultMetrics: true, node: true, fleet: true};

/**
 * Creates metrics for Prometheus, which count from now on.
 *
 * @param observed The identity. For many, a function that returns the one whose gauges are shown, or null; start to count
 * each with `observe`.
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

	const {histogram} = metricsOf(registry);
	const commitDuration = histogram(
		'journal_commit_seconds', 'How long the journal took to make a group of records durable.',
		[0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
	);
	const commitRecords = histogram(
		'journal_commit_records', 'How many records of an identity one commit of the journal had.', [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
	);
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

// HTTP requests are counted by the path of their route, never by the requested path, which a client can invent.

const createRequestCounter = (registry: Registry): ((request: AnsweredRequest) => void) => {
	const {counter, histogram} = metricsOf(registry);
	const requests = counter('http_requests', 'Answered HTTP requests, by method, route and class of status.', 'method', 'route', 'status');
	const durations = histogram(
		'http_request_duration_seconds', 'How long an HTTP request waited for its response, by route.',
		[0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30], 'route',
	);

	return ({method, route, status, seconds}) => {
		requests.inc({method: httpMethods.includes(method) ? method : 'other', route, status: `${Math.floor(status / 100)}xx`});
		durations.observe({route}, seconds);
	};
};

// Metrics of a node, read at each scrape. No label names an identity, since there may be a million.

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
	counter('lost', 'Identities whose acknowledged records the database has lost.', ({lost}) => ({lost}));
	counter('forwarded', 'Tries to have a request answered by another node, by how they ended.', ({forwarded}) => forwarded, 'outcome');
};
