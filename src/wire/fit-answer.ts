/** Keeps answers small, whatever a journal contains: cuts the longest texts of one that is too large. */
import {cutText} from '../platform/plain-line.ts';

/** Lengths to try, in characters. Ids and times are shorter than the last. */
const lengths = [1000, 500, 200, 100, 40];

/**
 * Serialises an answer as JSON. If it is too large, cuts its texts, the longest first.
 *
 * @param fits Whether a JSON text is small enough.
 * @returns the longest JSON that fits, or that with the shortest texts if none does
 */
export const fitAnswer = (answer: object, fits: (json: string) => boolean): string => {
	let json = JSON.stringify(answer);
	for (const maxLength of lengths) {
		if (fits(json)) {
			break;
		}

		json = JSON.stringify(answer, (_, value: unknown) => typeof value === 'string' ? cutText(value, maxLength) : value);
	}

	return json;
};
