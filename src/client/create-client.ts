/** The client: one method per endpoint, and the event stream as an async generator. */
import type {Timers} from '../platform/clock.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {plainUrl} from '../platform/server-access.ts';
import {rows} from '../generated/rows.ts';
import type {
	Alive, Asking, CreateIdentityRequest, CycleRequest, CycleResponse, Fleet, FleetRequest, Identities, IdentityInfo, OpenapiDocument, Ready,
} from '../generated/types.ts';
import type {CallOptions} from '../platform/waiting.ts';
import {cycleIdHeader, idempotencyKeyHeader, replayedHeader, camelName, renameAll, snakeName, type QuestionRow} from '../wire/rename.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import {parseObject, toClientError, wrongResponse} from './client-error.ts';
import type {EventTypePattern, ServiceEvent} from './event-types.ts';

/** Options of a client. */
export type ClientOptions = {
	/** The service's address, with its path prefix if it has one. In a web page it may be relative. */
	baseUrl: string | URL;
	/** The identity's name, for a service with several. @default undefined — the service's default identity */
	identity?: string | undefined;
	/** Bearer token, if the service requires one. @default undefined */
	token?: string | undefined;
	/** Sends the requests. @default globalThis.fetch */
	fetch?: typeof fetch;
	/** Timers for pauses and the event stream. @default the global ones */
	timers?: Timers;
};

export const clientOptionNames: Names<ClientOptions> = {baseUrl: true, identity: true, token: true, fetch: true, timers: true};

/** Options of a cycle. */
export type CycleOptions = CallOptions & {
	/**
	 * The id for the cycle. A repeated request with the same id gets the first one's answer, with `isReplayed`.
	 * @default undefined
	 */
	idempotencyKey?: string | undefined;
};

/** Options of the event stream. */
export type EventsOptions = CallOptions & {
	/** Types of events to include; all by default. */
	types?: readonly EventTypePattern[];
	/** Whether to start with the service's buffered events, instead of only the current actors, state and mode. */
	history?: boolean;
	/** Whether to include texts; otherwise “…” replaces them. */
	contents?: boolean;
	/** The id of the last known event: the stream resumes after it. */
	lastEventId?: string;
};

/** One method per endpoint, with camelCase names. Each throws `ClientError` for an error response. */
export interface Client extends Asking {
	/** Runs one cycle: the text moves the state. `id` is the cycle's, as in its events and its record. */
	cycle(request: CycleRequest, options?: CycleOptions): Promise<CycleResponse & {readonly id: string; readonly isReplayed?: true}>;
	/**
	 * Lists the service's identities, page by page. Like the next three methods, `livez` and `openapi`, it ignores the
	 * client's `identity`.
	 */
	identities(request?: {after?: string; limit?: number}, options?: CallOptions): Promise<Identities>;
	/** One row per identity of the service, those with the strongest evidence of drift first, page by page. */
	fleet(request?: FleetRequest, options?: CallOptions): Promise<Fleet>;
	/** Creates an identity. */
	createIdentity(name: string, request?: CreateIdentityRequest, options?: CallOptions): Promise<IdentityInfo>;
	/** Puts an identity aside: requests no longer find it, but nothing is erased. */
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
	 * delays, and resumes after the last event that it received. If events were missed nevertheless,
	 * an event `stream.dropped` says so.
	 *
	 * @throws {ClientError} if the service refuses the stream.
	 */
	events(options?: EventsOptions): AsyncGenerator<ServiceEvent, void, void>;
}

/** A list is sent as comma-separated items. */
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

const toQuery = (parameters: Query = {}): string => {
	const given = Object.entries(parameters).filter(([, value]) => value != null);
	// It makes strings of the values.
	const query = String(new URLSearchParams(given as Array<[string, string]>));
	return query && `?${query}`;
};

/** A name of dots would lead to another path, and so to another identity; the service refuses this one. */
const pathOf = (name: string): string => `/identities/${encodeURIComponent(name).replace(/^\.+$/, '%252E')}`;

/** Paths of the service as a whole, which the client's `identity` does not prefix. */
const ofService = /^\/(?:identities|fleet|livez|openapi)/;

/** The address without a trailing slash. In a web page it may be relative. @throws {ConfigurationError} */
const addressOf = (baseUrl: string | URL): string => {
	const address = String(baseUrl);
	const {location} = globalThis as {location?: unknown};
	const isRelative = location && typeof baseUrl === 'string' && !URL.canParse(address);
	if (!isRelative && plainUrl(address) === null) {
		throw new ConfigurationError('baseUrl must be a plain http or https address, such as http://host:8100; token is an option.');
	}

	return address.replace(/\/+$/, '');
};

/** @throws {ClientError} if the body is not a JSON object */
const readObject = async (response: Response): Promise<object> => {
	const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
	// Anything else, such as an HTML page, is not read.
	const answer = isJson ? parseObject(await response.text()) : await response.body?.cancel();
	if (!answer) {
		throw wrongResponse(response.status, 'JSON');
	}

	return answer;
};

/**
 * Creates a client. It holds no connection and need not be closed.
 *
 * @param table The questions to offer as methods; by default, all of the service's.
 * @throws {ConfigurationError} for an unknown option, a `baseUrl` that cannot be a service's address, or a token that cannot be sent.
 *
 * @example
 * ```ts
 * import {createClient} from 'processual-state/client';
 *
 * const client = createClient({baseUrl: 'http://127.0.0.1:8100'});
 * const {stateId} = await client.cycle({content: 'The sea is quiet today.'});
 *
 * for await (const event of client.events({types: ['state']})) {
 * 	if (event.type === 'state' && event.data.stateId >= stateId) {
 * 		break;
 * 	}
 * }
 * ```
 */
export const createClient = (given: ClientOptions, table = rows): Client => {
	requireKnownNames('The client', given, clientOptionNames);
	const {baseUrl, identity, token, fetch: send = globalThis.fetch, timers} = given ?? ({} as ClientOptions);
	if (token !== undefined && !/^[!-~]*$/.test(token)) {
		throw new ConfigurationError('token must be visible ASCII.');
	}

	const service = addressOf(baseUrl);
	const base = identity === undefined ? service : service + pathOf(identity);

	const connect = async (path: string, {headers, ...init}: RequestInit & {headers?: Record<string, string>}): Promise<Response> => {
		const response = await send(
			(ofService.test(path) ? service : base) + path,
			{...init, headers: {...headers, ...(token !== undefined && {Authorization: `Bearer ${token}`})}},
		);
		if (!response.ok) {
			throw await toClientError(response);
		}

		return response;
	};

	const request = async <Result>(
		method: 'GET' | 'POST' | 'PUT', path: string, {signal, idempotencyKey}: CycleOptions = {}, body?: object,
		fromHeaders?: (headers: Headers) => object,
	): Promise<Result> => {
		const response = await connect(path, {
			method,
			// Without it, `/metrics` may respond with text.
			headers: {
				Accept: 'application/json', ...(body && {'Content-Type': 'application/json'}),
				...(idempotencyKey && {[idempotencyKeyHeader]: idempotencyKey}),
			},
			...(body && {body: JSON.stringify(body)}),
			signal: signal ?? null,
		});
		return {...fromHeaders?.(response.headers), ...await readObject(response)} as Result;
	};

	type Ask = (first?: object, second?: CallOptions) => Promise<unknown>;
	const asking = (name: string, [marks, own, answer, ask, renames]: QuestionRow): Ask => async (first, second) => {
		const path = own || `/${name}`;
		const [asked, options] = marks.includes('a') ? [first ?? {}, second] : [undefined, first];
		const sent = renameAll(asked, field => renames?.[field] ?? snakeName(field), ask) as Query | undefined;
		const response = /[pu]/.test(marks) ? request('POST', path, options, sent) : request('GET', path + toQuery(sent), options);
		return renameAll(await response, camelName, answer);
	};

	return {
		...Object.fromEntries(Object.entries(table).map(([name, row]) => [name, asking(name, row)])) as unknown as
			Omit<Client, 'cycle' | 'createIdentity' | 'putAside' | 'events'>,
		async cycle({trigger, ...body}, options) {
			const answer = await request<object>(
				'POST', '/cycle', options, {...body, trigger_type: trigger},
				headers => ({id: headers.get(cycleIdHeader) ?? '', ...(headers.has(replayedHeader) && {isReplayed: true})}),
			);
			return renameAll(answer, camelName) as Awaited<ReturnType<Client['cycle']>>;
		},
		createIdentity: async (name, beginning = {}, options) =>
			renameAll(await request('PUT', pathOf(name), options, renameAll(beginning, snakeName) as object), camelName) as IdentityInfo,
		async putAside(name, options) {
			await connect(pathOf(name), {method: 'DELETE', signal: options?.signal ?? null});
		},

		async * events({lastEventId, signal, ...query} = {}) {
			// Loaded on demand, because most clients never follow events.
			const {followEvents} = await import('./follow-events.ts');
			yield * followEvents({
				connect: (headers, connectionSignal) => connect(`/events${toQuery(query)}`, {headers, signal: connectionSignal}),
				lastEventId,
				signal,
				timers,
			});
		},
	};
};
