/**
 * A direction's scale: how example sentences lie on it. A projection has no unit; beside the
 * sentences' mean and spread it has one (`docs/spec/instruments.md#3-profile-with-units`).
 */

/** The values of example sentences on a direction. */
export type Scale = {
	/** How many sentences were measured. */
	readonly examples: number;
	readonly mean: number;
	/** The standard deviation, with n − 1. */
	readonly deviation: number;
	/** Their values in ascending order, or as many quantiles as were kept. */
	readonly sample: ArrayLike<number>;
};

/**
 * Measures mean, standard deviation and order of the values of sentences on a direction.
 *
 * @returns null for fewer than two values, or equal ones: they have no spread
 */
export const measureScale = (values: ArrayLike<number>): Scale | null => {
	const sample = Array.from(values).toSorted((a, b) => a - b);
	const {length: examples} = sample;
	if (examples < 2 || sample[0] === sample.at(-1)) {
		return null;
	}

	const mean = sample.reduce((sum, value) => sum + value, 0) / examples;
	const squares = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0);
	return {examples, mean, deviation: Math.sqrt(squares / (examples - 1)), sample};
};

const product = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);

/** Pearson's correlation of two lists of one length; null where all values of one are equal. */
export const correlate = (a: readonly number[], b: readonly number[]): number | null => {
	const [meanA, meanB] = [a, b].map(values => values.reduce((sum, value) => sum + value, 0) / values.length) as [number, number];
	const [gapsA, gapsB] = [a.map(value => value - meanA), b.map(value => value - meanB)];
	const spread = Math.sqrt(product(gapsA, gapsA) * product(gapsB, gapsB));
	return spread === 0 ? null : product(gapsA, gapsB) / spread;
};
