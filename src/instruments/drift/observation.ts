/**
 * A conversation as one observation: the mean of its texts less what is ordinary, shorter where it is short, because its
 * mean is less sure. Charts take exponentially weighted moving means of them.
 */

/** A conversation weighs as much from this many texts on. */
const fullLength = 8;

/** The weight of one text in an observation of so many. @param counted how much of each counts, where some repeat others */
export const weightInObservation = (texts: number, counted = 1): number =>
	Math.sqrt(Math.min(counted * texts, fullLength) / fullLength) / texts;

/** √(min(L, 8)/8) · (mean of the texts − μ). @param texts at least one @param counted as in {@link weightInObservation} */
export const observationOf = (texts: readonly Float32Array[], mean: Float64Array, counted = 1): Float64Array => {
	const observation = new Float64Array(mean.length);
	const weight = weightInObservation(texts.length, counted);
	for (const text of texts) {
		for (let i = 0; i < observation.length; i++) {
			observation[i]! += weight * (text[i]! - mean[i]!);
		}
	}

	return observation;
};

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

/** The weight of ordinary texts, where a baseline does not say it. */
export const usualWeight = 1 / 1230;

/** A voice may have a tenth more of all texts than in the baseline: so much differs by chance. */
const maxMore = 1.1;

/**
 * How much of a voice's difference is compared with the twins, who hear as many texts and no more of the voice than the baseline
 * has: else who sends the agent's texts no longer would seem to hear what is unusual.
 *
 * @param share of the voice, of the weight of all texts
 */
export const comparedPart = (share: number, usualShare: number): number => Math.min(1, maxMore * usualShare / share || 1);
