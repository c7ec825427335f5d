/**
 * How well a direction tells its own example sentences apart, by those that it was not made of
 * (`docs/spec/instruments.md#3-profile-with-units`).
 */
import {meanOf} from './contrast.ts';

/** Under it a direction is not read: it says too little of what its poles say. */
export const minQuality = 0.7;

const folds = 5;

/** The probability that a value of the first list is above one of the second; equal ones count half. NaN where a list is empty. */
export const areaUnderCurve = (positive: readonly number[], negative: readonly number[]): number => {
	let above = 0;
	for (const value of positive) {
		for (const other of negative) {
			above += value === other ? 0.5 : Number(value > other);
		}
	}

	return above / (positive.length * negative.length);
};

/**
 * The area under the curve of held-out sentences: those with place i mod 5 are projected on the vector that the others
 * make, from the middle between the poles of these.
 *
 * @param positive at least two sentences, as of `negative`
 * @param toVector makes a direction of the way from the mean of one pole to that of the other
 */
export const measureQuality = (
	positive: readonly Float32Array[], negative: readonly Float32Array[], toVector: (way: Float64Array) => ArrayLike<number>,
): number => {
	const poles = [positive, negative];
	const values: [number[], number[]] = [[], []];
	for (let fold = 0; fold < folds; fold++) {
		const [plus, minus] = poles.map(pole => meanOf(pole.filter((_, i) => i % folds !== fold))) as [Float64Array, Float64Array];
		const vector = toVector(plus.map((value, i) => value - minus[i]!));
		const valueOf = (sentence: Float32Array): number =>
			sentence.reduce((sum, value, i) => sum + vector[i]! * (value - (plus[i]! + minus[i]!) / 2), 0);
		for (const [side, pole] of poles.entries()) {
			values[side]!.push(...pole.filter((_, i) => i % folds === fold).map(valueOf));
		}
	}

	return areaUnderCurve(...values);
};
