/** The place of a value among past ones (`docs/spec/instruments.md`). */

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
