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

/** The texts of a life: how long their conversations are, as it weighs them. Plain data. */
export type Clusters = {
	/** The weight of all texts, and the same times how long the conversation of each is. */
	texts: number;
	pairs: number;
};

export const startClusters = (): Clusters => ({texts: 0, pairs: 0});

/**
 * Takes the next text, or lets all fade where it is none of the voice's.
 *
 * @param weight of the newest text
 * @param place which of its conversation's texts it is, from 1; null for a text of another voice
 */
export const addToClusters = (clusters: Clusters, weight: number, place: number | null): void => {
	const kept = (1 - weight) ** 2;
	clusters.texts = kept * clusters.texts + (place === null ? 0 : 1);
	// Of L texts: 1 + 3 + 5 … = L².
	clusters.pairs = kept * clusters.pairs + (place === null ? 0 : 2 * place - 1);
};

/** How far the twins go beside twins with conversations as long as a life's: 1 where those are no longer than theirs. */
export const ordinaryLengths = ({texts, pairs}: Clusters, {length, likeness}: OrdinaryClusters): number => {
	const effectOf = (mean: number): number => 1 + (mean - 1) * likeness;
	return texts === 0 ? 1 : Math.min(1, Math.sqrt(effectOf(length) / effectOf(pairs / texts)));
};

/** Lengths that differ as those of visits do are no reason to count fewer. */
const usuallyMore = 1.5;

/**
 * How many conversations some are worth, where a few long ones decide the mean of all texts: 1.5 times Kish's effective sample size
 * (ΣL)²/ΣL², at most all.
 *
 * @param lengths how many texts each has; at least one has some
 */
export const worthOf = (lengths: readonly number[]): number => {
	const texts = lengths.reduce((sum, length) => sum + length, 0);
	const squares = lengths.reduce((sum, length) => sum + length ** 2, 0);
	return Math.min(lengths.filter(length => length > 0).length, Math.round(usuallyMore * texts ** 2 / squares));
};
