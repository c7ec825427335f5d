/**
 * Parses JSON within bounds, and says where a text is not JSON.
 *
 * A parser's time and memory grow with the values, not with the bytes: a mebibyte of one text takes 1 ms, a mebibyte of
 * empty arrays 100 ms. One pass over the bytes allocates no objects. No library counts values before it parses.
 */
import {parse as parseLeniently, printParseErrorCode, type ParseError} from 'jsonc-parser';
import {nameOf} from '../../platform/option-names.ts';
import {RequestError} from '../request-error.ts';
import {toRequestError} from './validation.ts';

export type JsonBounds = {
	/** Levels of objects and arrays. */
	depth: number;
	/** Objects, arrays and their elements; an empty one counts twice. */
	values: number;
	keys: number;
	/** Bytes of the objects and arrays in the outermost one. */
	nestedBytes: number;
};

const [quote, backslash, colon, comma, openBracket, closeBracket, openBrace, closeBrace] = new TextEncoder().encode('"\\:,[]{}');

/** The first bound that a text exceeds, or null. Text that is not JSON counts up to its first syntax error. */
export const findExceededBound = (bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | null => {
	let depth = 0;
	let values = 0;
	let keys = 0;
	let nestedBytes = 0;
	let start = 0;
	for (let i = 0; i < bytes.length; i++) {
		const byte = bytes[i];
		if (byte === quote) {
			i = endOfString(bytes, i);
		} else if (byte === comma) {
			values++;
		} else if (byte === colon) {
			keys++;
		} else if (byte === openBrace || byte === openBracket) {
			values++;
			depth++;
			if (depth === 2) {
				start = i;
			}
		} else if (byte === closeBrace || byte === closeBracket) {
			if (depth === 2) {
				nestedBytes += i + 1 - start;
			}

			depth--;
		}

		if (depth > bounds.depth) {
			return 'depth';
		}

		if (values > bounds.values) {
			return 'values';
		}

		if (keys > bounds.keys) {
			return 'keys';
		}
	}

	return nestedBytes > bounds.nestedBytes ? 'nestedBytes' : null;
};

/** The index of the quote that ends the string. */
const endOfString = (bytes: Uint8Array, start: number): number => {
	let i = start + 1;
	while (i < bytes.length && bytes[i] !== quote) {
		i += bytes[i] === backslash ? 2 : 1;
	}

	return i;
};

const decoder = new TextDecoder('utf-8', {fatal: true});

/** The value of a JSON text. @throws {RequestError} 422 over a limit or where it is malformed; 413 where `nestedBytes` are too many */
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

/** The tolerant parser is 20 times as slow as the engine's, so it reads at most so many characters. */
const maxRead = 2 ** 16;

/**
 * The first syntax error: its offset in UTF-16 units and its kind. Offset 0 where it is too far
 * behind or too deep to be found. The engine's parser names no place for most errors.
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
