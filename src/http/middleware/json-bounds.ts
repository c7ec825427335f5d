/**
 * What JSON costs to parse, found in its bytes before it is parsed.
 *
 * A parser's time and memory grow with the values and not with the bytes: a mebibyte of one text
 * takes it 1 ms, a mebibyte of empty arrays 100 ms. One pass over the bytes makes no objects.
 */

/** How much a text may hold. */
export type JsonBounds = {
	/** Levels of objects and arrays. */
	depth: number;
	/** Objects, arrays and what is in them; an empty one counts twice. */
	values: number;
	/** Keys of all objects. */
	keys: number;
	/** Bytes of objects and arrays that lie in the outermost one. */
	nestedBytes: number;
};

const [quote, backslash, colon, comma, openBracket, closeBracket, openBrace, closeBrace] = new TextEncoder().encode('"\\:,[]{}');

/** The first bound that a text is over, or null. Of text that is no JSON, only what stands before its first fault counts. */
export const exceededBound = (bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | null => {
	let depth = 0;
	let values = 0;
	let keys = 0;
	let nestedBytes = 0;
	let begin = 0;
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
				begin = i;
			}
		} else if (byte === closeBrace || byte === closeBracket) {
			if (depth === 2) {
				nestedBytes += i + 1 - begin;
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

/** Where the quote is that ends the string which begins here. */
const endOfString = (bytes: Uint8Array, begin: number): number => {
	let i = begin + 1;
	while (i < bytes.length && bytes[i] !== quote) {
		i += bytes[i] === backslash ? 2 : 1;
	}

	return i;
};
