/**
 * The body of a request that a host application has read before this one was asked, as
 * `express.json()`, koa-bodyparser or Fastify do. A stream can be read once: to wait for what
 * was read already would be to wait for ever.
 */
import type {Context} from 'koa';
import {Refusal} from '../request-error.ts';

/**
 * The body as JSON, so that it meets the same limits as any other; null where the stream has not
 * been read. It is looked for where those parsers leave it: in `body` of Node's request, or of
 * Koa's where the middleware runs in the host's context.
 *
 * @throws {Refusal} 400 when the client has gone; 413 when it is nested too deeply to be written
 * @throws {Error} when the stream has been read, and what it held is in neither place
 */
export const bodyOfHost = ({req, request}: Context): Buffer | null => {
	if (req.readableAborted) {
		throw new Refusal(400, 'The body ended early.');
	}

	// A parser that found nothing to parse leaves `{}` there and the stream as it was.
	if (!req.readableDidRead) {
		return req.readableEnded ? Buffer.alloc(0) : null;
	}

	const parsed = [req, request].map(place => (place as {body?: unknown}).body).find(body => body !== undefined);
	if (parsed === undefined) {
		throw new Error('The application that this one is mounted in has read the body already, and has not left it in “body” of the request: mount this one before what reads bodies, or hand the body over there.');
	}

	return typeof parsed === 'string' || parsed instanceof Uint8Array ? Buffer.from(parsed as string) : Buffer.from(written(parsed));
};

const written = (parsed: unknown): string => {
	try {
		return JSON.stringify(parsed);
	} catch {
		throw new Refusal(413, 'The body is nested too deeply.');
	}
};
