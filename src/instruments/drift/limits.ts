/**
 * Finds the limits of charts from ordinary conversations alone
 * (`docs/spec/instruments.md#5-conversation-chart-the-alarm-with-a-stated-rate`).
 */
import type {Random} from '../../platform/clock.ts';
import {quantileOf} from '../percentile.ts';
import {centredProductsOf} from './deal.ts';
import {product} from '../../semiosis/covariance.ts';
import {newestWeight, ordinaryLength} from './observation.ts';

export type LimitsOptions = {
	readonly spans: readonly number[];
	/** The average run length: the mean number of ordinary conversations between two false alarms, over all spans. */
	readonly runLength: number;
	/** The effective number of conversations in the baseline. The baseline's mean has the error of a mean of that many. */
	readonly conversations: number;
	readonly random: Random;
	/** The number of runs that are drawn. @default 400 */
	readonly runs?: number;
	/** The number of conversations in a run. @default 250 */
	readonly length?: number;
};

/**
 * Finds the limit of each span. Runs of conversations are drawn with replacement; a run of n conversations stays under all
 * limits with the probability exp(−n/runLength).
 *
 * @param observations Whitened; at least one.
 * @returns the limits in the order of the spans
 */
export const findLimits = (observations: readonly Float64Array[], options: LimitsOptions): number[] => {
	const {spans, runLength, conversations, random, runs = 400, length = 250} = options;
	const products = centredProductsOf(observations);
	const largest = spans.map(() => new Float64Array(runs));
	for (let run = 0; run < runs; run++) {
		const drawn = drawRun(products, conversations, length, random);
		for (const [i, span] of spans.entries()) {
			largest[i]![run] = largestReading(drawn, span);
		}
	}

	// A run is as unusual as it is in its most unusual span.
	const ranks = largest.map(readings => rank(readings));
	const worst = Array.from({length: runs}, (_, run) => Math.max(...ranks.map(one => one[run]!)));
	const place = quantileOf(worst, Math.exp(-length / runLength));
	return largest.map(readings => quantileOf([...readings], place / (runs - 1)));
};

/**
 * The products of all pairs of a run's conversations, each conversation less δ, the error of the baseline's mean in this run:
 * the mean of as many draws as the baseline has conversations.
 */
const drawRun = (products: readonly Float64Array[], conversations: number, length: number, random: Random): Float64Array[] => {
	const draw = () => Math.floor(random() * products.length);
	const counts = new Float64Array(products.length);
	for (let i = 0; i < conversations; i++) {
		counts[draw()]!++;
	}

	const places = Array.from({length}, draw);
	const ofError = products.map(row => product(row, counts) / conversations);
	const error = product(Float64Array.from(ofError), counts) / conversations;
	return places.map(i => {
		const row = new Float64Array(length);
		for (let k = 0; k < length; k++) {
			const j = places[k]!;
			row[k] = products[i]![j]! - ofError[i]! - ofError[j]! + error;
		}

		return row;
	});
};

/** The largest reading of a run. Readings are computed from the products, so no vectors are summed. */
const largestReading = (products: readonly Float64Array[], span: number): number => {
	const weight = newestWeight(span);
	const keep = 1 - weight;
	/** The moving mean's product with each later conversation; `squares` is its squared length. */
	const along = new Float64Array(products.length);
	let [squares, largest] = [0, 0];
	for (const [k, row] of products.entries()) {
		squares = keep ** 2 * squares + 2 * keep * weight * along[k]! + weight ** 2 * row[k]!;
		for (let i = k + 1; i < along.length; i++) {
			along[i] = keep * along[i]! + weight * row[i]!;
		}

		largest = Math.max(largest, squares / ordinaryLength(span, k + 1));
	}

	return largest;
};

/** The rank of each value, from 0. */
const rank = (values: Float64Array): Float64Array => {
	const ranks = new Float64Array(values.length);
	for (const [place, i] of [...values.keys()].toSorted((a, b) => values[a]! - values[b]!).entries()) {
		ranks[i] = place;
	}

	return ranks;
};
