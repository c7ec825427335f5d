/** What the watch on drift notices (`docs/spec/instruments.md`). It names influence, never intent. */
import type {Voice} from './source-of.ts';

/** A conversation that has ended. */
export type WatchedConversation = {
	/** How many texts it has. */
	readonly texts: number;
	/** Ids of its texts, oldest first, at most the newest 100. */
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
		/** Whether it is what others say, or what the identity says itself. */
		voice: Voice;
		/** Over how many conversations the reading looks back. */
		span: number;
		/** How far the conversations of late lie from ordinary ones. */
		reading: number;
		limit: number;
		/** The conversation that raised it above the limit. */
		conversation: WatchedConversation;
		/** The text at which the talk seems to have changed. */
		since: {readonly id: string; readonly source: string; readonly timestamp: string} | null;
		/** Who brought the difference, as shares that sum to 1: the largest first. A share below 0 is of talk that points the other way. */
		blame: ReadonlyArray<{readonly source: string; readonly share: number}>;
		/** How much of the reading texts made that the model read badly; where it is over a fifth, no source is blamed. */
		unreadShare: number;
		/** How many sources moved alike: the same way at least half as far, for their weight, as all talk together; and how many there are. */
		moved: {readonly alike: number; readonly sources: number};
		/** How many ordinary conversations lie between two false alarms, on average. */
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
	/** What was heard is unusual, and one source pushes there more than any one does by chance. */
	| {
		type: 'source.noticed';
		source: string;
		/** Its part of the difference from ordinary talk, of 1. */
		share: number;
		/** How likely any source pushes as much by chance. */
		p: number;
		/** How likely chance leads as far at all. */
		driftP: number;
	}
	/** One source talks otherwise than in the baseline. */
	| {
		type: 'source.changed';
		source: string;
		/** How likely chance ever makes any source as different. */
		p: number;
	}
	/** The identity speaks more like a source elsewhere than in the baseline. */
	| {
		type: 'source.taken_up';
		source: string;
		/** How likely chance ever brings it as near to any source. */
		p: number;
		/** How much more, in standard deviations of ordinary conversations. */
		effect: number;
		/** When the source's first text since the validation was said: ISO 8601, UTC. */
		since: string;
	}
>;
