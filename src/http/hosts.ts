/**
 * The ways in which hosts call a handler. Each gives the request and the response of `node:http`,
 * the body where the host has parsed it, and the headers that the host has set so far.
 */
import type {IncomingMessage, OutgoingHttpHeader, ServerResponse} from 'node:http';

/** A request of `node:http`. Hosts that parse bodies leave them in `body`. */
type NodeRequest = IncomingMessage & {body?: unknown};

/** A path below the prefix, and the values of the prefix's parameters; null for any other path. */
export type Prefix = (path: string) => {path: string; params: Readonly<Record<string, string>>} | null;

/** What is used of Koa's context. */
export type KoaContext = {req: NodeRequest; res: ServerResponse; request: object; respond?: boolean | undefined};

/** What is used of Fastify's request. */
export type FastifyRequest = {raw: NodeRequest; body?: unknown};

/** What is used of Fastify's reply. */
export type FastifyReply = {
	raw: ServerResponse;
	/** Leaves the response to another than Fastify. */
	hijack(): unknown;
	/** The headers that the host has set. */
	getHeaders(): Record<string, OutgoingHttpHeader | undefined>;
};

/** A handler for servers of Node, in the form of each host. Koa's is the last, from which TypeScript infers. */
export type HostHandler = {
	/** `node:http`, Connect and Express. */
	(request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): Promise<void>;
	/** A route of Fastify. */
	(request: FastifyRequest, reply: FastifyReply): Promise<void>;
	/** Koa's middleware. */
	(context: KoaContext, next: () => Promise<unknown>): Promise<void>;
};

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Makes the handler for every host. What is not below the prefix is passed on, where the host gives a function for it. */
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

/** Fastify keeps the headers of a reply until it sends it. */
const fromFastify = ({raw, body}: FastifyRequest, reply: FastifyReply): Parameters<Handle> => {
	for (const [name, value] of Object.entries(reply.getHeaders())) {
		if (value !== undefined) {
			reply.raw.setHeader(name, value);
		}
	}

	reply.hijack();
	return [withBody(raw, body), reply.raw];
};

const withBody = (request: NodeRequest, body: unknown): NodeRequest => {
	if (body !== undefined) {
		request.body = body;
	}

	return request;
};
