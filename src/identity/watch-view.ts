/** What a reader sees of the watch on drift: plain values, frozen, because one value is handed to many readers. */
import type {ChartReading} from '../generated/types.ts';
import type {Voice} from '../instruments/source-of.ts';
import type {Watcher} from '../instruments/watcher.ts';
import {deepFreeze} from '../platform/immutable.ts';

/** A look at the drift: how far it lies, 1 being usual, and how likely chance leads as far at any look. */
export type WatchedDrift = {readonly distance: number; readonly p: number};

/** How the watch on drift stands. */
export type WatchView = {
	/** The chart of what others say, by span; none for a baseline that says too little. */
	readonly readings: readonly ChartReading[];
	/** Whether one of these readings is above its limit. */
	readonly isAlarm: boolean;
	/** What was heard at the last look, beside ordinary talk; null before the first. */
	readonly heard: WatchedDrift | null;
	/** The same of what the identity says itself, with its chart; null where its baseline has too little of that. */
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
