/**
 * Parses JSON within bounds, and locates syntax errors.
 *
 * A parser's time and memory grow with the number of values, not bytes: 1 MiB of one string takes 1 ms, 1 MiB of empty
 * arrays 100 ms. So one pass over the bytes first counts values, without allocating objects; no library does that.
 */
import {parse as parseLeniently, printParseErrorCode, type ParseError} from 'jsonc-parser';
import {nameOf} from '../../platform/option-names.ts';
import {RequestError} from '../request-error.ts';
import {toRequestError} from './validation.ts';

export type JsonBounds = {
	/** Levels of objects and arrays. */
	depth: number;
	/** Objects, arrays and elements: one per opening bracket and one per comma. */
	values: number;
	keys: number;
	/** Bytes of the objects and arrays inside the outermost one. */
	nestedBytes: number;
};

const [quote, backslash, colon, comma, openBracket, closeBracket, openBrace, closeBrace] = new TextEncoder().encode('"\\:,[]{}');

/** The first of these bounds that a text exceeds; null if none. */
export const findExceededBound = (bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | null => {
	const counts: JsonBounds = {depth: 0, values: 0, keys: 0, nestedBytes: 0};
	let depth = 0;
	let start = 0;
	for (let i = 0; i < bytes.length; i++) {
		const byte = bytes[i];
		if (byte === quote) {
			i = endOfString(bytes, i);
		} else if (byte === comma) {
			counts.values++;
		} else if (byte === colon) {
			counts.keys++;
		} else if (byte === openBrace || byte === openBracket) {
			counts.values++;
			depth++;
			counts.depth = Math.max(counts.depth, depth);
			start = depth === 2 ? i : start;
		} else if (byte === closeBrace || byte === closeBracket) {
			counts.nestedBytes += depth === 2 ? i + 1 - start : 0;
			depth--;
		}
	}

	return (Object.keys(counts) as Array<keyof JsonBounds>).find(name => counts[name] > bounds[name]) ?? null;
};

const endOfString = (bytes: Uint8Array, start: number): number => {
	let i = start + 1;
	while (i < bytes.length && bytes[i] !== quote) {
		i += bytes[i] === backslash ? 2 : 1;
	}

	return i;
};

const decoder = new TextDecoder('utf-8', {fatal: true});

/** Parses JSON in UTF-8. @throws {RequestError} 413 if it exceeds `nestedBytes`; 422 if it exceeds another bound or is malformed */
export const parseJson = (bytes: Uint8Array, bounds: JsonBounds): unknown => {
	const exceeded = findExceededBound(bytes, bounds);
	if (exceeded === 'nestedBytes') {
		const limit = `${bounds.nestedBytes} bytes`;
		throw new RequestError(413, `The objects and lists in the body, such as metadata, are over the limit of ${limit}: send less, or `
			+ `raise ${nameOf('http.maxMetadataBytes')}.`);
	}

	if (exceeded) {
		const limit = bounds[exceeded];
		throw malformed({offset: 0, error: exceeded === 'depth' ? `Nested deeper than ${limit} levels` : `More than ${limit} ${exceeded}`});
	}

	let text: string;
	try {
		text = decoder.decode(bytes);
	} catch {
		throw malformed({offset: 0, error: 'Invalid UTF-8'});
	}

	try {
		return JSON.parse(text);
	} catch {
		throw malformed(findSyntaxError(text));
	}
};

type SyntaxErrorPlace = {offset: number; error: string};

const malformed = ({offset, error}: SyntaxErrorPlace): RequestError =>
	toRequestError([{type: 'json_invalid', loc: ['body', offset], msg: 'JSON decode error', input: {}, ctx: {error}}]);

/** The tolerant parser is 20 times slower than the engine's, so it reads at most this many characters. */
const maxRead = 2 ** 16;

/**
 * Finds the first syntax error: its offset in UTF-16 units, and its kind. The offset is 0 if the error is too far or too
 * deep in the text to be found. The engine's parser gives no position for most errors.
 */
export const findSyntaxError = (text: string): SyntaxErrorPlace => {
	const read = text.slice(0, maxRead);
	const errors: ParseError[] = [];
	try {
		parseLeniently(read, errors, {disallowComments: true});
	} catch {
		// The parser is recursive, and the text may be nested deeper than the stack.
	}

	const [first] = errors;
	const isCut = first !== undefined && read.length < text.length && first.offset + first.length >= read.length;
	return first && !isCut ? {offset: first.offset, error: printParseErrorCode(first.error)} : {offset: 0, error: 'Invalid'};
};
