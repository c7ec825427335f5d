/** What a watch on drift begins with: where the life has come to since its validation, and what it said itself. */
import {toBaselineText} from './drift/baseline.ts';
import {noteReading, ratioOf, type Trail} from './drift/chart.ts';
import {Life, startLife, type LifeState} from './drift/life.ts';
import {chanceOf, prepareOrdinary, type Ordinary, type OrdinaryTalk} from './drift/ordinary.ts';
import {learnNovelty, type OrdinaryNovelty} from './drift/strangers.ts';
import {maxOwn, type OwnOutput} from './echo-guard.ts';
import {ownOf, type Followed} from './following.ts';
import type {Instrument} from './instrument.ts';
import {saidAtOf} from './source-of.ts';

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
	/** The chart of what was heard. */
	readonly trail: Trail;
	/** Null where it is not asked for, and for a baseline that says too little. */
	readonly novelty: OrdinaryNovelty | null;
};

/** Asked about the stretch since the validation. */
export const runWatch: Instrument<WatchQuestion, WatchStart> = ({rules: {kernel}}, {validation, goesOn, asksStrangers = false}) => {
	const chance = goesOn?.chance ?? chanceOf(validation);
	const ordinary = goesOn?.ordinary ?? (chance && prepareOrdinary(validation.texts, chance));
	const state = goesOn?.life ?? (ordinary && startLife(ordinary));
	const life = ordinary && new Life(ordinary, state!);
	const chart = life?.voice('heard')?.chart ?? null;
	const ratios = (goesOn?.kept.trail ?? []).map(({readings}) => ratioOf(readings));
	const trail: Trail = {conversations: chart?.conversations ?? 0, ratios};
	const own = goesOn ? [...goesOn.kept.own] : ownOf(validation);
	return {
		take(entries) {
			for (const {record} of entries) {
				if (record.kind === 'cycle') {
					const text = toBaselineText(record);
					life?.take(text);
					if (chart) {
						noteReading(trail, chart);
					}

					if (text.isOwn) {
						own.push({id: record.id, timestamp: saidAtOf(record), vector: record.vector});
						own.splice(0, own.length - maxOwn);
					}
				} else if (record.kind === 'reset') {
					life?.reset();
				}
			}
		},
		answer: () => ({
			life: ordinary && {ordinary, state: state!},
			own: own.slice(-maxOwn),
			trail,
			novelty: asksStrangers && ordinary ? learnNovelty(validation.texts, ordinary.usesIds, kernel) : null,
		}),
	};
};
