/**
 * A direction's scale: the distribution of example sentences on it. A projection alone has no unit; the mean and standard deviation
 * of the sentences give it one (`docs/spec/instruments.md#3-profile-with-units`).
 */

/** The projections of example sentences on a direction. */
export type Scale = {
	/** The number of sentences that were measured. */
	readonly examples: number;
	readonly mean: number;
	/** The standard deviation, with n − 1. */
	readonly deviation: number;
	/** Their projections in ascending order, or the quantiles that were kept of them. */
	readonly sample: ArrayLike<number>;
};

/**
 * Measures the scale of a direction from the projections of sentences.
 *
 * @returns null for fewer than two values, or equal ones, which have no spread
 */
export const measureScale = (values: ArrayLike<number>): Scale | null => {
	const sample = Array.from(values).toSorted((a, b) => a - b);
	const {length: examples} = sample;
	if (examples < 2 || sample[0] === sample.at(-1)) {
		return null;
	}

	return {examples, ...spreadOf(sample), sample};
};

/** The mean and the standard deviation, with n − 1. @param values At least two. */
export const spreadOf = (values: readonly number[]): Pick<Scale, 'mean' | 'deviation'> => {
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
	return {mean, deviation: Math.sqrt(squares / (values.length - 1))};
};

const product = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);

/** Pearson's correlation of two lists of one length; null if all values of one are equal. */
export const correlate = (a: readonly number[], b: readonly number[]): number | null => {
	const [meanA, meanB] = [a, b].map(values => values.reduce((sum, value) => sum + value, 0) / values.length) as [number, number];
	const [gapsA, gapsB] = [a.map(value => value - meanA), b.map(value => value - meanB)];
	const spread = Math.sqrt(product(gapsA, gapsA) * product(gapsB, gapsB));
	return spread === 0 ? null : product(gapsA, gapsB) / spread;
};
