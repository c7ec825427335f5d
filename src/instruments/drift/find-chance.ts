/** Finds how far chance goes with a baseline: once, when it is validated, in a thread. */
import type {StoredCycle} from '../../journal/journal.ts';
import type {BaselineText, Chance} from '../../journal/validation.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import type {Rows} from '../../kernel/state-tensor.ts';
import type {Instrument} from '../instrument.ts';
import {unrollFrom, type MeasuredCycle} from '../unroll.ts';
import {toBaselineText} from './baseline.ts';
import {forgettingOf} from './observation.ts';
import {findChance, type ChanceOptions} from './ordinary.ts';

/** A baseline with the measures of its cycles, which say how fast the state forgets; or, where that is known, without them. */
export type ChanceQuestion = Omit<ChanceOptions, 'weight'>
	& (
		| {readonly cycles: readonly MeasuredText[]; readonly weight?: undefined}
		| {readonly cycles: readonly BaselineText[]; readonly weight: number}
	);

/** A text of a baseline, with the measures of its cycle. */
type MeasuredText = BaselineText & MeasuredCycle;

export const toMeasuredText = (cycle: StoredCycle): MeasuredText =>
	({...toBaselineText(cycle), scores: cycle.scores, proposals: cycle.proposals});

/** @param before the rows before the first cycle */
export const findChanceOf = (kernel: Kernel, before: Rows, question: ChanceQuestion): Chance | null => {
	const {cycles, ...options} = question;
	return findChance(cycles, {...options, weight: question.weight ?? measureWeight(kernel, before, question.cycles)});
};

const measureWeight = (kernel: Kernel, before: Rows, cycles: readonly MeasuredText[]): number => {
	const unroll = unrollFrom(kernel, before);
	return forgettingOf(cycles.map(cycle => unroll(cycle).kept));
};

/** Asked from the state before the baseline; it takes no records. */
export const runChance: Instrument<ChanceQuestion, Chance | null> = ({rules: {kernel}, start}, question) =>
	({take() {}, answer: () => findChanceOf(kernel, start.state.rows, question)});
