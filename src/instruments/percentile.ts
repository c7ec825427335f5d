/** The place of a value among others, and the value at a place (`docs/spec/instruments.md`). */

/** Fewer values say too little of what is usual. */
const minPast = 50;

/**
 * The share of past values below a value, and half of the share of equal ones: 0.5 is usual, near 1 is high.
 *
 * @param least Under this many past values there is no percentile.
 * @returns 0 … 1; null where there are too few
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

/** The value that a share of the values lies below, between two of them by their distance. @param values at least one */
export const quantileOf = (values: readonly number[], share: number): number => {
	const sorted = values.toSorted((a, b) => a - b);
	const place = share * (sorted.length - 1);
	const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
	return below + (above - below) * (place - Math.floor(place));
};
