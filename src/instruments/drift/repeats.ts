/**
 * Texts that repeat each other within a conversation count once
 * (`docs/spec/instruments.md#5-conversation-chart-the-alarm-with-a-stated-rate`): L texts weigh as L/(1 + (L − 1)ρ), where ρ
 * is the mean excess of their cosines. Excess is only what lies beyond nearly all
 * pairs of ordinary conversations: so talk about one topic, which is alike too, has its own length.
 */
import type {BaselineText} from '../../journal/validation.ts';
import {cosine, dot} from '../../kernel/dot.ts';

type Vectored = Pick<BaselineText, 'vector'>;

/** The share of pairs of ordinary texts of one conversation that are no repetition. */
const ordinaryShare = 0.99;

/** Nearer to 1, excess is not told apart from rounding. */
const maxOrdinary = 0.999;

/** The cosine above which two texts of one conversation repeat each other. @param conversations of ordinary talk */
export const findRepeating = (conversations: ReadonlyArray<readonly Vectored[]>): number => {
	const cosines = Float64Array.from(conversations.flatMap(texts => cosinesOf(texts))).toSorted();
	return Math.min(maxOrdinary, cosines.at(Math.ceil(ordinaryShare * cosines.length) - 1) ?? maxOrdinary);
};

/** How much each text of a conversation counts: 1 where none repeats another. @param repeating what {@link findRepeating} gives */
export const countedShare = (texts: readonly Vectored[], repeating: number): number => {
	const excess = cosinesOf(texts).reduce((sum, one) => sum + Math.max(0, one - repeating) / (1 - repeating), 0);
	// (L − 1)ρ: the mean of L(L − 1)/2 pairs, L − 1 times.
	return 1 / (1 + 2 * excess / texts.length);
};

/** Of all pairs. */
const cosinesOf = (texts: readonly Vectored[]): number[] => {
	const norms = texts.map(({vector}) => Math.sqrt(dot(vector, vector)));
	return texts.flatMap(({vector}, i) => texts.slice(0, i).map((other, k) => cosine(dot(vector, other.vector), norms[i]!, norms[k]!)));
};
