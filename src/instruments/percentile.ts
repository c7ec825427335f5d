/** Percentiles and quantiles (`docs/spec/instruments.md`). */

/** Fewer values are too few for a percentile. */
const minPast = 50;

/**
 * The share of past values below a value, plus half of the share of equal ones: 0.5 is usual, near 1 is high.
 *
 * @param least The number of past values under which there is no percentile.
 * @returns 0 … 1; null if there are too few past values
 */
export const percentileAmong = (past: ArrayLike<number>, value: number, least = minPast): number | null => {
	if (past.length < least) {
		return null;
	}

	let below = 0;
	let equal = 0;
	for (let i = 0; i < past.length; i++) {
		below += Number(past[i]! < value);
		equal += Number(past[i] === value);
	}

	return (below + equal / 2) / past.length;
};

/** The quantile of a share from 0 to 1, by linear interpolation. @param values At least one. */
export const quantileOf = (values: readonly number[], share: number): number => {
	const sorted = values.toSorted((a, b) => a - b);
	const place = share * (sorted.length - 1);
	const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
	return below + (above - below) * (place - Math.floor(place));
};
