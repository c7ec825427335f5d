/** Weighted sums of vectors by their source, which fade: what of a moving mean is whose. */
import {maxSources} from '../source-of.ts';
import {product} from '../../semiosis/covariance.ts';

type Sum = {
	/** How many sources it is of: one, unless they were joined. */
	readonly sources: number;
	/** How many vectors were added, and in how many conversations. */
	readonly added: number;
	readonly conversations: number;
	readonly weight: number;
	/** The squares of the weights, and the same times how long the conversation of each vector is. */
	readonly squares: number;
	readonly pairs: number;
	readonly row: Float64Array;
};

/** What sums keep. Plain data, which can be sent to another thread. */
export type SumsState = {
	readonly sums: Map<string, Sum>;
	/** All weights and rows are as many times what is stored: so nothing is touched when all fade. */
	scale: number;
};

/** The source that stands for those that are no longer distinguished: strangers may make up thousands, and the lightest are joined. */
export const joinedSource = '';

/** Without vectors more are distinguished. */
const maxCounted = 10_000;

/** What is known of a vector that is added. */
type AddOptions = {readonly mean?: Float64Array; readonly isFirst?: boolean; readonly place?: number};

const nothing = {sources: 1, added: 0, conversations: 0, weight: 0, squares: 0, pairs: 0};

export const startSums = (): SumsState => ({sums: new Map(), scale: 1});

export class WeightedSums {
	readonly #width: number;
	readonly #state: SumsState;
	readonly #maxKept: number;

	/** @param width of the vectors */
	constructor(width: number, state = startSums()) {
		this.#width = width;
		this.#state = state;
		this.#maxKept = width === 0 ? maxCounted : 2 * maxSources;
	}

	/** Everything fades to so much of it. */
	fade(kept: number): void {
		this.#state.scale *= kept;
		if (this.#state.scale < 1e-100) {
			for (const [source, sum] of this.#state.sums) {
				this.#state.sums.set(source, timesSum(sum, this.#state.scale));
			}

			this.#state.scale = 1;
		}
	}

	/**
	 * Adds weight · (vector − mean).
	 *
	 * @param mean at most as wide as the vector; 0 by default
	 * @param isFirst whether it is the source's first of a conversation
	 * @param place which of the conversation's vectors it is, from 1
	 */
	add(source: string, weight: number, vector: ArrayLike<number>, {mean, isFirst = true, place = 1}: AddOptions = {}): void {
		const {sums, scale} = this.#state;
		if (!sums.has(source) && sums.size >= this.#maxKept) {
			this.#joinLightest();
		}

		const sum = sums.get(source) ?? {...nothing, row: new Float64Array(this.#width)};
		const {row} = sum;
		const part = weight / scale;
		for (let i = 0; i < row.length; i++) {
			row[i]! += part * (mean ? vector[i]! - mean[i]! : vector[i]!);
		}

		sums.set(source, {
			...sum, added: sum.added + 1, conversations: sum.conversations + Number(isFirst), weight: sum.weight + part,
			// Of a conversation of L: 1 + 3 + 5 … = L².
			squares: sum.squares + part ** 2, pairs: sum.pairs + (2 * place - 1) * part ** 2,
		});
	}

	/** The sum of all. */
	total(): Float64Array {
		const total = new Float64Array(this.#width);
		for (const {row} of this.#state.sums.values()) {
			addTo(total, row, this.#state.scale);
		}

		return total;
	}

	/** What each source has. */
	parts(): Array<Sum & {readonly source: string}> {
		const {sums, scale} = this.#state;
		return [...sums].map(([source, sum]) => ({source, ...timesSum(sum, scale)}));
	}

	/** The weight of all. */
	get weight(): number {
		const {sums, scale} = this.#state;
		return scale * [...sums.values()].reduce((sum, {weight}) => sum + weight, 0);
	}

	/** How long the conversations of all vectors are, as {@link meanLength} says. */
	get meanLength(): number {
		return meanLength([...this.#state.sums.values()]);
	}

	/** So many times these sums, to be read as they are now. */
	times(factor: number): WeightedSums {
		return new WeightedSums(this.#width, {...this.#state, scale: this.#state.scale * factor});
	}

	weightOf(source: string): number {
		return (this.#state.sums.get(source)?.weight ?? 0) * this.#state.scale;
	}

	/** How many vectors were added for a source. */
	addedOf(source: string): number {
		return this.#state.sums.get(source)?.added ?? 0;
	}

	has(source: string): boolean {
		return this.#state.sums.has(source);
	}

	#joinLightest(): void {
		const {sums} = this.#state;
		for (const [source, sum] of [...sums].toSorted(([, a], [, b]) => a.weight - b.weight).slice(0, this.#maxKept / 2)) {
			const others = sums.get(joinedSource) ?? {...nothing, sources: 0, row: new Float64Array(this.#width)};
			if (source !== joinedSource) {
				sums.delete(source);
				addTo(others.row, sum.row, 1);
				sums.set(joinedSource, {
					sources: others.sources + sum.sources,
					added: others.added + sum.added,
					conversations: others.conversations + sum.conversations,
					weight: others.weight + sum.weight,
					squares: others.squares + sum.squares,
					pairs: others.pairs + sum.pairs,
					row: others.row,
				});
			}
		}
	}
}

const timesSum = ({weight, squares, pairs, row, ...counts}: Sum, factor: number): Sum => ({
	...counts, weight: weight * factor, squares: squares * factor ** 2, pairs: pairs * factor ** 2, row: row.map(value => value * factor),
});

/** How long the conversations of some sums are, in the mean of all vectors as they weigh; 1 where there are none. */
export const meanLength = (parts: ReadonlyArray<Pick<Sum, 'squares' | 'pairs'>>): number => {
	const [squares, pairs] = [parts.reduce((sum, part) => sum + part.squares, 0), parts.reduce((sum, part) => sum + part.pairs, 0)];
	return squares === 0 ? 1 : pairs / squares;
};

/** Adds so many times a row to a total. */
export const addTo = (total: Float64Array, row: Float64Array, weight: number): void => {
	for (let i = 0; i < total.length; i++) {
		total[i]! += row[i]! * weight;
	}
};

/**
 * The mean product of two different texts' differences from a mean, beside the variance of all: 0 for unlike ones, 1 for equal
 * ones of ordinary length. Texts are unit vectors, so their sum says all.
 *
 * @param sum of the differences of some texts
 * @returns 0 for a single text
 */
export const coherenceOf = ({added, row}: {readonly added: number; readonly row: Float64Array}, mean: Float64Array): number => {
	const variance = 1 - product(mean, mean);
	const squares = added * variance - 2 * product(row, mean);
	return added > 1 ? (product(row, row) - squares) / (added * (added - 1)) / variance : 0;
};
