/**
 * The body of a request that a host application has read before, as `express.json()`,
 * koa-bodyparser or Fastify do. A stream can be read once, so reading it again would wait for ever.
 */
import type {Context} from 'koa';
import {RequestError} from '../request-error.ts';

/**
 * The body as JSON text, so that it meets the same limits as any other; null where the stream is
 * unread. Those parsers leave it in `body` of Node's request, or of Koa's where the middleware
 * runs in the host's context.
 *
 * @throws {RequestError} 400 when the client has disconnected; 413 when the body is nested too deeply
 * @throws {Error} when the stream was read and its body is in neither place
 */
export const preparsedBody = ({req, request}: Context): Buffer | null => {
	if (req.readableAborted) {
		throw new RequestError(400, 'The body ended early.');
	}

	// A parser with nothing to parse leaves `{}` there, and the stream unread.
	if (!req.readableDidRead) {
		return req.readableEnded ? Buffer.alloc(0) : null;
	}

	const parsed = [req, request].map(place => (place as {body?: unknown}).body).find(body => body !== undefined);
	if (parsed === undefined) {
		throw new Error('The host application has already read the body, and did not leave it in the request’s “body”. Mount this application before the body parser, or set “body” there.');
	}

	return typeof parsed === 'string' || parsed instanceof Uint8Array ? Buffer.from(parsed as string) : Buffer.from(stringify(parsed));
};

const stringify = (parsed: unknown): string => {
	try {
		return JSON.stringify(parsed);
	} catch {
		throw new RequestError(413, 'The body is nested too deeply.');
	}
};
