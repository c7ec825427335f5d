/** Which identity a request is about. These types are public, and so need no package. */
import type {ProcessActor} from '../identity/pending-requests.ts';
import type {Identity} from '../identity/identity.ts';

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
 * Chooses the identity of a request; null, and the answer is 404. An error that it throws is
 * answered as an identity's own: `InputError` 422, `BusyError` 429, `UnavailableError` 503, any
 * other 500. It is not asked for `/livez`, the OpenAPI document and the pages, and asked again
 * where the identity has stopped while the body was read.
 */
export type Resolver = (request: ResolverRequest) => HttpIdentity | null | undefined | Promise<HttpIdentity | null | undefined>;
