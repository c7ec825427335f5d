/** How far a row lies from its twins, and how far chance carries one (`docs/spec/instruments.md#4-validate-twins-drift`). */

/** A row beside its twins. Distances are 1000 times the chord, which is milliradians for small angles. */
export type Apart = {
	/** From the row to the twins' mean. */
	readonly distance: number;
	/** From the median twin to the mean of the others. */
	readonly typical: number;
	/** The probability that chance carries a row as far, by rank: 1/(twins + 1) … 1. */
	readonly p: number;
	/** From each twin to the mean of the others, ascending. */
	readonly distances: readonly number[];
};

/** The mean of vectors, in float64. @param rows at least one, all of one width */
export const meanOf = (rows: readonly Float32Array[]): Float64Array => {
	const mean = new Float64Array(rows[0]!.length);
	for (const row of rows) {
		for (let i = 0; i < mean.length; i++) {
			mean[i]! += row[i]!;
		}
	}

	for (let i = 0; i < mean.length; i++) {
		mean[i]! /= rows.length;
	}

	return mean;
};

/** What of a row its twins do not have: the row less their mean. */
export const excessOf = (row: Float32Array, twins: readonly Float32Array[]): Float64Array =>
	meanOf(twins).map((value, i) => row[i]! - value);

/** Measures how far a row lies from its twins. @param twins at least two */
export const measureApart = (row: Float32Array, twins: readonly Float32Array[]): Apart => {
	const mean = meanOf(twins);
	// From the mean of the others a twin is farther than from that of all.
	const scale = twins.length / (twins.length - 1);
	const distances = twins.map(twin => distanceFrom(mean, twin) * scale).toSorted((a, b) => a - b);
	const distance = distanceFrom(mean, row);
	const asFar = distances.filter(one => one >= distance).length;
	return {distance, typical: distances[distances.length >> 1]!, p: (1 + asFar) / (twins.length + 1), distances};
};

const distanceFrom = (mean: Float64Array, row: Float32Array): number => {
	let squares = 0;
	for (let i = 0; i < mean.length; i++) {
		squares += (row[i]! - mean[i]!) ** 2;
	}

	return 1000 * Math.sqrt(squares);
};
