/**
 * Texts that repeat each other within a conversation count once
 * (`docs/spec/instruments.md#5-conversation-chart-the-alarm-with-a-stated-rate`): L texts weigh as L/(1 + (L − 1)ρ), where ρ
 * is the mean excess of their cosines. Only a cosine above that of nearly all pairs in ordinary conversations has an excess, so
 * talk about one topic, which is alike too, keeps its full length.
 */
import type {BaselineText} from '../../journal/validation.ts';
import {cosine, dot} from '../../kernel/dot.ts';

type Vectored = Pick<BaselineText, 'vector'>;

/** The share of text pairs within ordinary conversations that are not repetitions. */
const ordinaryShare = 0.99;

/** Nearer to 1, an excess could be a rounding error. */
const maxOrdinary = 0.999;

/** The cosine above which two texts of one conversation repeat each other. @param conversations Ordinary talk. */
export const findRepeating = (conversations: ReadonlyArray<readonly Vectored[]>): number => {
	const cosines = Float64Array.from(conversations.flatMap(texts => cosinesOf(texts))).toSorted();
	return Math.min(maxOrdinary, cosines.at(Math.ceil(ordinaryShare * cosines.length) - 1) ?? maxOrdinary);
};

/** How much each text of a conversation counts: 1 if none repeats another. @param repeating From {@link findRepeating}. */
export const countedShare = (texts: readonly Vectored[], repeating: number): number => {
	const excess = cosinesOf(texts).reduce((sum, one) => sum + Math.max(0, one - repeating) / (1 - repeating), 0);
	// (L − 1)ρ: the mean of L(L − 1)/2 pairs, L − 1 times.
	return 1 / (1 + 2 * excess / texts.length);
};

const cosinesOf = (texts: readonly Vectored[]): number[] => {
	const norms = texts.map(({vector}) => Math.sqrt(dot(vector, vector)));
	return texts.flatMap(({vector}, i) => texts.slice(0, i).map((other, k) => cosine(dot(vector, other.vector), norms[i]!, norms[k]!)));
};
