/**
 * Controls the false discovery rate over many identities: of those that are named, on average at most a twentieth are named by chance
 * (Benjamini and Hochberg 1995).
 *
 * Each p holds at every look and never rises, so the rate holds at any time. It holds for independent identities, and if one event
 * moves many the same way (Benjamini and Yekutieli 2001, theorem 1.2). `npm run bench:fleet-budget` measures both.
 */

import {rankOf} from './drift/paths.ts';

/** The false discovery rate: the mean share of named identities that may be named by chance. */
export const fleetLevel = 0.05;

/**
 * The largest p that is named; 0 if none is.
 *
 * @param ps The p of every identity that could be named; 1 for one without evidence.
 * @example nameUpTo([0.00001, 0.5, 1]) === 0.00001
 */
export const nameUpTo = (ps: readonly number[], level = fleetLevel): number =>
	ps.toSorted((a, b) => a - b).findLast((p, i) => p <= level * (i + 1) / ps.length) ?? 0;

/**
 * The p-value of the null hypothesis that a source moves at most one identity: Simes' partial conjunction test for two or more
 * (Benjamini and Heller 2008). Moving twenty identities a little counts as much as moving two very far.
 *
 * Each identity counts for one source only, the one that explains its drift. So over all sources, whatever names a stranger makes up,
 * there is no more evidence than in one test of all identities: chance names *any* source in at most a twentieth of all fleets, at
 * every look, without a correction for the number of sources.
 *
 * @param ps The p of each identity whose drift it explains.
 * @param count The number of identities that could be named.
 * @example pOfMoving([0.00001, 0.0004], 101) === 0.04
 */
export const pOfMoving = (ps: readonly number[], count: number): number =>
	Math.min(1, ...ps.toSorted((a, b) => a - b).slice(1).map((p, i) => p * (count - 1) / (i + 1)));

/** The number of largest values from which the tail is estimated: a tenth of the twins. */
const tailCount = 20;

/**
 * The p-value by rank, extrapolated beyond all values by their tail. Above the largest tenth, the excess of the logarithm is taken as
 * exponential (Hill 1975; Weissman 1978), with the mean of the values there. So p can be compared over thousands of identities.
 * It errs on the large side (`npm run bench:fleet-budget`).
 *
 * @param values Ascending; more than 20 of them.
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
