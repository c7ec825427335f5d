/** The tally: how many cycles each known trigger set off, and the last trigger, as they stand after some turn. */
import type {Checkpoint} from '../journal/journal.ts';
import {timestampOf, type Time} from '../platform/clock.ts';
import {countTrigger, noCycles, type Counters, type LastTrigger} from './trigger.ts';

/** What was counted up to some turn. */
export type Tally = {
	counters: Counters;
	lastTrigger: LastTrigger | null;
	/** Counts of cycles that failed and still count, since the process began; a reset does not clear them. */
	failures: Counters;
};

export const noTally: Tally = Object.freeze({counters: noCycles, lastTrigger: null, failures: noCycles});

/** A trigger that sets something off now. */
export const triggeredNow = (type: string, time: Time): LastTrigger => ({type, timestamp: timestampOf(time), elapsed: time.elapsed()});

/** The daemon counts its cycles late, so that a trigger may be counted before an older one. */
const later = (one: LastTrigger | null, other: LastTrigger | null): LastTrigger | null =>
	one && other && one.elapsed > other.elapsed ? one : (other ?? one);

export const withCycle = ({counters, lastTrigger, failures}: Tally, trigger: LastTrigger): Tally =>
	({counters: countTrigger(counters, trigger.type), lastTrigger: later(lastTrigger, trigger), failures});

/** Counts a cycle that failed and still counts. */
export const withFailure = (tally: Tally, trigger: LastTrigger): Tally =>
	({...withCycle(tally, trigger), failures: countTrigger(tally.failures, trigger.type)});

/** The last durable tally, with what failed and still counts since then. */
export const withFailuresSince = ({counters, lastTrigger, failures}: Tally, failed: Pick<Tally, 'failures' | 'lastTrigger'>): Tally => ({
	counters: Object.fromEntries(Object.entries(counters).map(([trigger, times]) =>
		[trigger, times + failed.failures[trigger as keyof Counters] - failures[trigger as keyof Counters]])) as Counters,
	lastTrigger: later(lastTrigger, failed.lastTrigger),
	failures: failed.failures,
});

/** A tally as it is written with a record. */
export const checkpointOf = ({counters, lastTrigger}: Tally, cumulativeDrift: number): Checkpoint => ({
	counters,
	lastTrigger: lastTrigger && {type: lastTrigger.type, timestamp: lastTrigger.timestamp},
	cumulativeDrift,
});

/** The tally that a process continues from after a restart. Only the wall clock knows how long ago the last trigger was. */
export const restoreTally = ({counters, lastTrigger}: Checkpoint, time: Time): Tally => ({
	counters: {...noCycles, ...counters},
	lastTrigger: lastTrigger && {...lastTrigger, elapsed: time.elapsed() - Math.max(0, time.now() - Date.parse(lastTrigger.timestamp))},
	failures: noCycles,
});
