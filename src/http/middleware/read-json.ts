/**
 * Reads the JSON body of a request. Whatever a client sends ends in a value or in an error that
 * is the client's: 413, 415, 422 or 429. What it costs is bounded before it is parsed.
 *
 * The parsers around guard against more than this interface has (forms, compression, other
 * charsets) and answer some of it with 500; JSON in UTF-8, uncompressed, is all that is wanted.
 */
import type {IncomingMessage} from 'node:http';
import type {Context} from 'koa';
import type {Held} from '../../identity/bytes-under-way.ts';
import {exceededBound} from './json-bounds.ts';
import {whereJsonBreaks} from './json-syntax-error.ts';
import {bodyOfHost} from './preparsed-body.ts';
import type {Pace} from './byte-budget.ts';
import {Refusal} from '../request-error.ts';
import {invalid} from './validation.ts';

/** What a body may be, and when it may be parsed. */
export type BodyLimits = {
	/** Largest body, in bytes. */
	bodyLimit: number;
	/** Most bytes of what is nested in a body, as metadata is. */
	metadataLimit: number;
	/** When a body may be parsed, and when the next piece of one may be read. */
	parsing: Pace;
	reading: Pace;
};

/** What a body may hold beside its texts, so that it is parsed, checked and copied in a few milliseconds. */
const bounds = {depth: 128, values: 4096, keys: 1024};

/** So much of each body is not counted as under way: small requests are not refused because of large ones. */
const uncounted = 2 ** 14;

/** `application/json` or `application/<anything>+json`, with or without parameters. */
const jsonType = /^application\/(?:[^\s;+/]+\+)*json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/**
 * The parsed body; `{}` if it is empty. Where the application is mounted in another one that has
 * read the body already, it is what that one made of it.
 *
 * @param held Counts the bytes, until the caller releases them.
 * @throws {Refusal} 413 over a limit; 415 if it is not JSON in UTF-8; 422 if it is malformed
 * @throws {BusyError} when too much is under way
 */
export const readJson = async (ctx: Context, {bodyLimit, metadataLimit, parsing, reading}: BodyLimits, held: Held): Promise<unknown> => {
	requireJson(ctx);
	const given = bodyOfHost(ctx);
	if (given) {
		held.add(Math.max(0, given.length - uncounted));
	} else {
		requirePlain(ctx);
	}

	const bytes = given ?? await collect(ctx.req, bodyLimit, held, reading);
	if (bytes.length > bodyLimit) {
		throw tooLarge(bodyLimit);
	}

	await parsing(bytes.length);
	return bytes.length === 0 ? {} : parse(bytes, metadataLimit);
};

const requireJson = (ctx: Context): void => {
	const type = ctx.get('Content-Type');
	if (type !== '' && !jsonType.test(type)) {
		throw new Refusal(415, 'Send the body as application/json.');
	}
};

const requirePlain = (ctx: Context): void => {
	if (!/^utf-?8$/i.test(charset.exec(ctx.get('Content-Type'))?.[1] ?? 'utf-8')) {
		throw new Refusal(415, 'Send the body in UTF-8.');
	}

	if (!/^(?:identity)?$/i.test(ctx.get('Content-Encoding'))) {
		throw new Refusal(415, 'Send the body without compression.', {'Accept-Encoding': 'identity'});
	}
};

const tooLarge = (limit: number): Refusal => new Refusal(413, `The body is over the limit of ${limit} bytes.`);

/**
 * The bytes of the body. What exceeds a limit is read and dropped, because a client that is still
 * sending would not see an answer.
 */
const collect = (request: IncomingMessage, limit: number, held: Held, reading: Pace): Promise<Buffer> => new Promise((resolve, reject) => {
	let chunks: Buffer[] | null = [];
	let size = 0;
	const refuse = (error: unknown): void => {
		chunks = null;
		reject(error);
	};

	const goOn = (): void => {
		request.resume();
	};

	request.on('data', (chunk: Buffer) => {
		// A socket that has more to give would give all of it in this turn.
		request.pause();
		void reading(chunk.length).then(goOn);
		if (!chunks) {
			return;
		}

		const counted = Math.max(0, size - uncounted);
		size += chunk.length;
		if (size > limit) {
			refuse(tooLarge(limit));
			return;
		}

		try {
			held.add(Math.max(0, size - uncounted) - counted);
			chunks.push(chunk);
		} catch (error) {
			refuse(error);
		}
	});
	request.once('end', () => {
		resolve(Buffer.concat(chunks ?? []));
	});
	// The second comes without the first where the connection was lost before this listened.
	for (const event of ['error', 'close']) {
		request.once(event, () => {
			refuse(new Refusal(400, 'The body ended early.'));
		});
	}
});

const parse = (bytes: Buffer, metadataLimit: number): unknown => {
	switch (exceededBound(bytes, {...bounds, nestedBytes: metadataLimit})) {
		case 'depth': {
			throw malformed(0, `Nested deeper than ${bounds.depth} levels`);
		}

		case 'values': {
			throw malformed(0, `More than ${bounds.values} values`);
		}

		case 'keys': {
			throw malformed(0, `More than ${bounds.keys} keys`);
		}

		case 'nestedBytes': {
			throw new Refusal(413, `The metadata is over the limit of ${metadataLimit} bytes: send less of it, or raise METADATA_LIMIT.`);
		}

		default:
	}

	let text: string;
	try {
		text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
	} catch {
		throw malformed(0, 'Invalid UTF-8');
	}

	try {
		return JSON.parse(text);
	} catch {
		const {offset, error} = whereJsonBreaks(text);
		throw malformed(offset, error);
	}
};

const malformed = (offset: number, error: string): Refusal =>
	invalid([{type: 'json_invalid', loc: ['body', offset], msg: 'JSON decode error', input: {}, ctx: {error}}]);
