/** Visits: texts that one source said without a long pause (`docs/spec/instruments.md#4-validate-twins-drift`). */

/** What of a text decides about its visit. */
export type Said = {
	readonly source: string;
	/** Milliseconds since the epoch. */
	readonly time: number;
};

/** A longer pause ends a visit. */
export const maxPauseMs = 1_800_000;

/** Whether a text continues the visit of the text before it. */
export const isSameVisit = (before: Said, text: Said): boolean =>
	text.source === before.source && text.time - before.time <= maxPauseMs;

/** Divides texts, oldest first, into visits. */
export const visitsOf = <Text extends Said>(texts: readonly Text[]): Text[][] => {
	const visits: Text[][] = [];
	for (const [i, text] of texts.entries()) {
		if (i > 0 && isSameVisit(texts[i - 1]!, text)) {
			visits.at(-1)!.push(text);
		} else {
			visits.push([text]);
		}
	}

	return visits;
};
