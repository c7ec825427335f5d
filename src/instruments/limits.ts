/** The limits of charts, from ordinary visits alone (`docs/spec/instruments.md#5-visit-chart-the-alarm-with-a-stated-rate`). */
import type {Random} from '../platform/clock.ts';
import {newestWeight, ordinaryLength} from './chart.ts';
import {quantileOf} from './percentile.ts';
import {productOf, productsOf, type Whitened} from './whitened.ts';

/** How limits are found. */
export type LimitsOptions = {
	readonly spans: readonly number[];
	/** How many ordinary visits pass between two false alarms of all spans, on the mean. */
	readonly averageRunLength: number;
	readonly random: Random;
	/** How many runs are drawn. @default 400 */
	readonly runs?: number;
	/** How many visits a run has. @default a quarter of the average run length, at most 1000 */
	readonly length?: number;
};

/**
 * Finds the limit of each span. Runs of visits are drawn with replacement; a run of n visits stays
 * under all limits with the probability exp(−n/averageRunLength).
 *
 * @param visits whitened, at least one
 * @returns in the order of the spans
 */
export const findLimits = (visits: readonly Whitened[], {spans, averageRunLength, random, runs = 400, length = Math.min(1000, Math.ceil(averageRunLength / 4))}: LimitsOptions): number[] => {
	const products = productsOf(visits, productOf);
	const largest = spans.map(() => new Float64Array(runs));
	for (let run = 0; run < runs; run++) {
		const drawn = Array.from({length}, () => Math.floor(random() * visits.length));
		for (const [i, span] of spans.entries()) {
			largest[i]![run] = largestReading(products, drawn, span);
		}
	}

	// A run is as unusual as it is in its most unusual span.
	const ranks = largest.map(readings => rank(readings));
	const worst = Array.from({length: runs}, (_, run) => Math.max(...ranks.map(one => one[run]!)));
	const place = quantileOf(worst, Math.exp(-length / averageRunLength));
	return largest.map(readings => quantileOf([...readings], place / (runs - 1)));
};

/** The largest reading of a run. Readings are sums of products, so no vector is added up. */
const largestReading = (products: readonly Float64Array[], drawn: readonly number[], span: number): number => {
	const weight = newestWeight(span);
	const keep = 1 - weight;
	/** The moving mean's product with each visit, and its squared length. */
	const along = new Float64Array(products.length);
	let [squares, largest] = [0, 0];
	for (const [k, visit] of drawn.entries()) {
		const row = products[visit]!;
		squares = keep ** 2 * squares + 2 * keep * weight * along[visit]! + weight ** 2 * row[visit]!;
		for (let i = 0; i < along.length; i++) {
			along[i] = keep * along[i]! + weight * row[i]!;
		}

		largest = Math.max(largest, squares / ordinaryLength(span, k + 1));
	}

	return largest;
};

/** The place of each value among all, from 0. */
const rank = (values: Float64Array): Float64Array => {
	const ranks = new Float64Array(values.length);
	for (const [place, i] of [...values.keys()].toSorted((a, b) => values[a]! - values[b]!).entries()) {
		ranks[i] = place;
	}

	return ranks;
};
