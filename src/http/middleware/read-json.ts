/**
 * Reads JSON bodies: bounded in bytes while they are read, and in cost before they are parsed.
 *
 * The stream's own iteration reads. Body parsers of Koa accept more than the interface has (forms,
 * compression, other charsets), answer some of it with 500, and neither count the bytes of all
 * bodies that are under way nor share turns of the event loop between them.
 */
import type {IncomingMessage} from 'node:http';
import type {Context} from 'koa';
import type {Held} from '../../identity/pending-limits.ts';
import {nameOf} from '../../platform/option-names.ts';
import {RequestError} from '../request-error.ts';
import {requireSignedBody} from '../peer-signature.ts';
import type {ByteBudget} from './share-turns.ts';
import {parseJson} from './parse-json.ts';

/** Limits of a body, and of the work on all bodies in a turn of the event loop. */
export type BodyLimits = {
	maxBodyBytes: number;
	/** Maximum bytes of nested objects and arrays, as metadata is. */
	maxMetadataBytes: number;
	/** Maximum number of objects, arrays and their elements. @default 4096 */
	maxValues?: number;
	parseBudget: ByteBudget;
	readBudget: ByteBudget;
};

/** Bounds of parsing, so that a body is parsed, validated and copied in a few milliseconds. */
const bounds = {depth: 128, keys: 1024};

/** The first bytes of each body do not count as pending: large requests do not lead to the refusal of small ones. */
const uncountedBytes = 2 ** 14;

/** `application/json` or `application/<anything>+json`. */
const jsonType = /^application\/(?:[^\s+/]+\+)*json$/i;

/**
 * The parsed body; `{}` if it is empty. Where a host application has read the body before, it is
 * what the host's parser left.
 *
 * @param held Counts the bytes, until the caller releases them.
 * @throws {RequestError} 413 over a limit; 415 if it is not JSON in UTF-8; 422 if it is malformed
 * @throws {BusyError} when too many bytes are pending
 */
export const readJson = async (
	ctx: Context, {maxMetadataBytes, maxValues = 4096, parseBudget, ...limits}: BodyLimits, held: Held,
): Promise<unknown> => {
	const {type, charset} = ctx.request;
	if (type !== '' && !jsonType.test(type)) {
		throw new RequestError(415, 'Send the body as application/json.');
	}

	// What a host has read, it has decoded.
	if (!ctx.req.readableDidRead) {
		requirePlain(charset, ctx.get('Content-Encoding'));
	}

	const bytes = await readBody(ctx, limits, held);
	await parseBudget(bytes.length);
	return bytes.length === 0 ? {} : parseJson(bytes, {...bounds, values: maxValues, nestedBytes: maxMetadataBytes});
};

const requirePlain = (charset: string, encoding: string): void => {
	if (!/^(?:utf-?8)?$/i.test(charset)) {
		throw new RequestError(415, 'Send the body in UTF-8.');
	}

	if (!/^(?:identity)?$/i.test(encoding)) {
		throw new RequestError(415, 'Send the body without compression.', {'Accept-Encoding': 'identity'});
	}
};

/**
 * The bytes of the body, from the stream, or from what a host application left of it.
 *
 * @throws {RequestError} 400 when the client has disconnected; 413 over the limit
 * @throws {BusyError} when too many bytes are pending
 */
export const readBody = async (
	ctx: Context, {maxBodyBytes, readBudget}: Pick<BodyLimits, 'maxBodyBytes' | 'readBudget'>, held: Held,
): Promise<Buffer> => {
	const given = preparsedBody(ctx);
	if (!given) {
		const bytes = await readBytes(ctx.req, maxBodyBytes, held, readBudget);
		requireSignedBody(ctx, bytes);
		return bytes;
	}

	held.add(Math.max(0, given.length - uncountedBytes));
	if (given.length > maxBodyBytes) {
		throw tooLarge(maxBodyBytes);
	}

	return given;
};

const tooLarge = (limit: number): RequestError => new RequestError(
	413, `The body is over the limit of ${limit} bytes: send a long text in parts, or raise ${nameOf('http.maxBodyBytes')}.`,
);

const endedEarly = (): RequestError => new RequestError(400, 'The body ended early.');

/** Reads to the end, also after a refusal: a client that is still sending would not see a response. */
const readBytes = async (request: IncomingMessage, limit: number, held: Held, readBudget: ByteBudget): Promise<Buffer> => {
	const refusal = Promise.withResolvers<never>();
	let chunks: Buffer[] | null = [];
	let size = 0;
	const keep = (chunk: Buffer): void => {
		size += chunk.length;
		if (size > limit) {
			throw tooLarge(limit);
		}

		held.add(Math.max(0, Math.min(chunk.length, size - uncountedBytes)));
		chunks?.push(chunk);
	};

	const read = async (): Promise<Buffer> => {
		for await (const chunk of request as AsyncIterable<Buffer>) {
			await readBudget(chunk.length);
			try {
				if (chunks) {
					keep(chunk);
				}
			} catch (error) {
				chunks = null;
				refusal.reject(error);
			}
		}

		return Buffer.concat(chunks ?? []);
	};

	return Promise.race([refusal.promise, read().catch(() => {
		throw endedEarly();
	})]);
};

/**
 * The body that a host application has read before, as `express.json()`, koa-bodyparser or Fastify
 * do; null where the stream is unread. A stream can be read once. Those parsers leave the body in
 * `body` of Node's request, or of Koa's where the middleware runs in the host's context. It becomes
 * text again, so that it meets the same limits as any other.
 *
 * @throws {RequestError} 400 when the client has disconnected; 413 when the body is nested too deeply
 * @throws {Error} when the stream was read and its body is in neither place
 */
const preparsedBody = ({req, request}: Context): Buffer | null => {
	if (req.readableAborted) {
		throw endedEarly();
	}

	// A parser with nothing to parse leaves `{}` there, and the stream unread.
	if (!req.readableDidRead) {
		return req.readableEnded ? Buffer.alloc(0) : null;
	}

	const parsed = [req, request].map(place => (place as {body?: unknown}).body).find(body => body !== undefined);
	if (parsed === undefined) {
		throw new Error('The host application has already read the body, and did not leave it in the request’s “body”. Mount this '
			+ 'application before the body parser, or set “body” there.');
	}

	try {
		return Buffer.from(typeof parsed === 'string' || parsed instanceof Uint8Array ? parsed as string : JSON.stringify(parsed));
	} catch {
		throw new RequestError(413, 'The body is nested too deeply.');
	}
};
