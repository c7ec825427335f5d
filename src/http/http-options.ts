/** What an application gives an HTTP interface: options, logger and resolver. These types are public, and so need no package. */
import type {LocalIdentity, Identity} from '../identity/identity.ts';
import type {Inspection} from '../observe/inspection.ts';
import type {RequestTracing} from '../observe/metrics/observed.ts';
import type {Telemetry} from '../observe/metrics/telemetry.ts';
import type {KoaContext} from './hosts.ts';
import type {ProcessActor} from '../identity/pending-requests.ts';

/** Where the events come from, as an inspection is. */
export type EventFeed = Pick<Inspection, 'types' | 'watch'> & Partial<Pick<Inspection, 'latestId'>>;

/** Maximum requests of each client address in a number of seconds. */
export type RateLimit = {requests: number; seconds: number};

/** Which pages may use the service: where a token is required, only listed origins are allowed credentials. */
export type OriginPolicy = {[Name in 'cors' | 'token']?: HttpOptions[Name] | undefined};

/** What the HTTP layer uses of telemetry. */
export type HttpTelemetry = Pick<Telemetry, 'countRequest' | 'text' | 'contentType'>;

/** Answers requests for identities that are at other nodes. */
export type Forwarder = {
	/** Answers one, by Koa's context, before its body is read. */
	forward(context: KoaContext, name: string, nodeUrl: string): Promise<void>;
	/** Whether another node has forwarded it: then it has passed the checks there, and goes no further. */
	isForwarded(context: KoaContext): boolean;
};

/** A token beside those that open everything. */
export type AccessToken = {
	/** Stands for it in decisions and answers. */
	readonly name: string;
	/** SHA-256 of the token in UTF-8, as 64 hexadecimal digits: tokens are random, so none can be guessed from it. */
	readonly sha256: string;
	/** `read`: what changes nothing. `speak`: texts. `operate`: everything. */
	readonly rights: ReadonlyArray<'read' | 'speak' | 'operate'>;
	/** The only source that its texts are of. @default any */
	readonly source?: string;
	/** Names of a host's identities that it is for. @default all */
	readonly identities?: readonly string[];
};

/** Options of {@link createHttp}. None is required. */
export type HttpOptions = {
	/**
	 * The path under which a host passes its requests on unchanged, for example `/identity`. A segment that begins with a
	 * colon takes any value, which a {@link Resolver} finds in `params`: `/tenants/:tenant`. Not for hosts that remove
	 * the path themselves, as `app.use('/identity', …)` does in Express and `app.mount` in Hono.
	 * @default '' — the root
	 */
	prefix?: string;
	/**
	 * Origins whose pages may read responses, with the user's cookies, and change the state. So may
	 * pages of the service itself, where its host is an address or localhost. `'*'` allows every
	 * page, which suits a service without cookies; with a token, it allows no cookies.
	 *
	 * With `false` no CORS headers are sent, those of the host stay, and only pages of the same
	 * origin may change the state.
	 * @default false
	 */
	cors?: false | '*' | readonly string[];
	/**
	 * Bearer token for everything but the probes, the OpenAPI document and the pages, which are public.
	 * @default undefined — no token: every client that reaches the interface can read and change the state
	 */
	token?: string;
	/**
	 * Bearer token of the agent's own clients. It opens what `token` does, and only with it may a text be the identity's own: have the
	 * source `self`, or a trigger that begins with `rumination`. Needs `token`.
	 * @default undefined — a name is a claim: every client may speak as the identity
	 */
	selfToken?: string;
	/**
	 * Further tokens, each with what it may. Needs `token`.
	 * @default []
	 */
	tokens?: readonly AccessToken[];
	/**
	 * Serves `/events` and the page `/inspector`. They show what the identity does and, where a
	 * client asks for it, the texts that it was sent; so set a token too, or guard the path.
	 * An inspection of your own is lent: `close` does not close it. Of many identities a function gives each one's.
	 * @default false
	 */
	inspector?: boolean | EventFeed | ((identity: LocalIdentity) => EventFeed);
	/**
	 * Counts cycles and requests, and gives them at `/metrics` in Prometheus's format to clients
	 * that prefer it: numbers only, no texts. Without it `/metrics` has its JSON form alone.
	 * A telemetry of your own is lent: `close` does not close it. The identities of a host are counted together.
	 * @default true
	 */
	metrics?: boolean | HttpTelemetry;
	/** Makes a span of each question, as the service does for OpenTelemetry. @default undefined — no spans */
	tracing?: RequestTracing;
	/** Serves the page `/docs`, which shows and tries the interface. @default true */
	docs?: boolean;
	/** Maximum requests of each client address. @default undefined — no limit */
	rateLimit?: RateLimit;
	/**
	 * Whether the client's address, for the rate limit and the log, is the last one in
	 * X-Forwarded-For, which the proxy in front writes there. `fetch` knows no other address.
	 * @default false
	 */
	trustProxy?: boolean;
	/** Logs every request, and failures. @default undefined — nothing is logged */
	logger?: Logger;
	/** Maximum bytes of a request body. @default 1_048_576 */
	maxBodyBytes?: number;
	/** Maximum bytes of a body's metadata, as it is sent. @default 65_536 */
	maxMetadataBytes?: number;
	/** Maximum bytes of all pending bodies, not counting the first 16 KiB of each; above it, requests get 429. @default 67_108_864 */
	maxPendingBytes?: number;
	/** Answers requests for identities that a host finds at other nodes. @default undefined — they are answered with 503 */
	forward?: Forwarder;
	/** Whether responses are checked against their schemas; one that does not match becomes a 500. @default false */
	validateResponses?: boolean;
};

/** An identity to serve. Event stream and metrics need its actor. */
export type HttpIdentity = Identity & {readonly actor?: ProcessActor};

/** What a resolver sees of a request. */
export type ResolverRequest = {
	readonly method: string;
	/** Absolute, with the prefix. */
	readonly url: string;
	readonly headers: Headers;
	/** Values of the prefix's `:name` segments, decoded. */
	readonly params: Readonly<Record<string, string>>;
};

/**
 * Chooses the identity of a request; null, and the answer is 404. An error that it throws is answered as an identity's
 * own: `InputError` 422, `BusyError` 429, `UnavailableError` 503, any other 500. It is not asked for `/livez`, the
 * OpenAPI document and the pages, and asked again where the identity has stopped while the body was read.
 */
export type Resolver = (request: ResolverRequest) => HttpIdentity | null | undefined | Promise<HttpIdentity | null | undefined>;

/** What is logged, and a sentence. */
type Log = (fields: object, message: string) => void;

/** The part of a logger that the HTTP layer uses. A pino logger fits. */
export type Logger = {
	/** A request was answered. */
	debug: Log;
	/** A request was answered late, or with a fault of the service. */
	info: Log;
	/** A request failed by a fault of the service. */
	error: Log;
	/** A connection failed. */
	warn: Log;
};
