/** What a watch on drift begins with: where the life has come to since its validation, and what it said itself. */
import {toBaselineText} from './drift/baseline.ts';
import {Life, startLife, type LifeState} from './drift/life.ts';
import {chanceOf, prepareOrdinary, type Ordinary, type OrdinaryTalk} from './drift/ordinary.ts';
import {maxOwn, type OwnOutput} from './echo-guard.ts';
import type {Instrument} from './instrument.ts';
import {saidAtOf} from './source-of.ts';

/** Where a life has come to, without what is ordinary, which its validation says. */
export type FollowedLife = {readonly state: LifeState; readonly own: readonly OwnOutput[]};

/** What it is asked. @property goesOn a life that was followed up to where its records begin; null for one that begins */
export type WatchQuestion = {validation: OrdinaryTalk; goesOn?: FollowedLife | null};

/** What it answers. */
export type WatchStart = {
	/** Null for a baseline that says too little. */
	readonly life: {readonly ordinary: Ordinary; readonly state: LifeState} | null;
	/** The newest texts that it said itself, oldest first. */
	readonly own: readonly OwnOutput[];
};

/** Asked about the stretch since the validation. */
export const runWatch: Instrument<WatchQuestion, WatchStart> = (_, {validation, goesOn}) => {
	const chance = chanceOf(validation);
	const ordinary = chance && prepareOrdinary(validation.texts, chance);
	const state = ordinary && (goesOn?.state ?? startLife(ordinary));
	const life = ordinary && new Life(ordinary, state!);
	const own: OwnOutput[] = goesOn ? [...goesOn.own] : validation.texts.flatMap(
		({id, isOwn, time, vector}) => isOwn ? [{id, timestamp: new Date(time).toISOString(), vector}] : [],
	);
	return {
		take(entries) {
			for (const {record} of entries) {
				if (record.kind === 'cycle') {
					const text = toBaselineText(record);
					life?.take(text);
					if (text.isOwn) {
						own.push({id: record.id, timestamp: saidAtOf(record), vector: record.vector});
						own.splice(0, own.length - maxOwn);
					}
				} else if (record.kind === 'reset') {
					life?.reset();
				}
			}
		},
		answer: () => ({life: ordinary && {ordinary, state: state!}, own: own.slice(-maxOwn)}),
	};
};
