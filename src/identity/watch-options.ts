/** The options of the watch on drift. */

export type WatchOptions = {
	/** How many ordinary visits lie between two false alarms of drift, on average: 20 to 100,000. @default 1000 */
	driftRunLength?: number;
	/** The share of the unusual drift, 0 to 1, from which on a single source is noticed. @default 0.5 */
	sourceBudget?: number;
};

/** The range of `driftRunLength`, for the library and for the setting. */
export const runLengths = {minimum: 20, maximum: 100_000};

export const defaultWatch = {driftRunLength: 1000, sourceBudget: 0.5} as const satisfies Required<WatchOptions>;
