/**
 * The design effect of cluster samples (L. Kish, Survey Sampling, 1965): texts within a conversation are alike, so chance has more
 * effect in fewer, longer conversations. Twins have the conversation lengths of the baseline. Without this correction, an ordinary
 * evening of a hundred texts would be unusual for an identity that has had short visits.
 */
import type {OrdinaryClusters} from '../../journal/validation.ts';
import {product} from '../../semiosis/covariance.ts';
import {addTo} from './weighted-sums.ts';

/** @param conversations The whitened differences of their texts from the mean; at least one text. */
export const learnClusters = (conversations: ReadonlyArray<readonly Float64Array[]>): OrdinaryClusters => {
	let [texts, pairs, squares, products] = [0, 0, 0, 0];
	for (const conversation of conversations.filter(one => one.length > 0)) {
		const sum = new Float64Array(conversation[0]!.length);
		for (const text of conversation) {
			addTo(sum, text, 1);
			squares += product(text, text);
		}

		texts += conversation.length;
		pairs += conversation.length ** 2;
		products += product(sum, sum);
	}

	const alike = (products - squares) / Math.max(1, pairs - texts) / (squares / texts);
	return {length: pairs / texts, likeness: Math.min(1, Math.max(0, alike))};
};

/** The design effect of conversations of a mean length, relative to those that twins are drawn from: 1 if they are no longer. */
export const effectOf = (mean: number, {length, likeness}: OrdinaryClusters): number =>
	Math.max(1, (1 + (mean - 1) * likeness) / (1 + (length - 1) * likeness));

/** Offsets the usual variation in the lengths of visits, which is no reason to count fewer conversations. */
const usuallyMore = 1.5;

/**
 * The effective number of conversations, which is lower if a few long ones dominate the mean of all texts: 1.5 times Kish's
 * effective sample size (ΣL)²/ΣL², at most their number.
 *
 * @param lengths The number of texts in each, at least 1.
 */
export const worthOf = (lengths: readonly number[]): number => {
	const texts = lengths.reduce((sum, length) => sum + length, 0);
	const squares = lengths.reduce((sum, length) => sum + length ** 2, 0);
	return Math.min(lengths.length, Math.round(usuallyMore * texts ** 2 / squares));
};

/** This effective number is enough for a baseline of any size. */
const enough = 40;

/** Whether a few long conversations dominate the mean of all texts. @param lengths As in {@link worthOf}. */
export const areFew = (lengths: readonly number[]): boolean => worthOf(lengths) < Math.min(lengths.length / 2, enough);
