/** The baseline: the texts that a validation takes as ordinary (`docs/spec/instruments.md#4-validate-conversations-drift`). */
import type {CycleRecord, StoredCycle} from '../../journal/journal.ts';
import type {BaselineText, Chance} from '../../journal/validation.ts';
import {conversationOf, isOf, isOwn, saidAtOf, sourceOf, type SaidText, type Voice} from '../source-of.ts';
import {dot} from '../../kernel/dot.ts';
import {meanOf} from '../../semiosis/contrast.ts';
import {phrase} from '../../platform/phrase.ts';
import {conversationsOf} from './conversations.ts';
import {areFew} from './design-effect.ts';

export const toBaselineText = (
	cycle: SaidText & Pick<StoredCycle, 'id' | 'timestamp' | 'saidAt' | 'tokenReport' | 'vector'>,
): BaselineText => ({
	id: cycle.id, source: sourceOf(cycle), time: Date.parse(saidAtOf(cycle)), conversation: conversationOf(cycle), isOwn: isOwn(cycle),
	isUnread: isUnread(cycle.tokenReport),
	vector: cycle.vector,
});

/** The size of a baseline if there are enough texts. It takes more if a few long conversations dominate, up to `maxTexts`. */
const wanted = {heard: 600, conversations: 30};
export const maxTexts = 3000;
const lookEvery = 20;

/** Takes texts, newest first, until the baseline is complete. */
export class NewestTexts {
	readonly #texts: BaselineText[] = [];
	#heard = 0;
	/** The number of heard texts at the next check for enough conversations, which takes several passes over all texts. */
	#nextLook = wanted.heard;

	/** @returns whether the text was added to the baseline */
	take(text: BaselineText): boolean {
		if (this.isComplete) {
			return false;
		}

		this.#texts.push(text);
		this.#heard += Number(isOf('heard', text));
		return true;
	}

	get isComplete(): boolean {
		if (this.#heard >= this.#nextLook && !isWanted(this.#texts.toReversed())) {
			this.#nextLook += lookEvery;
		}

		return this.#texts.length >= maxTexts || this.#heard >= this.#nextLook;
	}
}

const isWanted = (texts: readonly BaselineText[]): boolean =>
	hasAtLeast(sizeOf(texts), wanted) && !areFew(lengthsOf('heard', divide(texts, unitsOf(texts)).drawn));

/** The smallest baseline from which ordinary talk can be learned. */
export const minBaseline = {texts: 400, heard: 200, conversations: 30};

/** {@link minBaseline} in English. */
export const needed = `${minBaseline.texts} texts, ${minBaseline.heard} of them by others, in ${minBaseline.conversations} conversations`;

/** {@link minBaseline} as a phrase that can be translated. */
export const nameNeeded = (): string =>
	phrase`${minBaseline.texts} texts, ${minBaseline.heard} of them by others, in ${minBaseline.conversations} conversations`;

/** With fewer own texts, in fewer conversations, no answer has the voice `said`. */
export const minSaid = {texts: 200, conversations: minBaseline.conversations};

export type BaselineSize = Readonly<Record<keyof typeof minBaseline, number>>;

/** Counts only conversations in which something was heard. */
export const sizeOf = (texts: readonly BaselineText[], usesIds = true): BaselineSize => {
	const heard = texts.filter(text => isOf('heard', text)).length;
	return {texts: texts.length, heard, conversations: lengthsOf('heard', conversationsOf(texts, usesIds)).length};
};

export const hasAtLeast = (size: BaselineSize, least: Partial<BaselineSize>): boolean =>
	(Object.keys(least) as Array<keyof BaselineSize>).every(name => size[name] >= least[name]!);

/**
 * A baseline split in two: the covariance is learned from `learn`, and twins are drawn from `drawn`. If both used the same texts,
 * ordinary histories would be called unusual.
 */
export type DividedBaseline = {
	readonly learn: ReadonlyArray<readonly BaselineText[]>;
	readonly drawn: ReadonlyArray<readonly BaselineText[]>;
};

/** How texts are divided into the independent units of chance. */
export type Units = Pick<Chance, 'usesIds' | 'units'>;

/** The two parts of a cut conversation are about one thing, so conversations stay whole if there are enough of them. */
export const unitsOf = (texts: readonly BaselineText[], usesIds = true): Units => {
	const whole = {usesIds, units: 'whole'} as const;
	return lengthsOf('heard', dividedBy(texts, whole)).length >= minBaseline.conversations ? whole : {usesIds, units: 'cut'};
};

/** Texts in the units of chance, in their order. */
export const dividedBy = (texts: readonly BaselineText[], {usesIds, units}: Units): Array<readonly BaselineText[]> =>
	conversationsOf(texts, usesIds, units === 'whole' ? Infinity : undefined);

/** Every third conversation is for `learn`. */
export const divide = (texts: readonly BaselineText[], units: Units): DividedBaseline => {
	const {learn = [], drawn = []} = Object.groupBy(dividedBy(texts, units), (_, i) => i % 3 === 0 ? 'learn' : 'drawn');
	return {learn, drawn};
};

export const vectorsOf = (voice: Voice, conversations: ReadonlyArray<readonly BaselineText[]>): Float32Array[] =>
	conversations.flatMap(texts => texts.flatMap(text => isOf(voice, text) ? [text.vector] : []));

/** The number of a voice's texts in each conversation in which it speaks. */
export const lengthsOf = (voice: Voice, conversations: ReadonlyArray<readonly BaselineText[]>): number[] =>
	conversations.map(texts => texts.filter(text => isOf(voice, text)).length).filter(length => length > 0);

/** The number of conversations, in `learn` and in `drawn` each, in which a text must differ from the commonest one. */
const minVaried = 5;

/** From this cosine on, two texts count as having one vector: float32 rounds. */
const sameCosine = 1 - 1e-6;

/**
 * Whether a voice's texts vary. If nearly all have one vector, as heartbeats and fixed replies do, no twin moves, and the smallest
 * difference from it is infinitely unusual.
 */
export const isVaried = (voice: Voice, divided: DividedBaseline): boolean => Object.values(divided).every(part => {
	const vectors = vectorsOf(voice, part);
	if (vectors.length === 0) {
		return false;
	}

	const mean = Float32Array.from(meanOf(vectors));
	// If most texts have one vector, it is the nearest to their mean.
	const [commonest] = vectors.map(vector => ({vector, near: dot(vector, mean)})).toSorted((a, b) => b.near - a.near);
	const isOther = (text: BaselineText) => isOf(voice, text) && dot(text.vector, commonest!.vector) < sameCosine;
	return part.filter(one => one.some(isOther)).length >= minVaried;
});

// A text that the model cannot read is no evidence about its source.

/** Shorter texts say too little about their subject. */
const minTokens = 4;

/** With a larger share of unknown words, the known ones do not convey the text. */
const maxUnknownShare = 0.2;

/** 99 of 100 English sentences have at least 2.4 characters per token; JSON, code, links and other languages split into more tokens. */
const minCharactersPerToken = 2.2;

/** Whether a text was too short, truncated, of unknown words, or split into too many tokens. An unknown property counts as good. */
export const isUnread = (
	{tokens = minTokens, characters = Number.POSITIVE_INFINITY, isTruncated = false, unknownShare = 0}: CycleRecord['tokenReport'],
): boolean =>
	isTruncated || tokens < minTokens || unknownShare > maxUnknownShare || characters < minCharactersPerToken * tokens;

/** If unread texts make up more of a difference, no direction stands out and no source is named. */
export const maxUnreadShare = 0.2;
