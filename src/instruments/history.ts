/**
 * Traces thirdness over a stretch (`docs/spec/instruments.md#7-history-and-diff`): how far it has moved, how much of the beginning
 * is left, and how much the rule itself has pushed in.
 */
import type {HistoryPoint} from '../generated/types.ts';
import {indexOf} from '../kernel/dimensions.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import {turnMrad} from '../kernel/dot.ts';
import {percentileAmong} from './percentile.ts';
import {pushWeight, type Factors} from './unroll.ts';

export type HistoryCycle = {
	readonly factors: Pick<Factors, 'kept' | 'secondness' | 'valeurs'>;
	/** Total dissonance of its text. */
	readonly total: number;
	/** Thirdness after it. */
	readonly thirdness: Float32Array;
};

/** The cycles of a digest, in columns. */
export type HistoryColumns = Readonly<Record<'kept' | 'secondness' | 'valeurs' | 'total' | 'turn', Float64Array>>;

/** The measures at one state. */
export type HistoryMeasures = Pick<
	HistoryPoint, 'netMrad' | 'pathMrad' | 'beginningLeft' | 'push' | 'dissonance' | 'dissonancePercentile'
>;

/** The most past totals of dissonance with which one is compared. */
export const maxPastTotals = 500;

/** Follows a stretch from its first rows, cycle by cycle. Percentiles are computed only for the cycles that are asked for. */
export class HistoryTrace {
	readonly first: HistoryMeasures = {netMrad: 0, pathMrad: 0, beginningLeft: 1, push: 0, dissonance: null, dissonancePercentile: null};
	readonly #start: Float32Array;
	readonly #weightOf: (secondness: number, valeurs: number) => number;
	#before: Float32Array;
	/** The values after each cycle. */
	readonly #paths: number[] = [];
	readonly #lefts: number[] = [];
	readonly #pushes: number[] = [];
	/** The totals before the first rows, then those of each cycle. */
	readonly #totals: number[];
	#secondness = 0;
	#valeurs = 0;

	/** @param before The totals of the texts before the stretch, oldest first; at most the newest {@link maxPastTotals}. */
	constructor(rows: Rows, before: readonly number[] = []) {
		this.#totals = [...before];
		this.#start = rows[indexOf('thirdness')]!;
		this.#before = this.#start;
		this.#weightOf = pushWeight(rows);
	}

	/** Takes the next cycle. @returns the measures after it */
	follow({factors: {kept, secondness, valeurs}, total, thirdness}: HistoryCycle): HistoryMeasures {
		this.#turn(turnMrad(this.#before, thirdness), total, kept, secondness, valeurs);
		this.#before = thirdness;
		return {netMrad: turnMrad(this.#start, thirdness), ...this.at(this.#paths.length - 1)};
	}

	/** Takes the cycles of a digest. @param end Thirdness after the last of them. @returns their places */
	skip({kept, secondness, valeurs, total, turn}: HistoryColumns, end: Float32Array): number[] {
		const place = this.#paths.length;
		for (let k = 0; k < kept.length; k++) {
			this.#turn(turn[k]!, total[k]!, kept[k]!, secondness[k]!, valeurs[k]!);
		}

		this.#before = end;
		return Array.from(kept, (_, k) => place + k);
	}

	/** The measures after the cycle at a place, from 0. */
	at(place: number): Omit<HistoryMeasures, 'netMrad'> {
		const ofTotal = place + this.#totals.length - this.#paths.length;
		const total = this.#totals[ofTotal]!;
		const past = this.#totals.slice(Math.max(0, ofTotal - maxPastTotals), ofTotal);
		return {
			pathMrad: this.#paths[place]!, beginningLeft: this.#lefts[place]!, push: this.#pushes[place]!, dissonance: total,
			dissonancePercentile: percentileAmong(past, total),
		};
	}

	#turn(turned: number, total: number, kept: number, secondness: number, valeurs: number): void {
		this.#secondness = this.#secondness * kept + secondness;
		this.#valeurs = this.#valeurs * kept + valeurs;
		this.#paths.push((this.#paths.at(-1) ?? 0) + turned);
		this.#lefts.push((this.#lefts.at(-1) ?? 1) * kept);
		this.#pushes.push(this.#weightOf(this.#secondness, this.#valeurs));
		this.#totals.push(total);
	}
}

/** Selects at most `count` items, evenly spread, with the first and the last. @param count At least 2. */
export const sampleEvenly = <Item>(items: readonly Item[], count: number): Item[] => items.length <= count
	? [...items]
	: Array.from({length: count}, (_, i) => items[Math.round(i * (items.length - 1) / (count - 1))]!);
