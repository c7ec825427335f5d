/** Exponentially weighted moving means. */

/** The weight of the newest of a mean that goes over so many, about. */
export const newestWeight = (span: number): number => 2 / (span + 1);

/** The squared length that a moving mean of some ordinary conversations has, about: what is read is the length beside it. */
export const ordinaryLength = (span: number, conversations: number): number => {
	const weight = newestWeight(span);
	return weight / (2 - weight) * (1 - (1 - weight) ** (2 * conversations));
};

/**
 * The weight w that lets a moving mean forget as a state does.
 *
 * @param kept how much of thirdness each cycle has left, as the ledger says it; at least one
 */
export const forgettingOf = (kept: readonly number[]): number => 1 - Math.exp(
	kept.reduce((sum, one) => sum + Math.log(one), 0) / kept.length,
);

/** After how many texts half is forgotten. */
export const halfLifeOf = (weight: number): number => -Math.LN2 / Math.log1p(-weight);

/** The weight of ordinary texts, where a baseline does not say it. */
export const usualWeight = 1 / 1230;
