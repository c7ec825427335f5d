/**
 * The ways in which hosts call a handler. Each provides the request and the response of `node:http`, the body if the host
 * has parsed it, and the headers that the host has set so far.
 */
import type {IncomingMessage, OutgoingHttpHeader, ServerResponse} from 'node:http';

/** A request of `node:http`. Hosts that parse bodies leave them in `body`. */
type NodeRequest = IncomingMessage & {body?: unknown};

/** Returns the path below the prefix and the values of the prefix's parameters; null for any other path. */
export type Prefix = (path: string) => {path: string; params: Readonly<Record<string, string>>} | null;

/** The part of Koa's context that is used. */
export type KoaContext = {req: NodeRequest; res: ServerResponse; request: object; respond?: boolean | undefined};

/** The part of Fastify's request that is used. */
export type FastifyRequest = {raw: NodeRequest; body?: unknown};

/** The part of Fastify's reply that is used. */
export type FastifyReply = {
	raw: ServerResponse;
	/** Takes the response over from Fastify. */
	hijack(): unknown;
	/** The headers set so far. */
	getHeaders(): Record<string, OutgoingHttpHeader | undefined>;
};

/** A handler for Node servers, with a signature per host. Koa's is last, because TypeScript infers from the last overload. */
export type HostHandler = {
	/** `node:http`, Connect and Express. */
	(request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): Promise<void>;
	/** A route of Fastify. */
	(request: FastifyRequest, reply: FastifyReply): Promise<void>;
	/** Koa's middleware. */
	(context: KoaContext, next: () => Promise<unknown>): Promise<void>;
};

/** Answers a request of `node:http`. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Makes the handler for every host. Requests outside the prefix are passed on if the host provides a function for that. */
export const fromHost = (handle: Handle, prefix: Prefix): HostHandler => {
	const isOurs = ({url = ''}: IncomingMessage): boolean => prefix(/^[^?#]*/.exec(url)![0]) !== null;

	const answer = (first: IncomingMessage | KoaContext | FastifyRequest, second: unknown, third?: () => unknown): unknown => {
		if ('raw' in first) {
			return handle(...fromFastify(first, second as FastifyReply));
		}

		if ('req' in first) {
			return isOurs(first.req) ? handle(...fromKoa(first)) : (second as () => unknown)();
		}

		return third && !isOurs(first) ? third() : handle(first, second as ServerResponse);
	};

	return answer as HostHandler;
};

const fromKoa = (context: KoaContext): Parameters<Handle> => {
	context.respond = false;
	return [withBody(context.req, (context.request as {body?: unknown}).body), context.res];
};

/** Copies the headers, which Fastify keeps until it sends a reply itself. */
const fromFastify = ({raw, body}: FastifyRequest, reply: FastifyReply): Parameters<Handle> => {
	for (const [name, value] of Object.entries(reply.getHeaders())) {
		if (value !== undefined) {
			reply.raw.setHeader(name, value);
		}
	}

	reply.hijack();
	return [withBody(raw, body), reply.raw];
};

const withBody = (request: NodeRequest, body: unknown): NodeRequest => Object.assign(request, body !== undefined && {body});
