/** The tally: cycles counted by known trigger, and the last trigger, as they are after a turn. */
import type {Checkpoint} from '../journal/journal.ts';
import {timestampOf, type Time} from '../platform/clock.ts';
import {countTrigger, noCycles, type Counters, type LastTrigger} from './trigger.ts';

/** The counts up to a turn. */
export type Tally = {
	counters: Counters;
	lastTrigger: LastTrigger | null;
	/** Failed cycles that still count, since the process started; a reset does not clear them. */
	failures: Counters;
};

export const noTally: Tally = Object.freeze({counters: noCycles, lastTrigger: null, failures: noCycles});

export const triggeredNow = (type: string, time: Time): LastTrigger => ({type, timestamp: timestampOf(time), elapsed: time.elapsed()});

/** The later of two triggers. The daemon's cycles are counted late, so an older trigger may be counted after a newer one. */
const later = (one: LastTrigger | null, other: LastTrigger | null): LastTrigger | null =>
	one && other && one.elapsed > other.elapsed ? one : (other ?? one);

export const withCycle = ({counters, lastTrigger, failures}: Tally, trigger: LastTrigger): Tally =>
	({counters: countTrigger(counters, trigger.type), lastTrigger: later(lastTrigger, trigger), failures});

export const withFailure = (tally: Tally, trigger: LastTrigger): Tally =>
	({...withCycle(tally, trigger), failures: countTrigger(tally.failures, trigger.type)});

/** The last durable tally, plus the failed cycles since then that still count. */
export const withFailuresSince = ({counters, lastTrigger, failures}: Tally, failed: Pick<Tally, 'failures' | 'lastTrigger'>): Tally => ({
	counters: Object.fromEntries(Object.entries(counters).map(([trigger, times]) =>
		[trigger, times + failed.failures[trigger as keyof Counters] - failures[trigger as keyof Counters]])) as Counters,
	lastTrigger: later(lastTrigger, failed.lastTrigger),
	failures: failed.failures,
});

/** A tally as it is stored with a record. */
export const checkpointOf = ({counters, lastTrigger}: Tally, cumulativeDrift: number): Checkpoint => ({
	counters,
	lastTrigger: lastTrigger && {type: lastTrigger.type, timestamp: lastTrigger.timestamp},
	cumulativeDrift,
});

/** The tally to continue from after a restart. The age of the last trigger comes from the wall clock, the only one that spans restarts. */
export const restoreTally = ({counters, lastTrigger}: Checkpoint, time: Time): Tally => ({
	counters: {...noCycles, ...counters},
	lastTrigger: lastTrigger && {...lastTrigger, elapsed: time.elapsed() - Math.max(0, time.now() - Date.parse(lastTrigger.timestamp))},
	failures: noCycles,
});
