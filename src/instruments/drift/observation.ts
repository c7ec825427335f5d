/**
 * A conversation as one observation of a chart: the mean of its texts less the ordinary mean. It is scaled down for a short
 * conversation, whose mean is less certain. Charts take exponentially weighted moving means of observations.
 */

/** From this number of texts on, all conversations have the same weight. */
const fullLength = 8;

/** The weight of one text in its observation. @param counted How much each text counts; under 1 if some repeat others. */
export const weightInObservation = (texts: number, counted = 1): number =>
	Math.sqrt(Math.min(counted * texts, fullLength) / fullLength) / texts;

/** √(min(L, 8)/8) · (mean of the texts − μ). @param texts At least one. @param counted As in {@link weightInObservation}. */
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

/** The weight of the newest observation in a moving mean over about `span` observations. */
export const newestWeight = (span: number): number => 2 / (span + 1);

/** The approximate squared length of a moving mean of ordinary conversations. A reading is a squared length divided by it. */
export const ordinaryLength = (span: number, conversations: number): number => {
	const weight = newestWeight(span);
	return weight / (2 - weight) * (1 - (1 - weight) ** (2 * conversations));
};

/** A state that began near secondness forgets nothing at first. But with a weight of 0 or less, no twin and no source would weigh. */
const leastWeight = 1 / 20_000;

/**
 * The weight w with which a moving mean forgets as fast as the state.
 *
 * @param kept The part of thirdness that each cycle left, by the ledger; at least one cycle.
 */
export const forgettingOf = (kept: readonly number[]): number => Math.max(leastWeight, 1 - Math.exp(
	kept.reduce((sum, one) => sum + Math.log(one), 0) / kept.length,
));

/** The weight w if a baseline's texts do not determine it. It is also about the weight of a new text in the state, at any age of it. */
export const usualWeight = 1 / 1230;

/** A voice's share of all texts may exceed that of the baseline by a tenth: it varies that much by chance. */
const maxMore = 1.1;

/**
 * The part of a voice's difference to compare with the twins, from 0 to 1. Twins hear as many texts, with the voice's share of the
 * baseline. Without this factor, an application that stops sending the agent's own texts would seem to hear unusual talk.
 *
 * @param share The voice's share of the weight of all texts.
 */
export const comparedPart = (share: number, usualShare: number): number => Math.min(1, maxMore * usualShare / share || 1);
