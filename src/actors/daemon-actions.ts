/** What a daemon does: functions of its context. */
import type {Random} from '../platform/clock.ts';
import type {DaemonInput, LoopThought} from './daemon-events.ts';
import {countTrigger, noCycles, type Counters, type LastTrigger} from './trigger.ts';

/** The daemon's mode: before any trigger, after a caller's, or after one of the loop's. */
export type Mode = 'idle' | 'conversation' | 'autonomous';

export type DaemonContext = Required<DaemonInput> & {
	/** What the loop thinks about in its present cycle. */
	thought: LoopThought | null;
	/** Whether the loop's present cycle has been counted. */
	isCounted: boolean;
	/** When the next cycle is due, where that is not a whole interval away. */
	dueMs: number | null;
	/** The mode before each reset that is not durable yet, in their order. */
	modesBefore: readonly Mode[];
};

/**
 * Draws the loop's next thought. The unresolved share becomes free rumination, as the
 * interface has it, so only the first two probabilities decide.
 */
export const draw = ({loop, themes}: DaemonContext, random: Random): LoopThought => {
	const r = random();
	const trigger = r >= loop.probRuminationFree && r < loop.probRuminationFree + loop.probCorpus ? 'corpus' : 'rumination_free';
	const list = trigger === 'corpus' ? themes.corpus : themes.rumination;
	return {trigger, content: list[Math.floor(random() * list.length)]!};
};

/** Notes a trigger as the last one, and counts it. */
export const withTrigger = (counters: Counters, lastTrigger: LastTrigger): Pick<DaemonContext, 'counters' | 'lastTrigger'> => ({
	counters: countTrigger(counters, lastTrigger.type),
	lastTrigger,
});

/** A reset clears the counters. One that follows another finds the mode of that one. */
export const withoutCounts = ({modesBefore}: DaemonContext, mode: Mode): Partial<DaemonContext> =>
	({counters: noCycles, modesBefore: [...modesBefore, mode === 'idle' ? modesBefore.at(-1) ?? mode : mode]});
