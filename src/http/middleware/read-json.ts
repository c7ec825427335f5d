/**
 * Reads the JSON body of a request. Any body becomes a value or one of the client's errors: 413,
 * 415, 422 or 429. Its cost is bounded before it is parsed.
 *
 * Body parsers of Koa accept more than the interface has (forms, compression, other charsets) and
 * answer some of it with 500. The interface has only uncompressed JSON in UTF-8.
 */
import type {IncomingMessage} from 'node:http';
import type {Context} from 'koa';
import type {Held} from '../../identity/pending-limits.ts';
import {RequestError} from '../request-error.ts';
import type {ByteBudget} from './byte-budget.ts';
import {findExceededBound, type JsonBounds} from './json-bounds.ts';
import {findSyntaxError} from './json-syntax-error.ts';
import {preparsedBody} from './preparsed-body.ts';
import {toRequestError} from './validation.ts';
import {nameOf} from '../../platform/option-names.ts';

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

/** `application/json` or `application/<anything>+json`, with or without parameters. */
const jsonType = /^application\/(?:[^\s;+/]+\+)*json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

const decoder = new TextDecoder('utf-8', {fatal: true});

/**
 * The parsed body; `{}` if it is empty. Where a host application has read the body before, it is
 * what the host's parser left.
 *
 * @param held Counts the bytes, until the caller releases them.
 * @throws {RequestError} 413 over a limit; 415 if it is not JSON in UTF-8; 422 if it is malformed
 * @throws {BusyError} when too many bytes are pending
 */
export const readJson = async (ctx: Context, {maxBodyBytes, maxMetadataBytes, maxValues = 4096, parseBudget, readBudget}: BodyLimits, held: Held): Promise<unknown> => {
	requireJson(ctx);
	const given = preparsedBody(ctx);
	if (given) {
		held.add(Math.max(0, given.length - uncountedBytes));
	} else {
		requirePlain(ctx);
	}

	const bytes = given ?? await readBytes(ctx.req, maxBodyBytes, held, readBudget);
	if (bytes.length > maxBodyBytes) {
		throw tooLarge(maxBodyBytes);
	}

	await parseBudget(bytes.length);
	return bytes.length === 0 ? {} : parse(bytes, {...bounds, values: maxValues, nestedBytes: maxMetadataBytes});
};

const requireJson = (ctx: Context): void => {
	const type = ctx.get('Content-Type');
	if (type !== '' && !jsonType.test(type)) {
		throw new RequestError(415, 'Send the body as application/json.');
	}
};

const requirePlain = (ctx: Context): void => {
	if (!/^utf-?8$/i.test(charset.exec(ctx.get('Content-Type'))?.[1] ?? 'utf-8')) {
		throw new RequestError(415, 'Send the body in UTF-8.');
	}

	if (!/^(?:identity)?$/i.test(ctx.get('Content-Encoding'))) {
		throw new RequestError(415, 'Send the body without compression.', {'Accept-Encoding': 'identity'});
	}
};

const tooLarge = (limit: number): RequestError => new RequestError(413, `The body is over the limit of ${limit} bytes.`);

/** Reads a body to its end, also over a limit: a client that is still sending would not see a response. */
export const readBytes = (request: IncomingMessage, limit: number, held: Held, readBudget: ByteBudget): Promise<Buffer> => new Promise((resolve, reject) => {
	let chunks: Buffer[] | null = [];
	let size = 0;
	const fail = (error: unknown): void => {
		chunks = null;
		reject(error);
	};

	request.on('data', (chunk: Buffer) => {
		const turn = readBudget(chunk.length);
		if (turn) {
			// Otherwise the socket would deliver all of its data in this turn of the event loop.
			request.pause();
			void turn.then(() => request.resume());
		}

		if (!chunks) {
			return;
		}

		const counted = Math.max(0, size - uncountedBytes);
		size += chunk.length;
		if (size > limit) {
			fail(tooLarge(limit));
			return;
		}

		try {
			held.add(Math.max(0, size - uncountedBytes) - counted);
			chunks.push(chunk);
		} catch (error) {
			fail(error);
		}
	});
	request.on('end', () => {
		resolve(chunks?.length === 1 ? chunks[0]! : Buffer.concat(chunks ?? []));
	});
	const onBreak = (): void => {
		if (!request.readableEnded) {
			fail(new RequestError(400, 'The body ended early.'));
		}
	};

	// Where the connection was lost before this listened, only `close` is emitted.
	request.on('error', onBreak);
	request.on('close', onBreak);
});

const parse = (bytes: Buffer, limits: JsonBounds): unknown => {
	const exceeded = findExceededBound(bytes, limits);
	switch (exceeded) {
		case 'depth': {
			throw malformed(0, `Nested deeper than ${limits.depth} levels`);
		}

		case 'values':
		case 'keys': {
			throw malformed(0, `More than ${limits[exceeded]} ${exceeded}`);
		}

		case 'nestedBytes': {
			throw new RequestError(413, `The metadata is over the limit of ${limits.nestedBytes} bytes: send less of it, or raise ${nameOf('http.maxMetadataBytes')}.`);
		}

		default:
	}

	let text: string;
	try {
		text = decoder.decode(bytes);
	} catch {
		throw malformed(0, 'Invalid UTF-8');
	}

	try {
		return JSON.parse(text);
	} catch {
		const {offset, error} = findSyntaxError(text);
		throw malformed(offset, error);
	}
};

const malformed = (offset: number, error: string): RequestError =>
	toRequestError([{type: 'json_invalid', loc: ['body', offset], msg: 'JSON decode error', input: {}, ctx: {error}}]);
