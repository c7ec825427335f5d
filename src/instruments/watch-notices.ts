/** What the watch on drift notices (`docs/spec/instruments.md`). It names influence, never intent. */

/** Consecutive texts of one source. */
export type WatchedVisit = {
	readonly source: string;
	/** How many texts it has. */
	readonly texts: number;
	/** Their ids. */
	readonly ids: readonly string[];
	/** When the first and the last of them moved the state: ISO 8601, UTC. */
	readonly from: string;
	readonly to: string;
};

/** What the watch notices. Every listener hears the same object, which is read only. */
export type WatchNotice = Readonly<
	/** The talk of late differs from the baseline by more than chance does; once, until the reading falls below its limit again. */
	| {
		type: 'drift.alarm';
		/** Over how many visits the reading looks back. */
		span: number;
		/** About 1 for ordinary talk. */
		reading: number;
		limit: number;
		/** The visit that raised it above the limit. */
		visit: WatchedVisit;
		/** Who brought the difference, as shares that sum to 1: the largest first. A share below 0 is of talk that points the other way. */
		blame: ReadonlyArray<{readonly source: string; readonly share: number}>;
		/** How many ordinary visits lie between two false alarms, on average. */
		averageRunLength: number;
	}
	/** A text is nearer to one of the identity's own outputs than ordinary texts are. */
	| {
		type: 'echo.noticed';
		/** The text's id and source. */
		id: string;
		source: string;
		cosine: number;
		/** What 99.5 % of ordinary texts stay below. */
		threshold: number;
		/** The output: a translation's id is that of its request. */
		own: {readonly id: string | null; readonly timestamp: string};
	}
	/** One source brought more of an unusual drift than the budget. */
	| {type: 'source.noticed'; source: string; unusualShare: number; budget: number}
>;
