/** Computes the state from which a watch on drift starts: the monitor since the validation, and the newest own texts. */
import {maxWatched, type ChartMoment} from './drift/chart.ts';
import type {MonitorState} from './drift/monitor.ts';
import type {Ordinary, OrdinaryTalk} from './drift/ordinary.ts';
import {learnNovelty, type OrdinaryNovelty} from './drift/strangers.ts';
import type {OwnOutput} from './echo-guard.ts';
import {Following, type Followed} from './following.ts';
import type {Instrument} from './instrument.ts';

/**
 * @property resumed The earlier run to continue; null to start with the records.
 * @property asksStrangers Whether the novelty of ordinary texts is wanted too.
 */
export type WatchQuestion = {validation: OrdinaryTalk; resumed?: Followed | null; asksStrangers?: boolean};

export type WatchStart = {
	/** Null if the baseline is too small. */
	readonly monitor: {readonly ordinary: Ordinary; readonly state: MonitorState} | null;
	/** The newest own texts, oldest first. */
	readonly own: readonly OwnOutput[];
	/** The chart of the voice `heard` after each of the newest conversations, oldest first. */
	readonly trail: readonly ChartMoment[];
	/** Null if not asked for, or if the baseline is too small. */
	readonly novelty: OrdinaryNovelty | null;
};

/** Run it over the stretch since the validation. */
export const runWatch: Instrument<WatchQuestion, WatchStart> = (start, {validation, resumed = null, asksStrangers = false}) => {
	const following = new Following(start, validation, resumed);
	const {chance, ordinary, state, kept: {own, trail}} = following;
	return {
		take: entries => following.take(entries),
		answer: () => ({
			monitor: chance && {ordinary, state},
			own,
			trail: trail.slice(-maxWatched),
			novelty: asksStrangers && chance ? learnNovelty(validation.texts, ordinary.usesIds, start.rules.kernel) : null,
		}),
	};
};
