/**
 * How much more chance does where texts come in fewer and longer conversations, which are alike within: the design effect of samples
 * in clusters (L. Kish, Survey Sampling, 1965). Twins know the lengths of the baseline alone: to an identity that has had short
 * visits an ordinary evening of a hundred texts is more than chance.
 */
import type {OrdinaryClusters} from '../../journal/validation.ts';
import {product} from '../../semiosis/covariance.ts';
import {addTo} from './weighted-sums.ts';

/** @param conversations of whitened differences from the mean; one at least has a text */
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

/** How much more chance does in conversations of a mean length than in those that twins are drawn from: 1 where they are no longer. */
export const effectOf = (mean: number, {length, likeness}: OrdinaryClusters): number =>
	Math.max(1, (1 + (mean - 1) * likeness) / (1 + (length - 1) * likeness));

/** Lengths that differ as those of visits do are no reason to count fewer. */
const usuallyMore = 1.5;

/**
 * How many conversations some are worth, where a few long ones decide the mean of all texts: 1.5 times Kish's effective sample size
 * (ΣL)²/ΣL², at most all.
 *
 * @param lengths how many texts each has, one at least
 */
export const worthOf = (lengths: readonly number[]): number => {
	const texts = lengths.reduce((sum, length) => sum + length, 0);
	const squares = lengths.reduce((sum, length) => sum + length ** 2, 0);
	return Math.min(lengths.length, Math.round(usuallyMore * texts ** 2 / squares));
};

/** So many are enough, however many there are. */
const enough = 40;

/** Whether a few long conversations decide the mean of all texts. @param lengths as {@link worthOf} has them */
export const areFew = (lengths: readonly number[]): boolean => worthOf(lengths) < Math.min(lengths.length / 2, enough);
