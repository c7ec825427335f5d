/** Answers that stay small, whatever a journal holds: where one is too large, its longest texts are cut. */
import {cutText} from '../platform/plain-line.ts';

/** Identifiers and times are shorter than the last. */
const lengths = [1000, 500, 200, 100, 40];

/** Cuts every text of an answer. */
const cutTexts = (answer: object, maxLength: number): string =>
	JSON.stringify(answer, (_, value: unknown) => typeof value === 'string' ? cutText(value, maxLength) : value);

/**
 * An answer as JSON: with its texts cut where it is too large, and the longest first.
 *
 * @param fits Whether a JSON is small enough.
 * @returns what fits, else the JSON with its texts cut as far as they may be
 */
export const fitAnswer = (answer: object, fits: (json: string) => boolean): string => {
	let json = JSON.stringify(answer);
	for (const maxLength of lengths) {
		if (fits(json)) {
			break;
		}

		json = cutTexts(answer, maxLength);
	}

	return json;
};
