/**
 * Other methods to detect that vectors drift, each with its usual settings: the cosine between centroids, the maximum mean
 * discrepancy with a stated run length, and adaptive windows. They use single texts, and ignore conversations.
 */
import type {Random} from '../../src/platform/clock.ts';
import {quantileOf} from '../../src/instruments/percentile.ts';

type Vectors = readonly Float32Array[];

/** The texts heard: those of the baseline, and those that follow. */
export type Heard = {readonly before: Vectors; readonly after: Vectors};

const dot = (x: Float32Array, y: Float32Array): number => {
	let sum = 0;
	for (let i = 0; i < x.length; i++) {
		sum += x[i]! * y[i]!;
	}

	return sum;
};

const centroidOf = (vectors: Vectors): Float32Array => {
	const sum = new Float32Array(vectors[0]!.length);
	for (const vector of vectors) {
		for (let i = 0; i < sum.length; i++) {
			sum[i]! += vector[i]!;
		}
	}

	const length = Math.sqrt(dot(sum, sum));
	return sum.map(value => value / length);
};

/** How many texts a window has. */
const windowLength = 100;
const lookEvery = 10;

/** The windows of all looks, one after every {@link lookEvery} texts. */
const windowsOf = (vectors: Vectors): Vectors[] => Array.from({length: Math.max(0, Math.floor((vectors.length - windowLength) / lookEvery) + 1)},
	(_, i) => vectors.slice(i * lookEvery, i * lookEvery + windowLength));

/** Whether a window's centroid is farther from the baseline's than the centroids of 95 % of the baseline's windows. */
export const exceedsCosine = ({before, after}: Heard): boolean => {
	const centre = centroidOf(before);
	const distances = (vectors: Vectors) => windowsOf(vectors).map(window => 1 - dot(centroidOf(window), centre));
	return Math.max(...distances(after)) > quantileOf(distances(before), 0.95);
};

/** The mean number of texts between two false alarms, so that 5 % of histories have one in 800 texts. */
const expectedRunTime = 16_000;
const mmd = {window: 50, reference: 200, runs: 100};

/** Whether MMD² between the baseline and the newest texts exceeds a limit, which comes from runs of single texts of the baseline. */
export const exceedsMmd = ({before, after}: Heard, random: Random): boolean => {
	// No text is both in the reference and in the runs that are drawn.
	const partOf = (part: number): Vectors => before.filter((_, i) => i % 3 === part).slice(0, mmd.reference);
	const [reference, drawn] = [partOf(0), partOf(1)];
	const width = quantileOf(reference.flatMap((x, i) => reference.slice(0, i).map(y => 2 - 2 * dot(x, y))), 0.5);
	const between = (x: Float32Array, y: Float32Array): number => Math.exp((2 * dot(x, y) - 2) / width);
	const withReference = (x: Float32Array): number => reference.reduce((sum, y) => sum + between(x, y), 0) / reference.length;
	const inReference = reference.reduce((sum, x) => sum + withReference(x), 0) / reference.length;

	/** The largest MMD² of a run, from the mean product of each text with the reference and the product of two of its texts. */
	const largestOf = (cross: readonly number[], pair: (i: number, j: number) => number): number => {
		let [largest, own, other] = [-Infinity, 0, 0];
		/** The products of a text with those before it in the window, twice, and with itself. */
		const added = (i: number, from: number, to: number): number => {
			let sum = 1;
			for (let j = from; j < to; j++) {
				sum += 2 * pair(i, j);
			}

			return sum;
		};

		for (const [k, one] of cross.entries()) {
			const first = Math.max(0, k - mmd.window + 1);
			own += added(k, first, k);
			other += one;
			if (k >= mmd.window) {
				own -= added(first - 1, first, k);
				other -= cross[first - 1]!;
			}

			largest = k < mmd.window - 1 ? largest : Math.max(largest, own / mmd.window ** 2 + inReference - 2 * other / mmd.window);
		}

		return largest;
	};

	const [products, crosses] = [drawn.map(x => Float64Array.from(drawn, y => between(x, y))), drawn.map(withReference)];
	const runs = Array.from({length: mmd.runs}, () => {
		const places = after.map(() => Math.floor(random() * drawn.length));
		return largestOf(places.map(place => crosses[place]!), (i, j) => products[places[i]!]![places[j]!]!);
	});
	return largestOf(after.map(withReference), (i, j) => between(after[i]!, after[j]!)) > quantileOf(runs, Math.exp(-after.length / expectedRunTime));
};

/** The usual settings of ADWIN (Bifet and Gavaldà 2007). */
const adwin = {delta: 0.002, every: 32, least: 5};

/** Whether the mean distances to the baseline's centroid in two parts of a window differ by more than a bound, after the baseline. */
export const exceedsAdwin = ({before, after}: Heard): boolean => {
	const centre = centroidOf(before);
	let window: number[] = [];
	return [...before, ...after].some((vector, k) => {
		window.push(1 - dot(vector, centre));
		const cut = k % adwin.every === 0 ? findCut(window) : null;
		window = cut === null ? window : window.slice(cut);
		return cut !== null && k >= before.length;
	});
};

/** The place where a window splits in two; null if it does not. */
const findCut = (window: readonly number[]): number | null => {
	const n = window.length;
	const total = window.reduce((sum, value) => sum + value, 0);
	const variance = window.reduce((sum, value) => sum + (value - total / n) ** 2, 0) / n;
	const log = Math.log(2 * Math.log(n) / adwin.delta);
	let first = 0;
	for (let length = 1; length <= n - adwin.least; length++) {
		first += window[length - 1]!;
		const inverse = 1 / length + 1 / (n - length);
		const bound = Math.sqrt(2 * inverse * variance * log) + 2 / 3 * inverse * log;
		if (length >= adwin.least && Math.abs(first / length - (total - first) / (n - length)) > bound) {
			return length;
		}
	}

	return null;
};
