/** Computes the state from which a watch on drift starts: the monitor since the validation, and the newest own texts. */
import {maxWatched} from './drift/chart.ts';
import type {OrdinaryTalk} from './drift/ordinary.ts';
import {learnNovelty, type OrdinaryNovelty} from './drift/strangers.ts';
import {Following, type Followed} from './following.ts';
import type {Instrument} from './instrument.ts';

/**
 * @property resumed The earlier run to continue; null to start with the records.
 * @property asksStrangers Whether the novelty of ordinary texts is wanted too.
 */
export type WatchQuestion = {validation: OrdinaryTalk; resumed?: Followed | null; asksStrangers?: boolean};

export type WatchStart = Readonly<Pick<Following['kept'], 'own' | 'trail'>> & {
	/** Null if the baseline is too small. */
	readonly monitor: Readonly<Pick<Following, 'ordinary' | 'state'>> | null;
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
