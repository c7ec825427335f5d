/**
 * The history of thirdness over a stretch of life (`docs/spec/instruments.md#7-history-and-diff`):
 * how far it went, what is left of the beginning, and what the rule itself pushed in.
 */
import type {HistoryPoint} from '../generated/types.ts';
import {indexOf} from '../kernel/dimensions.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import {turnMrad} from '../kernel/dot.ts';
import {percentileAmong} from './percentile.ts';
import {pushWeight, type Factors} from './unroll.ts';

/** A cycle by the row that it made. */
export type HistoryCycle = {
	readonly factors: Pick<Factors, 'kept' | 'secondness' | 'valeurs'>;
	/** Total dissonance of its text. */
	readonly total: number;
	/** Thirdness after it. */
	readonly thirdness: Float32Array;
};

/** Cycles of a digest, column by column. */
export type HistoryColumns = Readonly<Record<'kept' | 'secondness' | 'valeurs' | 'total' | 'turn', Float64Array>>;

/** The history at one state. */
export type HistoryMeasures = Pick<
	HistoryPoint, 'netMrad' | 'pathMrad' | 'beginningLeft' | 'push' | 'dissonance' | 'dissonancePercentile'
>;

/** How many past totals one is compared with. */
export const maxPastTotals = 500;

/** Follows a life from its first rows, cycle by cycle; what it says of one is computed when it is asked. */
export class HistoryTrace {
	readonly first: HistoryMeasures = {netMrad: 0, pathMrad: 0, beginningLeft: 1, push: 0, dissonance: null, dissonancePercentile: null};
	readonly #start: Float32Array;
	readonly #weightOf: (secondness: number, valeurs: number) => number;
	#before: Float32Array;
	/** After each cycle. */
	readonly #paths: number[] = [];
	readonly #lefts: number[] = [];
	readonly #pushes: number[] = [];
	/** Those before the first rows, and of each cycle. */
	readonly #totals: number[];
	#secondness = 0;
	#valeurs = 0;

	/** @param before the totals of the texts before it, of the newest {@link maxPastTotals} at most */
	constructor(rows: Rows, before: readonly number[] = []) {
		this.#totals = [...before];
		this.#start = rows[indexOf('thirdness')]!;
		this.#before = this.#start;
		this.#weightOf = pushWeight(rows);
	}

	/** Takes the next cycle, and gives the history after it. */
	follow({factors: {kept, secondness, valeurs}, total, thirdness}: HistoryCycle): HistoryMeasures {
		this.#turn(turnMrad(this.#before, thirdness), total, kept, secondness, valeurs);
		this.#before = thirdness;
		return {netMrad: turnMrad(this.#start, thirdness), ...this.at(this.#paths.length - 1)};
	}

	/** Follows cycles of a digest. @param end thirdness after the last of them. @returns their places */
	skip({kept, secondness, valeurs, total, turn}: HistoryColumns, end: Float32Array): number[] {
		const place = this.#paths.length;
		for (let k = 0; k < kept.length; k++) {
			this.#turn(turn[k]!, total[k]!, kept[k]!, secondness[k]!, valeurs[k]!);
		}

		this.#before = end;
		return Array.from(kept, (_, k) => place + k);
	}

	/** The history after the cycle of a place, from 0. */
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

/** At most `count` items, evenly spread: the first and the last always. @param count at least 2 */
export const sampleEvenly = <Item>(items: readonly Item[], count: number): Item[] => items.length <= count
	? [...items]
	: Array.from({length: count}, (_, i) => items[Math.round(i * (items.length - 1) / (count - 1))]!);
