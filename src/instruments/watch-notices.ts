/** The notices of the watch on drift (`docs/spec/instruments.md`). They name influence, never intent. */
import type {ChartBlame, ChartReading, ConversationChart, UptakeSource} from '../generated/types.ts';
import type {Echo} from './echo-guard.ts';
import type {Voice} from './source-of.ts';

/** A conversation that has ended. */
export type WatchedConversation = {
	/** The number of its texts. */
	readonly texts: number;
	/** The ids of its newest texts, oldest first, at most 100. */
	readonly ids: readonly string[];
	/** The times of its first and last text; ISO 8601, UTC. */
	readonly from: string;
	readonly to: string;
};

/** A notice of the watch on drift. Every listener gets the same object, which is read-only. */
export type WatchNotice = Readonly<
	/** Recent talk differs from the baseline by more than chance. Emitted once, until the reading falls below its limit again. */
	| ChartReading & Pick<ConversationChart, 'since' | 'unreadShare' | 'moved' | 'averageRunLength'> & {
		type: 'drift.alarm';
		/** Whether it concerns what others say, or what the identity says itself. */
		voice: Voice;
		/** The conversation that raised the reading above its limit. */
		conversation: WatchedConversation;
		/**
		 * The shares of at most 100 sources in the difference, the largest first; then that of the others together. All sum to 1; one
		 * below 0 went against it.
		 */
		blame: ReadonlyArray<Pick<ChartBlame, 'source' | 'share' | 'others'>>;
	}
	/** A text is nearer to one of the identity's own outputs than ordinary texts are. */
	| Echo & {
		type: 'echo.noticed';
		/** The text's id and source. */
		id: string;
		source: string;
	}
	/** What was heard is unusual, and one source pushes there more than any would by chance. */
	| {
		type: 'source.noticed';
		source: string;
		/** Its share of the difference from ordinary talk; all shares sum to 1. */
		share: number;
		/** The probability that any source pushes as much by chance. */
		p: number;
		/** The probability that ordinary talk leads as far. */
		driftP: number;
	}
	/** One source talks differently than in the baseline. */
	| {
		type: 'source.changed';
		source: string;
		/** The probability that chance ever makes any source as different. */
		p: number;
	}
	/** In conversations without a source, the identity speaks more like it than in the baseline. */
	| Pick<UptakeSource, 'source' | 'p' | 'effect' | 'since'> & {type: 'source.taken_up'}
>;
