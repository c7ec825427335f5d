/** What a watch on drift begins with: where the life has come to since its validation, and what it said itself. */
import {maxWatched, type ChartMoment} from './drift/chart.ts';
import type {LifeState} from './drift/life.ts';
import type {Ordinary, OrdinaryTalk} from './drift/ordinary.ts';
import {learnNovelty, type OrdinaryNovelty} from './drift/strangers.ts';
import type {OwnOutput} from './echo-guard.ts';
import {Following, type Followed} from './following.ts';
import type {Instrument} from './instrument.ts';

/**
 * What it is asked.
 * @property goesOn a life that was followed up to where its records begin; null for one that begins
 * @property asksStrangers whether it is asked how novel ordinary texts are
 */
export type WatchQuestion = {validation: OrdinaryTalk; goesOn?: Followed | null; asksStrangers?: boolean};

export type WatchStart = {
	/** Null for a baseline that says too little. */
	readonly life: {readonly ordinary: Ordinary; readonly state: LifeState} | null;
	/** The newest texts that it said itself, oldest first. */
	readonly own: readonly OwnOutput[];
	/** The chart of what was heard after each of the newest conversations, oldest first. */
	readonly trail: readonly ChartMoment[];
	/** Null where it is not asked for, and for a baseline that says too little. */
	readonly novelty: OrdinaryNovelty | null;
};

/** Asked about the stretch since the validation. */
export const runWatch: Instrument<WatchQuestion, WatchStart> = (start, {validation, goesOn = null, asksStrangers = false}) => {
	const following = new Following(start, validation, goesOn);
	const {chance, ordinary, state, kept: {own, trail}} = following;
	return {
		take: entries => following.take(entries),
		answer: () => ({
			life: chance && {ordinary, state},
			own,
			trail: trail.slice(-maxWatched),
			novelty: asksStrangers && chance ? learnNovelty(validation.texts, ordinary.usesIds, start.rules.kernel) : null,
		}),
	};
};
