/** What telemetry gets to know: of an identity, a request, a node. These types are public, and so need no package. */
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {LocalIdentity} from '../../identity/identity.ts';

/** The part of a running identity that telemetry needs. */
export type ObservedIdentity = Pick<LocalIdentity, 'health' | 'readiness' | 'vigilance' | 'daemon' | 'watch'> & {
	readonly actor: Pick<LocalIdentity['actor'], 'on' | 'getSnapshot' | 'subscribe'>;
};

/** One answered request. */
export type AnsweredRequest = {
	method: string;
	/** The path of the route; `other` without one. */
	route: string;
	status: number;
	/** From the request's headers to the response's. */
	seconds: number;
};

/** A request for an answer of an identity. */
export type TracedRequest = {
	readonly request: Pick<IncomingMessage, 'headers' | 'method'>;
	readonly response: ServerResponse;
	/** The path of its route. */
	readonly route: string;
	/** The name of the identity; null where a service has one alone. */
	readonly identity: string | null;
	/** Whether it changes nothing. */
	readonly isRead: boolean;
};

/** What makes a span of each question. */
export type RequestTracing = {
	/** Performs what answers a request, inside a span that ends with the response. */
	answer<Answer>(request: TracedRequest, perform: () => Answer): Answer;
};

/** How a node stands. What is counted is counted since its start. */
export type NodeFigures = {
	/** Identities that are here. */
	owned: number;
	/** Whether its session in the database holds its lock. */
	isMember: boolean;
	/** Whether it accepts cycles, and its parts: `ok`, or what is wrong. @default that of the observed identity */
	readiness?: {readonly ready: boolean; readonly parts: Readonly<Record<string, string>>} | undefined;
	/** Identities that were opened here. */
	takeOvers: number;
	/** Identities that other nodes took over from here. */
	fenced: number;
	/** Identities of which the database has lost acknowledged records, as this node found. */
	lost: number;
	/** Requests to other nodes, by how they ended. */
	forwarded: Readonly<Record<string, number>>;
};
