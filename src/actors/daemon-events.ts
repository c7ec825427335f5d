/** What a daemon is created with, what it hears, and what it asks of its parent. */
import type {Themes} from '../sources/themes.ts';
import type {LoopConfig} from './loop.ts';
import type {Tally} from './tally.ts';
import type {Counters, LastTrigger} from './trigger.ts';

/** What a daemon is created with. */
export type DaemonInput = {
	loop: LoopConfig;
	themes: Themes;
	/** What a restart continues from. */
	counters?: Counters;
	lastTrigger?: LastTrigger | null;
};

/** What the loop thinks about in a cycle. */
export type LoopThought = {trigger: 'rumination_free' | 'corpus'; content: string};

/** What a daemon hears. */
export type DaemonEvent =
	/** A caller's cycle was accepted; `lastTrigger` is that moment, now by default. */
	| {type: 'trigger'; trigger: string; lastTrigger?: LastTrigger}
	| {type: 'daemon.start'}
	/** Resume the loop that was started where the identity was before: its next cycle is due in so long. */
	| {type: 'daemon.resume'; dueMs: number}
	| {type: 'daemon.stop'}
	/** A reset was accepted. */
	| {type: 'reset'}
	/** It is durable. */
	| {type: 'reset.recorded'}
	/** The journal failed: this is what is durable. Resets that are not durable have not happened. */
	| ({type: 'rolledBack'} & Pick<Tally, 'counters' | 'lastTrigger'>)
	/** It comes from a persisted snapshot: its waits begin again. */
	| {type: 'resume'}
	/** The loop's cycle has had its turn. A reset that was accepted after the cycle has cleared its count. */
	| {type: 'loop.applied'; lastTrigger: LastTrigger; isCleared: boolean}
	| {type: 'loop.succeeded'}
	| {type: 'loop.failed'};

/** What the daemon asks of its parent, and tells it: that the loop has started or stopped. */
export type DaemonRequest =
	({type: 'daemon.cycle'} & LoopThought) | {type: 'daemon.cancel'} | {type: 'daemon.started'} | {type: 'daemon.stopped'};
