/** An application's options, logger and resolver for the HTTP interface. These types are public, so they depend on no package. */
import type {LocalIdentity, Identity} from '../identity/identity.ts';
import type {Inspection} from '../observe/inspection.ts';
import type {RequestTracing} from '../observe/metrics/observed.ts';
import type {Telemetry} from '../observe/metrics/telemetry.ts';
import type {KoaContext} from './hosts.ts';
import type {ProcessActor} from '../identity/pending-requests.ts';

/** The source of an event stream, such as an inspection. */
export type EventFeed = Pick<Inspection, 'types' | 'watch'> & Partial<Pick<Inspection, 'latestId'>>;

/** Maximum number of requests per client address in a number of seconds. */
export type RateLimit = {requests: number; seconds: number};

/** Which pages may use the service. If a token is required, only listed origins may send credentials. */
export type OriginPolicy = {[Name in 'cors' | 'token']?: HttpOptions[Name] | undefined};

/** The part of telemetry that the HTTP layer uses. */
export type HttpTelemetry = Pick<Telemetry, 'countRequest' | 'text' | 'contentType'>;

/** Answers requests for identities at other nodes. */
export type Forwarder = {
	/** Forwards and answers a request, before its body is read. */
	forward(context: KoaContext, name: string, nodeUrl: string): Promise<void>;
	/** Whether another node has forwarded the request: then it has passed the checks there, and is not forwarded again. */
	isForwarded(context: KoaContext): boolean;
};

/** A token with limited rights. */
export type AccessToken = {
	/** The name that stands for the token in decisions and answers. */
	readonly name: string;
	/** SHA-256 of the token in UTF-8, as 64 hexadecimal digits. A random token cannot be guessed from it. */
	readonly sha256: string;
	/** `read`: requests that change nothing. `speak`: sending texts. `operate`: everything. */
	readonly rights: ReadonlyArray<'read' | 'speak' | 'operate'>;
	/** The only source that its texts may have. @default any */
	readonly source?: string;
	/** The names of the host's identities that it may use. @default all */
	readonly identities?: readonly string[];
};

/** Options of {@link createHttp}. None is required. */
export type HttpOptions = {
	/**
	 * The path under which the host passes requests on unchanged, for example `/identity`. A segment that begins with a
	 * colon, as in `/tenants/:tenant`, matches any value, which a {@link Resolver} receives in `params`. Do not set it if
	 * the host removes the path itself, like `app.use('/identity', …)` in Express and `app.mount` in Hono.
	 * @default '' — the root
	 */
	prefix?: string;
	/**
	 * Origins whose pages may read responses, with the user's cookies, and change the state. Pages of the service itself may
	 * too, if its host is an IP address or localhost. `'*'` allows every page, which suits a service without cookies; with a
	 * token, it does not allow cookies.
	 *
	 * With `false`, no CORS headers are sent, those of the host stay, and only pages of the same origin may change the state.
	 * @default false
	 */
	cors?: false | '*' | readonly string[];
	/**
	 * Bearer token for everything except the probes, the OpenAPI document and the pages, which are public.
	 * @default undefined — no token: every client that reaches the interface can read and change the state
	 */
	token?: string;
	/**
	 * Bearer token of the agent's own clients. It has the rights of `token`, and is required for texts of the identity itself:
	 * those with the source `self`, or a trigger that begins with `rumination`. Needs `token`.
	 * @default undefined — a name is a claim: every client may speak as the identity
	 */
	selfToken?: string;
	/**
	 * Further tokens with limited rights. Needs `token`.
	 * @default []
	 */
	tokens?: readonly AccessToken[];
	/**
	 * Serves `/events` and the page `/inspector`. They show what the identity does and, on request, the texts that it
	 * received; so set a token too, or guard the path. Your own inspection is only borrowed: `close` does not close it. For
	 * many identities, give a function that returns the inspection of each.
	 * @default false
	 */
	inspector?: boolean | EventFeed | ((identity: LocalIdentity) => EventFeed);
	/**
	 * Counts cycles and requests, and serves the counts at `/metrics` in Prometheus's format to clients that prefer it:
	 * numbers only, no texts. Without it, `/metrics` has only its JSON form. Your own telemetry is only borrowed: `close` does
	 * not close it. The identities of a host are counted together.
	 * @default true
	 */
	metrics?: boolean | HttpTelemetry;
	/** Makes a span for each request to an identity, as the service does for OpenTelemetry. @default undefined — no spans */
	tracing?: RequestTracing;
	/** Serves the page `/docs`, which shows the interface and tries out requests. @default true */
	docs?: boolean;
	/** Maximum number of requests per client address. @default undefined — no limit */
	rateLimit?: RateLimit;
	/**
	 * Whether to take the client's address, for the rate limit and the log, from the last entry of X-Forwarded-For, which the
	 * proxy in front writes. `fetch` has no other address.
	 * @default false
	 */
	trustProxy?: boolean;
	/** Logs every request and failure. @default undefined — nothing is logged */
	logger?: Logger;
	/** Maximum bytes of a request body. @default 1_048_576 */
	maxBodyBytes?: number;
	/** Maximum bytes of the metadata in a body, as sent. @default 65_536 */
	maxMetadataBytes?: number;
	/** Maximum bytes of all pending bodies, not counting the first 16 KiB of each; above it, requests get 429. @default 67_108_864 */
	maxPendingBytes?: number;
	/** Answers requests for identities at other nodes. @default undefined — they get a 503 */
	forward?: Forwarder;
	/** Checks responses against their schemas; one that does not match becomes a 500. @default false */
	validateResponses?: boolean;
};

/** An identity to serve. The event stream and the metrics need its actor. */
export type HttpIdentity = Identity & {readonly actor?: ProcessActor};

/** A request, as a resolver receives it. */
export type ResolverRequest = {
	readonly method: string;
	/** The absolute URL, including the prefix. */
	readonly url: string;
	readonly headers: Headers;
	/** The decoded values of the prefix's `:name` segments. */
	readonly params: Readonly<Record<string, string>>;
};

/**
 * Chooses the identity of a request; null is answered with 404. Errors are answered like those of an identity: `InputError`
 * with 422, `BusyError` 429, `UnavailableError` 503, any other 500. Not called for `/livez`, the OpenAPI document and the
 * pages; called again if the identity has stopped while the body was read.
 */
export type Resolver = (request: ResolverRequest) => HttpIdentity | null | undefined | Promise<HttpIdentity | null | undefined>;

/** Logs fields and a sentence. */
type Log = (fields: object, message: string) => void;

/** The part of a logger that the HTTP layer uses, for example a pino logger. */
export type Logger = {
	/** A request was answered. */
	debug: Log;
	/** A request was slow, or failed through a fault of the service. */
	info: Log;
	/** The error of a request that failed through a fault of the service. */
	error: Log;
	/** A connection failed. */
	warn: Log;
};
