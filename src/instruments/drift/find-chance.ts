/** Measures how far chance leads from a baseline: once per validation, in a thread. */
import type {StoredCycle} from '../../journal/journal.ts';
import type {BaselineText, Chance} from '../../journal/validation.ts';
import type {Rows} from '../../kernel/state-tensor.ts';
import type {Instrument} from '../instrument.ts';
import {unrollFrom, type MeasuredCycle} from '../unroll.ts';
import {toBaselineText} from './baseline.ts';
import {forgettingOf} from './observation.ts';
import {findChance, type ChanceOptions} from './ordinary.ts';

/** A baseline with the measures of its cycles, which give the rate at which the state forgets; or with that rate as `weight`. */
export type ChanceQuestion = Omit<ChanceOptions, 'weight'>
	& (
		| {readonly cycles: readonly MeasuredText[]; readonly weight?: undefined}
		| {readonly cycles: readonly BaselineText[]; readonly weight: number}
	);

type MeasuredText = BaselineText & MeasuredCycle;

export const toMeasuredText = (cycle: StoredCycle): MeasuredText =>
	({...toBaselineText(cycle), scores: cycle.scores, proposals: cycle.proposals});

/** @param before The rows before the first cycle. */
export const findChanceOf = (before: Rows, question: ChanceQuestion): Chance | null => {
	const {cycles, ...options} = question;
	return findChance(cycles, {...options, weight: question.weight ?? measureWeight(before, question.cycles)});
};

const measureWeight = (before: Rows, cycles: readonly MeasuredText[]): number => {
	const unroll = unrollFrom(before);
	return forgettingOf(cycles.map(cycle => unroll(cycle).kept));
};

/** Starts from the state before the baseline, and takes no records. */
export const runChance: Instrument<ChanceQuestion, Chance | null> = ({start}, question) =>
	({take() {}, answer: () => findChanceOf(start.state.rows, question)});
