/** The parts of an identity, a request and a node that telemetry sees. These types are public, so they depend on no package. */
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {LocalIdentity} from '../../identity/identity.ts';

/** The part of a running identity that telemetry needs. */
export type ObservedIdentity = Pick<LocalIdentity, 'health' | 'readiness' | 'vigilance' | 'daemon' | 'watch'> & {
	readonly actor: Pick<LocalIdentity['actor'], 'on' | 'getSnapshot' | 'subscribe'>;
};

/** The methods of the interface. */
export const httpMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'];

/** One answered request. */
export type AnsweredRequest = {
	method: string;
	/** The path of the route; `other` without one. */
	route: string;
	status: number;
	/** The time from the request's headers to the response's. */
	seconds: number;
};

/** A request to an identity. */
export type TracedRequest = {
	readonly request: Pick<IncomingMessage, 'headers' | 'method'>;
	readonly response: ServerResponse;
	/** The path of its route. */
	readonly route: string;
	/** The name of the identity; null if the service has only one. */
	readonly identity: string | null;
	/** Whether the request changes nothing. */
	readonly isRead: boolean;
};

/** Makes a span for each request. */
export type RequestTracing = {
	/** Calls the function that answers a request, inside a span that ends with the response. */
	answer<Answer>(request: TracedRequest, perform: () => Answer): Answer;
};

/** The figures of a node. Counts are since its start. */
export type NodeFigures = {
	/** Identities that the node owns. */
	owned: number;
	/** Whether the node's database session holds its lock. */
	isMember: boolean;
	/** Whether the node accepts cycles, and for each part `ok` or what is wrong. @default that of the observed identity */
	readiness?: {readonly ready: boolean; readonly parts: Readonly<Record<string, string>>} | undefined;
	/** Identities that the node has opened. */
	takeOvers: number;
	/** Identities that other nodes have taken over from it. */
	fenced: number;
	/** Identities for which the node found that the database has lost acknowledged records. */
	lost: number;
	/** Requests to other nodes, by outcome. */
	forwarded: Readonly<Record<string, number>>;
};
