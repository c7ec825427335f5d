/** Fading weighted sums of vectors by source: the part that each source has in a moving mean. */
import {maxSources} from '../source-of.ts';
import {product} from '../../semiosis/covariance.ts';

type Sum = {
	/** The number of sources: one, unless several were joined. */
	readonly sources: number;
	/** The number of vectors that were added; `conversations` is the number they come from. */
	readonly added: number;
	readonly conversations: number;
	readonly weight: number;
	/** The sum of the squared weights; `pairs` multiplies each by the length of the vector's conversation. */
	readonly squares: number;
	readonly pairs: number;
	readonly row: Float64Array;
};

/** Plain data, which can be sent to another thread. */
export type SumsState = {
	readonly sums: Map<string, Sum>;
	/** The factor of all stored weights and rows: fading all changes this number alone. */
	scale: number;
};

/** Stands for the lightest sources, which are joined: strangers may make up thousands. */
export const joinedSource = '';

/** The number of sources that are distinguished without vectors. */
export const maxCounted = 10_000;

type AddOptions = {readonly mean?: Float64Array; readonly isFirst?: boolean; readonly place?: number};

const nothing = {sources: 1, added: 0, conversations: 0, weight: 0, squares: 0, pairs: 0};

export const startSums = (): SumsState => ({sums: new Map(), scale: 1});

export class WeightedSums {
	readonly #width: number;
	readonly #state: SumsState;
	readonly #maxKept: number;

	/** @param width The width of the vectors; 0 counts and weighs alone. */
	constructor(width: number, state = startSums()) {
		this.#width = width;
		this.#state = state;
		this.#maxKept = width === 0 ? maxCounted : 2 * maxSources;
	}

	/** Fades all sums. @param kept The part that is left of them. */
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
	 * @param mean At most as wide as the vector; 0 by default.
	 * @param isFirst Whether it is the source's first vector in a conversation.
	 * @param place The vector's place in its conversation, from 1.
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
			// For a conversation of L texts: 1 + 3 + 5 … = L².
			squares: sum.squares + part ** 2, pairs: sum.pairs + (2 * place - 1) * part ** 2,
		});
	}

	/** The sum over all sources. */
	total(): Float64Array {
		const total = new Float64Array(this.#width);
		for (const {row} of this.#state.sums.values()) {
			addTo(total, row, this.#state.scale);
		}

		return total;
	}

	/** The sums of each source. */
	parts(): Array<Sum & {readonly source: string}> {
		const {sums, scale} = this.#state;
		return [...sums].map(([source, sum]) => ({source, ...timesSum(sum, scale)}));
	}

	/** The number of sources. One that was joined and spoke again counts twice. */
	get sources(): number {
		return [...this.#state.sums.values()].reduce((sum, {sources}) => sum + sources, 0);
	}

	/** The total weight. */
	get weight(): number {
		const {sums, scale} = this.#state;
		return scale * [...sums.values()].reduce((sum, {weight}) => sum + weight, 0);
	}

	/** The {@link meanLength} over all sources. */
	get meanLength(): number {
		return meanLength([...this.#state.sums.values()]);
	}

	/** A scaled view for reading, until more is added to these sums. */
	times(factor: number): WeightedSums {
		return new WeightedSums(this.#width, {...this.#state, scale: this.#state.scale * factor});
	}

	weightOf(source: string): number {
		return (this.#state.sums.get(source)?.weight ?? 0) * this.#state.scale;
	}

	/** The number of vectors that were added for a source. */
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

/** The mean length of the conversations of all vectors, weighted by the squared weights; 1 without vectors. */
export const meanLength = (parts: ReadonlyArray<Pick<Sum, 'squares' | 'pairs'>>): number => {
	const [squares, pairs] = [parts.reduce((sum, part) => sum + part.squares, 0), parts.reduce((sum, part) => sum + part.pairs, 0)];
	return squares === 0 ? 1 : pairs / squares;
};

/** Adds weight · row to a total. */
export const addTo = (total: Float64Array, row: Float64Array, weight: number): void => {
	for (let i = 0; i < total.length; i++) {
		total[i]! += row[i]! * weight;
	}
};

/**
 * The mean product of two different texts' differences from a mean, divided by the variance of all texts: 0 for unlike texts,
 * 1 for equal ones of ordinary length. Texts are unit vectors, so the sum of their differences determines it.
 *
 * @returns 0 for a single text
 */
export const coherenceOf = ({added, row}: {readonly added: number; readonly row: Float64Array}, mean: Float64Array): number => {
	const variance = 1 - product(mean, mean);
	const squares = added * variance - 2 * product(row, mean);
	return added > 1 ? (product(row, row) - squares) / (added * (added - 1)) / variance : 0;
};
