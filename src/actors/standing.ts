/** What of the daemon lasts: how it is written with a record, and what a restart makes of it. */
import type {Standing} from '../journal/journal.ts';
import type {Time} from '../clock.ts';
import type {Tally} from './tally.ts';
import {noCycles} from './trigger.ts';

/** What of the daemon is written with a record. */
export const standingOf = ({counters, lastTrigger}: Tally): Omit<Standing, 'cumulativeDrift'> => ({
	counters,
	lastTrigger: lastTrigger && {type: lastTrigger.type, timestamp: lastTrigger.timestamp},
});

/** The tally that a process goes on from after a restart. How long ago the last trigger was, only the wall clock knows. */
export const resumed = ({counters, lastTrigger}: Standing, time: Time): Tally => ({
	counters: {...noCycles, ...counters},
	lastTrigger: lastTrigger && {...lastTrigger, elapsed: time.elapsed() - Math.max(0, time.now() - Date.parse(lastTrigger.timestamp))},
	failures: noCycles,
});
