/**
 * Where a text stops being JSON. The engine's parser gives no position for most errors, and
 * clients of the interface are told one, so a parser that recovers is asked for its first finding.
 */
import {printParseErrorCode, visit} from 'jsonc-parser';

type Break = {offset: number; error: string};

/** That parser takes 20 times as long as the engine's, so it reads no more than this of a text. */
const maxRead = 2 ** 16;

/** It goes on after an error, and only an exception stops it. */
class Found extends Error {
	readonly first: Break;

	constructor(first: Break) {
		super();
		this.first = first;
	}
}

/** The first place where a text that is no JSON breaks, in UTF-16 units, and the kind of error; offset 0 where that is too far behind or too deep to be found. */
export const whereJsonBreaks = (text: string): Break => {
	const unknown = {offset: 0, error: 'Invalid'};
	const read = text.slice(0, maxRead);
	try {
		visit(read, {
			onError(code, offset, length) {
				const isCut = read.length < text.length && offset + length >= read.length;
				throw new Found(isCut ? unknown : {offset, error: printParseErrorCode(code)});
			},
		}, {disallowComments: true});
	} catch (error) {
		if (error instanceof Found) {
			return error.first;
		}

		// It goes down by recursion, and a text may be nested deeper than the stack is.
		if (!(error instanceof RangeError)) {
			throw error;
		}
	}

	return unknown;
};
