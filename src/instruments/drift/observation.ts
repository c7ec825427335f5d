/**
 * A conversation as one observation: the mean of its texts less what is ordinary, shorter where it is short, because its
 * mean is less sure.
 */

/** A conversation weighs as much from this many texts on. */
const fullLength = 8;

/** The weight of one text in an observation of so many. */
export const weightInObservation = (texts: number): number => Math.sqrt(Math.min(texts, fullLength) / fullLength) / texts;

/** √(min(L, 8)/8) · (mean of the texts − μ). @param texts at least one */
export const observe = (texts: readonly Float32Array[], mean: Float64Array): Float64Array => {
	const observation = new Float64Array(mean.length);
	const weight = weightInObservation(texts.length);
	for (const text of texts) {
		for (let i = 0; i < observation.length; i++) {
			observation[i]! += weight * (text[i]! - mean[i]!);
		}
	}

	return observation;
};
