/**
 * Where a text stops being JSON. The engine's parser gives no position for most errors, and
 * clients of the interface are told one, so a parser that recovers is asked for its first finding.
 */
import {printParseErrorCode, visit} from 'jsonc-parser';

type Break = {offset: number; error: string};

/** The first place where a text that is no JSON breaks, in UTF-16 units, and the kind of error. */
export const whereJsonBreaks = (text: string): Break => {
	let first: Break | null = null;
	try {
		visit(text, {
			onError(code, offset) {
				first ??= {offset, error: printParseErrorCode(code)};
			},
		}, {disallowComments: true});
	} catch (error) {
		// It goes down by recursion, and a text may be nested deeper than the stack is.
		if (!(error instanceof RangeError)) {
			throw error;
		}
	}

	return first ?? {offset: 0, error: 'Invalid'};
};
