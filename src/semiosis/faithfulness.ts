/**
 * Faithfulness: whether a text agrees with the profile that it translates. The text is projected
 * on the state's strongest directions, and the two lists are compared by rank: a text and a state
 * differ in scale, but should order the directions alike.
 */
import type {Kernel} from '../kernel/kernel.ts';
import {keyOf, round4, strongestProjections, type Direction, type Profile} from './profile.ts';
import {correlate} from './scale.ts';

/** With two directions the correlation is always 1 or −1. */
const minDirections = 3;

/**
 * Measures Spearman's rank correlation between the state's 20 strongest projections, with their signs, and the projections of
 * a text on the same directions.
 *
 * @param textVector The text's embedding, 1024 floats, of any norm.
 * @param directions The directions of the profile.
 * @returns −1 … 1, rounded to 4 decimals; null with fewer than three directions, or when all
 * projections of one side are equal and so have no order
 */
export const measureFaithfulness = (
	kernel: Kernel, state: Profile, textVector: Float32Array, directions: readonly Direction[],
): number | null => {
	const vectors = new Map(directions.map(direction => [keyOf(direction), direction.vector]));
	const compared = strongestProjections(state).flatMap(({key, value}) => {
		const vector = vectors.get(key);
		return vector ? [{value, vector}] : [];
	});
	if (compared.length < minDirections) {
		return null;
	}

	const projected = kernel.dots(textVector, compared.map(({vector}) => vector));
	// Pearson's correlation of ranks is Spearman's ρ, ties included.
	const correlation = correlate(meanRanks(compared.map(({value}) => value)), meanRanks([...projected]));
	return correlation === null ? null : round4(correlation);
};

/** Ranks from 1; equal values share the mean of their ranks (Kendall & Gibbons, Rank Correlation Methods, ch. 3). */
const meanRanks = (values: readonly number[]): number[] => values.map(value => {
	const below = values.filter(other => other < value).length;
	const equal = values.filter(other => other === value).length;
	return below + (equal + 1) / 2;
});
