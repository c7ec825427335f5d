/** The directions on which a row differs from its twins (`docs/spec/instruments.md#4-validate-twins-drift`). */
import {dot} from '../kernel/dot.ts';

/** A row on one direction, beside its twins. */
export type Moved = {
	readonly value: number;
	/** The twins' mean. */
	readonly expected: number;
	/** The twins' standard deviation, with n − 1: what chance does to the value. */
	readonly deviation: number;
	/** (value − expected) in standard deviations of a value that is predicted from the twins. */
	readonly z: number;
	/** The probability that chance moves it as far, either way. */
	readonly p: number;
};

/**
 * Measures a row on each direction, and selects those that stand out.
 *
 * @param twins at least two
 * @param q The share of false ones among those that stand out.
 * @returns each direction in its order, and the places of those that stand out, ascending
 */
export const measureMoved = (row: Float32Array, twins: readonly Float32Array[], directions: readonly Float32Array[], q = 0.05): {moved: Moved[]; standOut: number[]} => {
	const moved = directions.map(direction => measureOne(dot(row, direction), twins.map(twin => dot(twin, direction))));
	return {moved, standOut: selectSmall(moved.map(({p}) => p), q)};
};

const measureOne = (value: number, chance: readonly number[]): Moved => {
	const {length} = chance;
	const expected = chance.reduce((sum, one) => sum + one, 0) / length;
	const deviation = Math.sqrt(chance.reduce((sum, one) => sum + (one - expected) ** 2, 0) / (length - 1));
	const z = (value - expected) / (deviation * Math.sqrt(1 + 1 / length));
	return {value, expected, deviation, z, p: twoSided(z)};
};

/** The places of the p that stand out, by Benjamini and Hochberg (1995). */
const selectSmall = (p: readonly number[], q: number): number[] => {
	const sorted = p.toSorted((a, b) => a - b);
	const limit = sorted.findLast((value, i) => value <= q * (i + 1) / sorted.length) ?? -1;
	return [...p.keys()].filter(i => p[i]! <= limit);
};

/** The probability of a standard normal number beyond ±z. By Abramowitz and Stegun, 7.1.26: to 1.5e-7. */
const twoSided = (z: number): number => {
	const x = Math.abs(z) / Math.SQRT2;
	const t = 1 / (1 + 0.327_591_1 * x);
	return t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429)))) * Math.exp(-x * x);
};
