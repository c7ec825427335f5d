/** The place of a value on its direction's scale, and the word for it (`docs/spec/instruments.md#3-profile-with-units`). */
import type {Scale} from '../semiosis/scale.ts';
import {percentileAmong} from './percentile.ts';

/** How far a value is from what sentences usually have: no different from chance, 1–2 standard deviations, more. */
export type ScaleWord = 'none' | 'leaning' | 'strong';

/** A value in the units of a scale. */
export type ScaledValue = {
	/** Standard deviations above the sentences' mean. */
	readonly z: number;
	/** The share of sentences with a lower value, 0 … 1; null on a scale of fewer than 50. */
	readonly percentile: number | null;
	readonly word: ScaleWord;
};

/** Places a value among the values of the sentences that the scale was made of. */
export const placeOn = (scale: Scale, value: number): ScaledValue => {
	const z = (value - scale.mean) / scale.deviation;
	return {z, percentile: percentileAmong(scale.sample, value), word: wordOf(z)};
};

const wordOf = (z: number): ScaleWord => {
	const size = Math.abs(z);
	if (size < 1) {
		return 'none';
	}

	return size <= 2 ? 'leaning' : 'strong';
};
