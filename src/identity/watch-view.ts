/** The view of the watch on drift: plain values, frozen because many readers share one value. */
import type {ChartReading} from '../generated/types.ts';
import type {Voice} from '../instruments/source-of.ts';
import type {Watcher} from '../instruments/watcher.ts';
import {deepFreeze} from '../platform/immutable.ts';

/** One look at the drift: its distance, 1 at the median twin, and p, how likely chance leads as far at any look so far. */
export type WatchedDrift = {readonly distance: number; readonly p: number};

/** How the watch on drift stands. */
export type WatchView = {
	/** The chart of others' texts, by span; empty if the baseline is too small. */
	readonly readings: readonly ChartReading[];
	/** Whether one of these readings is above its limit. */
	readonly isAlarm: boolean;
	/** The drift of others' texts at the last look; null before the first. */
	readonly heard: WatchedDrift | null;
	/** Chart and drift of the identity's own texts; null if the baseline has too few of them. */
	readonly said: (Pick<WatchView, 'readings' | 'isAlarm'> & {readonly look: WatchedDrift | null}) | null;
};

const toLook = (look: WatchedDrift | null) => look && {distance: look.distance, p: look.p};

export const viewOf = (watcher: Watcher): WatchView => {
	const chartOf = (voice: Voice) =>
		({readings: watcher.readings(voice).map(reading => ({...reading})), isAlarm: watcher.isAlarm(voice)});
	return deepFreeze({
		...chartOf('heard'),
		heard: toLook(watcher.look('heard')),
		said: watcher.readings('said').length === 0 ? null : {...chartOf('said'), look: toLook(watcher.look('said'))},
	});
};
