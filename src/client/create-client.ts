/** The client: one method for each endpoint, and the event stream as an async generator. */
import type {Timers} from '../platform/clock.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {plainUrl} from '../platform/server-access.ts';
import type {Alive, CreateIdentityRequest, CycleResponse, CycleRequest, DaemonStartResponse, DaemonStatus, DaemonStopResponse, Difference, Drift, DryRunResponse, Health, History, Identities, IdentityInfo, Ledger, Metrics, OpenapiDocument, Profile, Ready, ResetResponse, ScaledProfile, Sources, State, Tensor, TranslateResponse, TranslateRequest, ValidateRequest, ValidateResponse, Vigilance, WhatIfRequest, WhatIfResponse} from './responses.ts';
import {cycleIdHeader, idempotencyKeyHeader, replayedHeader} from '../wire/headers.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import {toClientError, wrongResponse} from './client-error.ts';
import type {EventTypePattern, ServiceEvent} from './event-types.ts';
import {followEvents} from './follow-events.ts';

/** Options of a client. */
export type ClientOptions = {
	/** The service's address, with its path prefix if it has one. In a page it may be relative. */
	baseUrl: string | URL;
	/** The name of the identity, of a service that has many. @default undefined — the one that the service means by default */
	identity?: string;
	/** Bearer token, where the service requires one. @default undefined */
	token?: string;
	/** What sends the requests. @default globalThis.fetch */
	fetch?: typeof fetch;
	/** The timers of the event stream. @default the global ones */
	timers?: Timers;
};

const names: Names<ClientOptions> = {baseUrl: true, identity: true, token: true, fetch: true, timers: true};

/** Options of every call. */
export type CallOptions = {
	/** Aborts the call, which then throws the signal's reason. @default undefined */
	signal?: AbortSignal;
};

/** Options of a cycle. */
export type CycleOptions = CallOptions & {
	/** The id that the cycle is to have. A request that is repeated under it has the first one's answer, which is marked then. @default undefined */
	idempotencyKey?: string | undefined;
};

/** Options of a call for a state. */
export type MomentOptions = CallOptions & {
	/** The id of a state, a time in ISO 8601, `beginning` or `present`. @default the present */
	at?: number | string;
};

/** Options of the event stream. */
export type EventsOptions = CallOptions & {
	/** Types of events; all by default. */
	types?: readonly EventTypePattern[];
	/** Whether the service's buffered events come first, instead of only the present actors, state and mode. */
	history?: boolean;
	/** Whether texts are included; otherwise “…” replaces them. */
	contents?: boolean;
	/** The id of the last known event: the stream resumes behind it. */
	lastEventId?: string;
};

/** One method for each endpoint. Each throws `ClientError` for an error response. */
export type Client = {
	/** Runs one cycle: the text moves the state. `id` is the cycle's, as its events and its record have it. */
	cycle(request: CycleRequest, options?: CycleOptions): Promise<CycleResponse & {id: string; is_replayed?: true}>;
	/** What a cycle of the text would answer, and what it would do. Nothing changes. */
	dryRun(request: CycleRequest, options?: CallOptions): Promise<DryRunResponse>;
	/** The other self, without some texts and with others. */
	whatIf(request?: WhatIfRequest, options?: CallOptions): Promise<WhatIfResponse>;
	/** Puts the current state into words. Aborting the call cancels it in the service too. */
	translate(request?: TranslateRequest, options?: CallOptions): Promise<TranslateResponse>;
	/** Restores the initial state. */
	reset(options?: CallOptions): Promise<ResetResponse>;
	/** Says of the present state: this is who it should be. Drift is measured from it. */
	validate(request: ValidateRequest, options?: CallOptions): Promise<ValidateResponse>;
	/** Version, uptime, state and model of the service. */
	health(options?: CallOptions): Promise<Health>;
	/** The current state, in part; or that of a moment. */
	state(options?: MomentOptions): Promise<State>;
	/** How far the state has drifted from the reference. */
	vigilance(options?: CallOptions): Promise<Vigilance>;
	/** Counts of cycles and alerts. */
	metrics(options?: CallOptions): Promise<Metrics>;
	/** State and reference, each projected on every direction. */
	profile(options?: CallOptions): Promise<Profile>;
	/** The state on every direction, with units: z, percentile, a word. */
	scaledProfile(request?: {lens?: ScaledProfile['lens']}, options?: CallOptions): Promise<ScaledProfile>;
	/** What the present is made of: the beginning, texts, and the rule's own push. `since` is a state's id or a time. */
	ledger(request?: {by?: Ledger['by']; direction?: string | null | undefined; lens?: ScaledProfile['lens']; since?: string | number; limit?: number}, options?: CallOptions): Promise<Ledger>;
	/** How the present came about, state by state. */
	history(request?: {points?: number; direction?: string | null | undefined; since?: string | number; until?: string | number | undefined}, options?: CallOptions): Promise<History>;
	/** What differs between two moments, each a state's id or a time. */
	diff(request?: {from?: string | number; to?: string | number}, options?: CallOptions): Promise<Difference>;
	/** How far it moved, and whether chance explains it; since the newest validation by default. */
	drift(request?: {since?: string | number | null | undefined}, options?: CallOptions): Promise<Drift>;
	/** Whose texts the present is made of, and who is not as before. */
	sources(request?: {since?: string | number | null | undefined}, options?: CallOptions): Promise<Sources>;
	/** The current state as a whole: 8 rows of 1024 floats; or that of a moment. */
	tensor(options?: MomentOptions): Promise<Tensor>;
	/** The mode, the autonomous loop, and the last trigger. */
	daemonStatus(options?: CallOptions): Promise<DaemonStatus>;
	/** Starts the autonomous loop, unless it runs already. */
	daemonStart(options?: CallOptions): Promise<DaemonStartResponse>;
	/** Stops the autonomous loop, and cancels its cycle. */
	daemonStop(options?: CallOptions): Promise<DaemonStopResponse>;
	/** The identities of the service, page by page. Whatever `identity` is, this is asked of the service, as are the next two, `livez` and `openapi`. */
	identities(request?: {after?: string; limit?: number}, options?: CallOptions): Promise<Identities>;
	/** Creates an identity. */
	createIdentity(name: string, request?: CreateIdentityRequest, options?: CallOptions): Promise<IdentityInfo>;
	/** Puts an identity aside: no request finds it any more, and nothing is erased. */
	putAside(name: string, options?: CallOptions): Promise<void>;
	/** Whether the process runs. */
	livez(options?: CallOptions): Promise<Alive>;
	/** @throws {ClientError} with status 503 and the reason while the service is not ready. */
	readyz(options?: CallOptions): Promise<Ready>;
	/** The OpenAPI document of the service. */
	openapi(options?: CallOptions): Promise<OpenapiDocument>;

	/**
	 * The service's events as they happen, until the consumer leaves the loop or the signal aborts.
	 * It connects when the first event is requested.
	 *
	 * The first connection must succeed. After a later break the client reconnects, with growing
	 * delays, and resumes behind the last event that it got. Where events are missing nevertheless,
	 * an event `stream.dropped` says so.
	 *
	 * @throws {ClientError} when the service refuses the stream.
	 */
	events(options?: EventsOptions): AsyncGenerator<ServiceEvent, void, void>;
};

/** The query of a request, with the parameters that are given. */
const toQuery = (parameters: Record<string, string | number | true | null | undefined>): string => {
	const given = Object.entries(parameters).filter(([, value]) => value != null).map(([name, value]): [string, string] => [name, String(value)]);
	return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
};

const pathOf = (name: string): string => `/identities/${encodeURIComponent(name)}`;

/** Paths that are about no identity, or about one by its name. */
const ofService = /^\/(?:identities|livez|openapi)/;

/** The address without a slash at its end; in a page it may be relative to the page's. @throws {ConfigurationError} */
const addressOf = (baseUrl: string | URL): string => {
	const address = String(baseUrl);
	const isInPage = (globalThis as {location?: unknown}).location !== undefined;
	const isRelative = isInPage && typeof baseUrl === 'string' && !URL.canParse(address);
	if (!isRelative && plainUrl(address) === null) {
		throw new ConfigurationError('baseUrl must be the service\'s plain http or https address, such as http://127.0.0.1:8100; a token belongs in the option token.');
	}

	return address.replace(/\/+$/, '');
};

/** The timers of the platform. */
export const globalTimers: Timers = {
	setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
	clearTimeout(timer) {
		clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
	},
};

/**
 * Makes a client. It holds no connection, and need not be closed.
 *
 * @throws {ConfigurationError} for an unknown option, and for a `baseUrl` that is no address of a service.
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
export const createClient = (given: ClientOptions): Client => {
	requireKnownNames('The client', given, names);
	const {baseUrl, identity, token, fetch: send = globalThis.fetch, timers = globalTimers} = given;
	const service = addressOf(baseUrl);
	const base = identity === undefined ? service : service + pathOf(identity);

	const connect = async (path: string, {headers, ...init}: RequestInit & {headers: Record<string, string>}): Promise<Response> => {
		const response = await send((ofService.test(path) ? service : base) + path, {...init, headers: {...headers, ...(token !== undefined && {Authorization: `Bearer ${token}`})}});
		if (!response.ok) {
			throw await toClientError(response);
		}

		return response;
	};

	const request = async <Result>(method: 'GET' | 'POST' | 'PUT', path: string, {signal, idempotencyKey}: CycleOptions = {}, body?: object, fromHeaders?: (headers: Headers) => object): Promise<Result> => {
		const response = await connect(path, {
			method,
			// Without it, `/metrics` may respond with text.
			headers: {Accept: 'application/json', ...(body && {'Content-Type': 'application/json'}), ...(idempotencyKey && {[idempotencyKeyHeader]: idempotencyKey})},
			...(body && {body: JSON.stringify(body)}),
			...(signal && {signal}),
		});
		const notJson = () => wrongResponse(response.status, 'JSON');
		// A page is not even read.
		if (!response.headers.get('Content-Type')?.startsWith('application/json')) {
			await response.body?.cancel();
			throw notJson();
		}

		try {
			const result = await response.json() as Result;
			return fromHeaders ? {...fromHeaders(response.headers), ...result} : result;
		} catch (error) {
			throw error instanceof SyntaxError ? notJson() : error;
		}
	};

	const get = <Result>(path: string) => async (options?: CallOptions): Promise<Result> => request('GET', path, options);
	const getAt = <Result>(path: string) => async ({at, ...options}: MomentOptions = {}): Promise<Result> => request('GET', path + toQuery({at}), options);
	const post = <Result>(path: string) => async (options?: CallOptions): Promise<Result> => request('POST', path, options);
	const say = <Body extends object, Result>(path: string) => async (body: Body = {} as Body, options?: CallOptions): Promise<Result> => request('POST', path, options, body);
	const ask = <Query extends Record<string, string | number | null | undefined>, Result>(path: string) => async (query?: Query, options?: CallOptions): Promise<Result> => request('GET', path + toQuery(query ?? {}), options);

	return {
		cycle: (body, options) => request('POST', '/cycle', options, body, headers => ({id: headers.get(cycleIdHeader) ?? '', ...(headers.has(replayedHeader) && {is_replayed: true})})),
		dryRun: say('/dry-run'),
		whatIf: say('/what-if'),
		translate: say('/translate'),
		reset: post('/reset'),
		validate: say('/validate'),
		health: get('/health'),
		state: getAt('/state'),
		vigilance: get('/vigilance'),
		metrics: get('/metrics'),
		profile: get('/profile'),
		scaledProfile: ask('/profile/scaled'),
		ledger: ask('/ledger'),
		history: ask('/history'),
		diff: ask('/diff'),
		drift: ask('/drift'),
		sources: ask('/sources'),
		tensor: getAt('/tensor'),
		daemonStatus: get('/daemon/status'),
		daemonStart: post('/daemon/start'),
		daemonStop: post('/daemon/stop'),
		identities: ask('/identities'),
		createIdentity: (name, body = {}, options = {}) => request('PUT', pathOf(name), options, body),
		async putAside(name, options) {
			await connect(pathOf(name), {method: 'DELETE', headers: {}, ...options});
		},
		livez: get('/livez'),
		readyz: get('/readyz'),
		openapi: get('/openapi.json'),

		events({types, history, contents, lastEventId = '', signal} = {}) {
			const query = toQuery({types: types?.join(','), history: history || undefined, contents: contents || undefined});
			return followEvents({
				connect: (headers, connectionSignal) => connect(`/events${query}`, {headers, signal: connectionSignal}),
				lastEventId,
				signal,
				timers,
			});
		},
	};
};
