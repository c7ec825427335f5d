/** What the watch on drift notices (`docs/spec/instruments.md`). It names influence, never intent. */
import type {ChartBlame, ChartReading, ConversationChart, UptakeSource} from '../generated/types.ts';
import type {Echo} from './echo-guard.ts';
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

/** What the watch notices, as answers have it. Every listener hears the same object, which is read only. */
export type WatchNotice = Readonly<
	/** The talk of late differs from the baseline by more than chance does; once, until the reading falls below its limit again. */
	| ChartReading & Pick<ConversationChart, 'since' | 'unreadShare' | 'moved' | 'averageRunLength'> & {
		type: 'drift.alarm';
		/** Whether it is what others say, or what the identity says itself. */
		voice: Voice;
		/** The conversation that raised it above the limit. */
		conversation: WatchedConversation;
		/** Who brought the difference, as shares that sum to 1: the largest first. A share below 0 is of talk that points the other way. */
		blame: ReadonlyArray<Pick<ChartBlame, 'source' | 'share'>>;
	}
	/** A text is nearer to one of the identity's own outputs than ordinary texts are. */
	| Echo & {
		type: 'echo.noticed';
		/** The text's id and source. */
		id: string;
		source: string;
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
	| Pick<UptakeSource, 'source' | 'p' | 'effect' | 'since'> & {type: 'source.taken_up'}
>;
