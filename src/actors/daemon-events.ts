/** The daemon's input, the events that it receives, and those that it sends to its parent. */
import type {Themes} from '../sources/themes.ts';
import type {LoopConfig} from './loop.ts';
import type {Tally} from './tally.ts';
import type {Counters, LastTrigger} from './trigger.ts';

/** The input of a daemon. */
export type DaemonInput = {
	loop: LoopConfig;
	themes: Themes;
	/** The counters to continue from after a restart. */
	counters?: Counters;
	lastTrigger?: LastTrigger | null;
};

/** The text of one of the loop's cycles. */
export type LoopThought = {trigger: 'rumination_free' | 'corpus'; content: string};

/** The events that a daemon receives. */
export type DaemonEvent =
	/** A caller's cycle was accepted. `lastTrigger` says when; by default now. */
	| {type: 'trigger'; trigger: string; lastTrigger?: LastTrigger}
	| {type: 'daemon.start'}
	/** Resume a loop that ran before the identity was closed or moved here; its next cycle is due in `dueMs` milliseconds. */
	| {type: 'daemon.resume'; dueMs: number}
	| {type: 'daemon.stop'}
	/** A reset was accepted. */
	| {type: 'reset'}
	/** The reset is durable. */
	| {type: 'reset.recorded'}
	/** The journal failed: return to these durable counters. Resets that are not durable have not happened. */
	| ({type: 'rolledBack'} & Pick<Tally, 'counters' | 'lastTrigger'>)
	/** Sent to a daemon restored from a persisted snapshot: restart its timers. */
	| {type: 'resume'}
	/** The loop's cycle has had its turn. `isCleared`: a reset accepted after the cycle has already cleared its count. */
	| {type: 'loop.applied'; lastTrigger: LastTrigger; isCleared: boolean}
	| {type: 'loop.succeeded'}
	| {type: 'loop.failed'};

/** The events that a daemon sends to its parent: requests to run or cancel a cycle, and the start and stop of the loop. */
export type DaemonRequest =
	({type: 'daemon.cycle'} & LoopThought) | {type: 'daemon.cancel'} | {type: 'daemon.started'} | {type: 'daemon.stopped'};
