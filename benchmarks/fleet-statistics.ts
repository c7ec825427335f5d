/** The statistics of ordinary and of steered identities, from which benchmarks draw fleets; and shares with their intervals. */
import {usualWeight} from '../src/instruments/drift/observation.ts';
import {measurePaths} from '../src/instruments/drift/paths.ts';
import {mulberry32} from '../src/platform/clock.ts';

const random = mulberry32(37);
export const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** How many identities a fleet has. */
export const size = 1000;
const [twins, conversations, poolSize] = [199, 600, 20_000];

/** The share of the moving mean that is left after a conversation. */
const left = (1 - usualWeight) ** 6.5;

/**
 * The distance after each conversation. The baseline's mean has the error of a mean of 60 conversations.
 *
 * @param push how far every other conversation of the second half is moved, in standard deviations of a conversation
 */
const walk = (scales: readonly number[], push = 0): Float64Array => {
	const row = new Float64Array(scales.length);
	const wrong = scales.map(scale => scale * normal() / Math.sqrt(60));
	return Float64Array.from({length: conversations}, (_, i) => {
		const pushed = i >= conversations / 2 && i % 2 === 0 ? push : 0;
		let squares = 0;
		for (const [j, scale] of scales.entries()) {
			row[j] = left * row[j]! + (1 - left) * (scale * normal() + wrong[j]! + (j === 0 ? pushed : 0));
			squares += row[j]! ** 2;
		}

		return Math.sqrt(squares);
	}).filter((_, i) => i % 3 === 0 && i > 12);
};

/** Kinds of talk: how much it varies on each of its directions, and whether one event affects all identities. */
export const worlds: ReadonlyArray<readonly [string, readonly number[], boolean]> = [
	['30 directions', Array<number>(30).fill(1), false],
	['30, unlike', Array.from({length: 30}, (_, i) => 1 / (1 + i / 4)), false],
	['30, unlike, one event', Array.from({length: 30}, (_, i) => 1 / (1 + i / 4)), true],
	['8 directions', Array<number>(8).fill(1), false],
];

export type Pools = {
	/** The largest distances of ordinary identities, ascending. */
	readonly pool: readonly number[];
	/** Those of identities that were steered by three deviations. */
	readonly pushed: readonly number[];
	/** Draws those of identities that were steered by so many deviations. */
	readonly push: (by: number) => number[];
};

export const drawPools = (scales: readonly number[]): Pools => {
	const ordinary = Array.from({length: poolSize}, () => walk(scales));
	const {medians} = measurePaths(ordinary.slice(0, 2001));
	const largestOf = (path: Float64Array): number => path.reduce((most, distance, look) => Math.max(most, distance / medians[look]!), 0);
	const pool = ordinary.map(largestOf).toSorted((a, b) => a - b);
	const push = (by: number): number[] => Array.from({length: 1000}, () => largestOf(walk(scales, by)));
	return {pool, pushed: push(3), push};
};

export const pick = (from: readonly number[]): number => from[Math.floor(random() * from.length)]!;

/** Picks one of ascending values. Half the variance of its place is common to the fleet, as if one event affected all. */
export const pickAlike = (from: readonly number[], common: number): number => {
	const z = Math.SQRT1_2 * (common + normal());
	// A logistic approximation of the normal distribution (Bowling et al. 2009).
	return from[Math.min(from.length - 1, Math.floor(from.length / (1 + Math.exp(-1.5976 * z - 0.07056 * z ** 3))))]!;
};

/** The largest distances of the twins of one identity, ascending. */
export const drawTwins = (pool: readonly number[]): number[] => Array.from({length: twins}, () => pick(pool)).toSorted((a, b) => a - b);

const percent = (value: number): string => (100 * Math.max(0, value)).toFixed(1);

export const interval = (found: number, of: number): string => {
	const [share, z] = [found / of, 1.96];
	const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
	const half = z / (1 + z ** 2 / of) * Math.sqrt(share * (1 - share) / of + z ** 2 / (4 * of ** 2));
	return `${percent(share)} % (${percent(middle - half)} to ${percent(middle + half)})`;
};

/** The mean of shares, one for each fleet, with its interval. */
export const meanOf = (shares: readonly number[]): string => {
	const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
	const error = 1.96 * Math.sqrt(shares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (shares.length - 1) / shares.length);
	return `${(100 * mean).toFixed(1)} % (± ${(100 * error).toFixed(1)})`;
};
