/**
 * Reads the JSON body of a request. Whatever a client sends ends in a value or in an error that
 * is the client's: 413, 415 or 422.
 *
 * The parsers around guard against more than this interface has (forms, compression, other
 * charsets) and answer some of it with 500; JSON in UTF-8, uncompressed, is all that is wanted.
 */
import type {IncomingMessage} from 'node:http';
import type {Context} from 'koa';
import {whereJsonBreaks} from './json-break.ts';
import {Refusal} from './refusal.ts';
import {invalid} from './validation.ts';

/** Deeper bodies are refused: what cannot be written back as JSON could not be told in an error either. */
const maxDepth = 128;

/** `application/json` or `application/<anything>+json`, with or without parameters. */
const jsonType = /^application\/(?:[^\s;+/]+\+)*json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/**
 * The parsed body; `{}` if it is empty.
 *
 * @throws {Refusal} 413 over the limit (in bytes); 415 if it is not JSON in UTF-8; 422 if it is malformed
 */
export const readJson = async (ctx: Context, limit: number): Promise<unknown> => {
	requireJson(ctx);
	const bytes = await collect(ctx.req, limit).catch(() => {
		throw new Refusal(400, 'The body ended early.');
	});
	if (bytes === null) {
		throw new Refusal(413, `The body is over the limit of ${limit} bytes.`);
	}

	return bytes.length === 0 ? {} : parse(bytes);
};

const requireJson = (ctx: Context): void => {
	const type = ctx.get('Content-Type');
	if (type !== '' && !jsonType.test(type)) {
		throw new Refusal(415, 'Send the body as application/json.');
	}

	if (!/^utf-?8$/i.test(charset.exec(type)?.[1] ?? 'utf-8')) {
		throw new Refusal(415, 'Send the body in UTF-8.');
	}

	if (!/^(?:identity)?$/i.test(ctx.get('Content-Encoding'))) {
		throw new Refusal(415, 'Send the body without compression.', {'Accept-Encoding': 'identity'});
	}
};

/**
 * The bytes of the body, or null if they are more than the limit. What exceeds it is read and
 * dropped, because a client that is still sending would not see an answer.
 */
const collect = (request: IncomingMessage, limit: number): Promise<Buffer | null> => new Promise((resolve, reject) => {
	let chunks: Buffer[] = [];
	let size = 0;
	request.on('data', (chunk: Buffer) => {
		size += chunk.length;
		if (size <= limit) {
			chunks.push(chunk);
		} else {
			chunks = [];
			resolve(null);
		}
	});
	request.once('end', () => {
		resolve(Buffer.concat(chunks));
	});
	request.once('error', reject);
});

const parse = (bytes: Buffer): unknown => {
	let text: string;
	try {
		text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
	} catch {
		throw malformed(0, 'Invalid UTF-8');
	}

	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		const {offset, error} = whereJsonBreaks(text);
		throw malformed(offset, error);
	}

	if (isDeeper(value, maxDepth)) {
		throw malformed(0, `Nested deeper than ${maxDepth} levels`);
	}

	return value;
};

const malformed = (offset: number, error: string): Refusal =>
	invalid([{type: 'json_invalid', loc: ['body', offset], msg: 'JSON decode error', input: {}, ctx: {error}}]);

/** Goes through the value level by level, since a recursion would fail on just what is looked for. */
const isDeeper = (value: unknown, limit: number): boolean => {
	let level = [value].filter(isContainer);
	for (let depth = 0; level.length > 0; depth++) {
		if (depth === limit) {
			return true;
		}

		level = level.flatMap((container) => Object.values(container)).filter(isContainer);
	}

	return false;
};

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
