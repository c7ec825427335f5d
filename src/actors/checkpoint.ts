/** What of the daemon survives a restart: how it is written with a record, and read back. */
import type {Checkpoint} from '../journal/journal.ts';
import type {Time} from '../platform/clock.ts';
import type {Tally} from './tally.ts';
import {noCycles} from './trigger.ts';

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
