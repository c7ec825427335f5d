/** The client: one method an endpoint, and the events as they come. */
import type {Timers} from '../clock.ts';
import type {Alive, CycleResponse, CycleRequest, DaemonStartResponse, DaemonStatus, DaemonStopResponse, Health, Metrics, OpenapiDocument, Profile, Ready, ResetResponse, State, TranslateResponse, TranslateRequest, Vigilance} from './responses.ts';
import {ClientError, errorOf} from './client-error.ts';
import type {EventTypePattern, ServiceEvent} from './event-types.ts';
import {followEvents} from './follow-events.ts';

/** Where the service is, and how it is asked. */
export type ClientOptions = {
	/** Where the service is, with the prefix that it is mounted under, if any. In a page it may be relative to it. */
	baseUrl: string | URL;
	/** Bearer token, where the service asks for one. */
	token?: string;
	/** Asks in place of the global `fetch`. */
	fetch?: typeof fetch;
	/** Waits in place of the global timers, between two connections of the event stream. */
	timers?: Timers;
};

/** What any call takes. */
export type CallOptions = {
	/** Gives up the call when it aborts, which then throws the signal's reason. */
	signal?: AbortSignal;
};

/** Which events are wanted. */
export type EventsOptions = CallOptions & {
	/** What to hear of; everything unless given. */
	types?: readonly EventTypePattern[];
	/** Whether the service's buffered past comes first; else it is the living picture alone. */
	history?: boolean;
	/** Whether texts are included; they stand as “…” otherwise. */
	contents?: boolean;
	/** The id of the last event that is known, behind which to go on. */
	lastEventId?: string;
};

/** One method for each endpoint. Each throws {@link ClientError} for an answer that is no success. */
export type Client = {
	/** Runs one cycle: the text moves the state. */
	cycle(request: CycleRequest, options?: CallOptions): Promise<CycleResponse>;
	/** Puts the current state into words. To give up the call cancels it in the service too. */
	translate(request?: TranslateRequest, options?: CallOptions): Promise<TranslateResponse>;
	/** Restores the initial state. */
	reset(options?: CallOptions): Promise<ResetResponse>;
	/** That the service is alive, and with what. */
	health(options?: CallOptions): Promise<Health>;
	/** The current state, in part. */
	state(options?: CallOptions): Promise<State>;
	/** How far the state is from the reference. */
	vigilance(options?: CallOptions): Promise<Vigilance>;
	/** What has happened since the start. */
	metrics(options?: CallOptions): Promise<Metrics>;
	/** State and reference, each projected on every direction. */
	profile(options?: CallOptions): Promise<Profile>;
	/** The mode, the autonomous loop, and who spoke last. */
	daemonStatus(options?: CallOptions): Promise<DaemonStatus>;
	/** Starts the autonomous loop, if it does not run already. */
	daemonStart(options?: CallOptions): Promise<DaemonStartResponse>;
	/** Stops the autonomous loop and its cycle. */
	daemonStop(options?: CallOptions): Promise<DaemonStopResponse>;
	/** Whether the process is there. */
	livez(options?: CallOptions): Promise<Alive>;
	/** @throws {ClientError} with status 503 and the reason while the service is not ready. */
	readyz(options?: CallOptions): Promise<Ready>;
	/** What the service says of its own interface. */
	openapi(options?: CallOptions): Promise<OpenapiDocument>;

	/**
	 * What happens in the service, as it happens, until the loop over it is left or the signal
	 * aborts. Nothing is asked for before the first event is.
	 *
	 * The first connection must succeed. A later break is mended, with growing pauses, and the
	 * stream goes on behind the last event that came; where something is missing nevertheless, an
	 * event `stream.dropped` says so.
	 *
	 * @throws {ClientError} when the service refuses the stream.
	 */
	events(options?: EventsOptions): AsyncGenerator<ServiceEvent, void, void>;
};

const globalTimers: Timers = {
	setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
	clearTimeout(timer) {
		clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
	},
};

/**
 * Makes a client. It keeps no connection of its own and need not be closed.
 *
 * @example
 * ```ts
 * import {createClient} from 'processual-state/client';
 *
 * const client = createClient({baseUrl: 'http://127.0.0.1:8100'});
 * const {state_id} = await client.cycle({content: 'The sea is quiet today.'});
 *
 * for await (const event of client.events({types: ['state']})) {
 * 	if (event.type === 'state' && event.data.state_id >= state_id) {
 * 		break;
 * 	}
 * }
 * ```
 */
export const createClient = ({baseUrl, token, fetch: send = globalThis.fetch, timers = globalTimers}: ClientOptions): Client => {
	const base = String(baseUrl).replace(/\/+$/, '');

	const connect = async (path: string, {headers, ...init}: RequestInit & {headers: Record<string, string>}): Promise<Response> => {
		const response = await send(base + path, {...init, headers: {...headers, ...(token !== undefined && {Authorization: `Bearer ${token}`})}});
		if (!response.ok) {
			throw await errorOf(response);
		}

		return response;
	};

	const ask = async <Answer>(method: 'GET' | 'POST', path: string, {signal}: CallOptions = {}, body?: object): Promise<Answer> => {
		const response = await connect(path, {
			method,
			// The metrics have another form for those who do not ask for JSON.
			headers: {Accept: 'application/json', ...(body && {'Content-Type': 'application/json'})},
			...(body && {body: JSON.stringify(body)}),
			...(signal && {signal}),
		});
		try {
			return await response.json() as Answer;
		} catch (error) {
			throw error instanceof SyntaxError ? new ClientError(response.status, 'The answer is no JSON. Is the base URL the service\'s?') : error;
		}
	};

	return {
		cycle: (request, options) => ask('POST', '/cycle', options, request),
		translate: (request = {}, options = {}) => ask('POST', '/translate', options, request),
		reset: options => ask('POST', '/reset', options),
		health: options => ask('GET', '/health', options),
		state: options => ask('GET', '/state', options),
		vigilance: options => ask('GET', '/vigilance', options),
		metrics: options => ask('GET', '/metrics', options),
		profile: options => ask('GET', '/profile', options),
		daemonStatus: options => ask('GET', '/daemon/status', options),
		daemonStart: options => ask('POST', '/daemon/start', options),
		daemonStop: options => ask('POST', '/daemon/stop', options),
		livez: options => ask('GET', '/livez', options),
		readyz: options => ask('GET', '/readyz', options),
		openapi: options => ask('GET', '/openapi.json', options),

		events({types, history = false, contents = false, lastEventId = '', signal} = {}) {
			const query = new URLSearchParams({
				...(types && {types: types.join(',')}),
				...(history && {history: 'true'}),
				...(contents && {contents: 'true'}),
			}).toString();
			return followEvents({
				connect: (headers, ended) => connect(`/events${query && `?${query}`}`, {headers, signal: ended}),
				lastEventId,
				signal,
				timers,
			});
		},
	};
};
