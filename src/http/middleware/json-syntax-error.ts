/**
 * The position of a syntax error in JSON. The engine's parser names none for most errors, and the
 * interface has one, so a fault-tolerant parser reports the first that it finds.
 */
import {printParseErrorCode, visit} from 'jsonc-parser';

type SyntaxErrorPlace = {offset: number; error: string};

/** That parser is 20 times as slow as the engine's, so it reads at most so many characters. */
const maxRead = 2 ** 16;

/** The parser continues after an error; only an exception stops it. */
class Found extends Error {
	override readonly name = 'Found';
	readonly first: SyntaxErrorPlace;

	constructor(first: SyntaxErrorPlace) {
		super();
		this.first = first;
	}
}

/** The first syntax error: its offset in UTF-16 units and its kind. Offset 0 where it is too far behind or too deep to be found. */
export const findSyntaxError = (text: string): SyntaxErrorPlace => {
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

		// The parser is recursive, and the text may be nested deeper than the stack.
		if (!(error instanceof RangeError)) {
			throw error;
		}
	}

	return unknown;
};
