/**
 * Reads JSON bodies, bounded in bytes while they are read, and in cost before they are parsed.
 *
 * Koa's body parsers are not used. They accept more than the interface allows (forms, compression, other charsets) and
 * answer some of it with 500. They neither count the bytes of all pending bodies nor share the event loop between them.
 */
import type {IncomingMessage} from 'node:http';
import type {Context} from 'koa';
import type {Held} from '../../identity/pending-limits.ts';
import {nameOf} from '../../platform/option-names.ts';
import {RequestError} from '../request-error.ts';
import {requireSignedBody} from '../peer-signature.ts';
import type {ByteBudget} from './share-turns.ts';
import {parseJson} from './parse-json.ts';

/** Limits of a body, and budgets for the work on all bodies in a turn of the event loop. */
export type BodyLimits = {
	maxBodyBytes: number;
	/** Maximum bytes of nested objects and arrays, such as metadata. */
	maxMetadataBytes: number;
	/** Maximum number of objects, arrays and their elements. @default 4096 */
	maxValues?: number;
	parseBudget: ByteBudget;
	readBudget: ByteBudget;
};

/** Bounds that let a body be parsed, validated and copied in a few milliseconds. */
const bounds = {depth: 128, keys: 1024};

/** The first bytes of each body are not counted as pending, so that large requests do not cause small ones to be refused. */
const uncountedBytes = 2 ** 14;

/** `application/json` or `application/<anything>+json`. */
const jsonType = /^application\/(?:[^\s+/]+\+)*json$/i;

/**
 * Returns the parsed body, `{}` if it is empty. If the host application has already read the body, it is the result of the
 * host's parser.
 *
 * @param held Counts the bytes until the caller releases them.
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

	// A body that a host has read is already decoded.
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
 * Returns the bytes of the body, from the stream or from the host application's parsed body.
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

/** Reads to the end even after a refusal, since a client that is still sending would not see the response. */
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
 * Returns the body that the host application has already read, for example with `express.json()`, koa-bodyparser or
 * Fastify; null if the stream is unread. Those parsers leave it in `body` of Node's request, or of Koa's if the middleware
 * runs in the host's context. It is serialised again, so that it meets the same limits as any other.
 *
 * @throws {RequestError} 400 when the client has disconnected; 413 when the body is nested too deeply
 * @throws {Error} when the stream was read and its body is in neither place
 */
const preparsedBody = ({req, request}: Context): Buffer | null => {
	if (req.readableAborted) {
		throw endedEarly();
	}

	// A parser with nothing to parse sets `body` to `{}`, and leaves the stream unread.
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
