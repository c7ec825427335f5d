/**
 * The history of thirdness over a stretch of life (`docs/spec/instruments.md#7-history-and-diff`):
 * how far it went, what is left of the beginning, and what the rule itself pushed in.
 */
import {indexOf} from '../kernel/dimensions.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import {turnMrad} from '../kernel/dot.ts';
import {percentileAmong} from './percentile.ts';
import {pushWeight, type Factors} from './unroll.ts';

/** What the history takes of one cycle. */
type TracedCycle = {
	readonly factors: Pick<Factors, 'kept' | 'secondness' | 'valeurs'>;
	/** Total dissonance of its text. */
	readonly total: number;
};

/** A cycle by the row that it made. */
export type HistoryCycle = TracedCycle & {
	/** Thirdness after it. */
	readonly thirdness: Float32Array;
};

/** A cycle by how far it turned. */
type TurnedCycle = TracedCycle & {readonly turnMrad: number};

/** The history at one state. */
export type HistoryMeasures = {
	/** The angle from the first state to this one. */
	readonly netMrad: number;
	/** The angles of all cycles up to this one, summed. */
	readonly pathMrad: number;
	/** The weight of the first row in this one. */
	readonly beginningLeft: number;
	/** The weight of what the rule itself pushed in. */
	readonly push: number;
	/** The total dissonance of the state's text; null at the first state. */
	readonly dissonance: number | null;
	/** Its place among the 500 totals before it, 0 … 1; null where they are fewer than 50. */
	readonly dissonancePercentile: number | null;
};

/** How many past totals one is compared with. */
const maxPastTotals = 500;

/** Follows a life from its first rows: each call takes the next cycle, and gives the history after it. */
export const traceHistory = (rows: Rows): {
	first: HistoryMeasures;
	follow: (cycle: HistoryCycle) => HistoryMeasures;
	/** Follows cycles of a digest. @param end thirdness after the last of them */
	skip: (cycles: readonly TurnedCycle[], end: Float32Array) => Array<Omit<HistoryMeasures, 'netMrad'>>;
} => {
	const [start, weightOf] = [rows[indexOf('thirdness')]!, pushWeight(rows)];
	let [before, pathMrad, beginningLeft, secondness, valeurs] = [start, 0, 1, 0, 0];
	const totals: number[] = [];

	const turn = ({factors, total, turnMrad: turned}: TurnedCycle) => {
		pathMrad += turned;
		beginningLeft *= factors.kept;
		secondness = secondness * factors.kept + factors.secondness;
		valeurs = valeurs * factors.kept + factors.valeurs;
		const dissonancePercentile = percentileAmong(totals, total);
		totals.push(total);
		if (totals.length > maxPastTotals) {
			totals.shift();
		}

		return {pathMrad, beginningLeft, push: weightOf(secondness, valeurs), dissonance: total, dissonancePercentile};
	};

	return {
		first: {netMrad: 0, pathMrad, beginningLeft, push: 0, dissonance: null, dissonancePercentile: null},
		follow({thirdness, ...cycle}) {
			const turned = turn({...cycle, turnMrad: turnMrad(before, thirdness)});
			before = thirdness;
			return {netMrad: turnMrad(start, thirdness), ...turned};
		},
		skip(cycles, end) {
			before = end;
			return cycles.map(cycle => turn(cycle));
		},
	};
};

/** At most `count` items, evenly spread: the first and the last always. @param count at least 2 */
export const sampleEvenly = <Item>(items: readonly Item[], count: number): Item[] => items.length <= count
	? [...items]
	: Array.from({length: count}, (_, i) => items[Math.round(i * (items.length - 1) / (count - 1))]!);
