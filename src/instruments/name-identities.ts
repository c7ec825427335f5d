/**
 * One budget of false alarms over many identities: of those that are named, at most a twentieth are named by chance, on average
 * (Benjamini and Hochberg 1995).
 *
 * Each p holds at every look and never rises, so the promise holds whenever somebody looks. It holds for independent identities,
 * and where one event moves many the same way (Benjamini and Yekutieli 2001, theorem 1.2); `npm run bench:fleet-budget` measures both.
 */

import {rankOf} from './drift/paths.ts';

/** Which share of those that are named may be named by chance, on average. */
export const fleetLevel = 0.05;

/**
 * The largest p that is named; 0 where none is.
 *
 * @param ps of all that could be named; 1 for one without evidence
 * @example nameUpTo([0.00001, 0.5, 1]) === 0.00001
 */
export const nameUpTo = (ps: readonly number[], level = fleetLevel): number =>
	ps.toSorted((a, b) => a - b).findLast((p, i) => p <= level * (i + 1) / ps.length) ?? 0;

/**
 * How likely it is that a source moves one identity at most: the partial conjunction of Simes' test, for two or more (Benjamini and
 * Heller 2008). What it moves twenty times a little counts as what it moves twice very far.
 *
 * An identity counts for one source, that which explains its drift. So the sum over all sources, and over whatever names a stranger
 * makes up, is no more than one test of all identities has: chance names *any* source in at most a twentieth of all fleets, at every
 * look, with no correction for how many sources there are.
 *
 * @param ps of the identities whose drift it explains
 * @param count how many identities could be named
 * @example pOfMoving([0.00001, 0.0004], 101) === 0.04
 */
export const pOfMoving = (ps: readonly number[], count: number): number =>
	Math.min(1, ...ps.toSorted((a, b) => a - b).slice(1).map((p, i) => p * (count - 1) / (i + 1)));

/** How many of the largest say how fast the values of twins become rare: a tenth. */
const tailCount = 20;

/**
 * The probability by rank, and beyond all values by their tail: the excess of a logarithm over that of a tenth of them is exponential
 * (Hill 1975; Weissman 1978), with a mean that is known from as many values as are above. So p may be compared over thousands.
 * It is too large rather than too small (`npm run bench:fleet-budget`).
 *
 * @param values ascending, more than 20 of them
 */
export const tailOf = (values: readonly number[], value: number): number => {
	if (value <= values.at(-1)!) {
		return rankOf(values, value);
	}

	const threshold = Math.log(values.at(-1 - tailCount)!);
	const above = values.slice(-tailCount).reduce((sum, one) => sum + Math.log(one) - threshold, 0);
	const share = (tailCount + 1) / (values.length + 1);
	return Math.min(1 / (values.length + 1), share * (1 + (Math.log(value) - threshold) / above) ** -tailCount);
};
