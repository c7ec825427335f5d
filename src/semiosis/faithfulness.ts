/**
 * Faithfulness: whether a text says of a state what its profile says. The text is projected on
 * the directions that are strongest in the state, and the two lists are compared by rank, since
 * a text and a state differ in scale, but should order the directions alike.
 */
import type {Kernel} from '../kernel/kernel.ts';
import type {Direction, Profile} from './profile.ts';
import {strongest} from './strongest.ts';

/** With two directions the correlation is 1 or −1 whatever the text says. */
const fewest = 3;

/**
 * Spearman's rank correlation between the state's strongest 20 projections, by sign and size, and
 * those of a text on the same directions.
 *
 * @param textVector the text's embedding, 1024 floats, of any norm
 * @param directions those that the profile was made with
 * @returns −1 … 1, rounded to 4 decimals; null with fewer than three directions, or where all
 * projections of a side are equal, so that they have no order
 */
export const measureFaithfulness = (kernel: Kernel, state: Profile, textVector: Float32Array, directions: readonly Direction[]): number | null => {
	const vectors = new Map(directions.map(({category, name, vector}) => [`${category}.${name}`, vector]));
	const compared = strongest(state).flatMap(({key, value}) => {
		const vector = vectors.get(key);
		return vector ? [{value, vector}] : [];
	});
	if (compared.length < fewest) {
		return null;
	}

	const told = kernel.dots(textVector, compared.map(({vector}) => vector));
	const correlation = pearson(meanRanks(compared.map(({value}) => value)), meanRanks([...told]));
	return correlation === null ? null : Math.round(correlation * 1e4) / 1e4 || 0;
};

/** Ranks from 1, equal values sharing the mean of their ranks (Kendall & Gibbons, Rank Correlation Methods, ch. 3). */
const meanRanks = (values: readonly number[]): number[] => values.map(value => {
	const below = values.filter(other => other < value).length;
	const equal = values.filter(other => other === value).length;
	return below + (equal + 1) / 2;
});

/** The correlation of two lists, which on ranks is Spearman's ρ, with ties too; null where one of them does not vary. */
const pearson = (a: readonly number[], b: readonly number[]): number | null => {
	const mean = (a.length + 1) / 2;
	const product = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + (value - mean) * (y[i]! - mean), 0);
	const spread = Math.sqrt(product(a, a) * product(b, b));
	return spread === 0 ? null : product(a, b) / spread;
};
