/**
 * The quality of a direction: how well it separates the example sentences of its poles, by cross-validation
 * (`docs/spec/instruments.md#3-profile-with-units`).
 */
import {meanOf} from './contrast.ts';

/** A direction with a lower quality is not read, because it hardly separates its poles. */
export const minQuality = 0.7;

const folds = 5;

/** The probability that a value of the first list is above one of the second; equal ones count half. NaN if a list is empty. */
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
 * The area under the curve of held-out sentences, in 5 folds: fold k has the sentences with index ≡ k mod 5. They are projected on
 * the direction that the others make, from the midpoint of the others' poles.
 *
 * @param positive At least two sentences; `negative` too.
 * @param toVector Makes a direction of the difference between the means of the poles.
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
