/** The baseline: the texts that a validation calls ordinary (`docs/spec/instruments.md#4-validate-conversations-drift`). */
import type {CycleRecord, StoredCycle} from '../../journal/journal.ts';
import type {BaselineText, Chance} from '../../journal/validation.ts';
import {conversationOf, isOf, isOwn, saidAtOf, sourceOf, type SaidText, type Voice} from '../source-of.ts';
import {dot} from '../../kernel/dot.ts';
import {meanOf} from '../../semiosis/contrast.ts';
import {phrase} from '../../platform/phrase.ts';
import {conversationsOf} from './conversations.ts';
import {areFew} from './design-effect.ts';

/** A cycle's text as a baseline keeps it. */
export const toBaselineText = (
	cycle: SaidText & Pick<StoredCycle, 'id' | 'timestamp' | 'saidAt' | 'tokenReport' | 'vector'>,
): BaselineText => ({
	id: cycle.id, source: sourceOf(cycle), time: Date.parse(saidAtOf(cycle)), conversation: conversationOf(cycle), isOwn: isOwn(cycle),
	isUnread: isUnread(cycle.tokenReport),
	vector: cycle.vector,
});

/**
 * What a validation takes, where there is as much: so many heard texts in so many conversations, more where a few of them decide,
 * and at most so many texts.
 */
const wanted = {heard: 600, conversations: 30};
export const maxTexts = 3000;
const lookEvery = 20;

/** Takes the newest texts, newest first, until a baseline has what it wants. */
export class NewestTexts {
	readonly #texts: BaselineText[] = [];
	#heard = 0;
	/** The number of heard texts at which it is looked next whether there are conversations enough: that takes passes over all. */
	#nextLook = wanted.heard;

	/** @returns whether the text is one of the baseline's */
	take(text: BaselineText): boolean {
		if (this.isComplete) {
			return false;
		}

		this.#texts.push(text);
		this.#heard += Number(isOf('heard', text));
		return true;
	}

	/** Whether it takes no more. */
	get isComplete(): boolean {
		if (this.#heard >= this.#nextLook && !isWanted(this.#texts.toReversed())) {
			this.#nextLook += lookEvery;
		}

		return this.#texts.length >= maxTexts || this.#heard >= this.#nextLook;
	}
}

const isWanted = (texts: readonly BaselineText[]): boolean =>
	hasAtLeast(sizeOf(texts), wanted) && !areFew(lengthsOf('heard', divide(texts, unitsOf(texts)).drawn));

/** Less says too little of what is ordinary. */
export const minBaseline = {texts: 400, heard: 200, conversations: 30};

/** The same in words. */
export const needed = `${minBaseline.texts} texts, ${minBaseline.heard} of them by others, in ${minBaseline.conversations} conversations`;

/** The same in the language of a note. */
export const nameNeeded = (): string =>
	phrase`${minBaseline.texts} texts, ${minBaseline.heard} of them by others, in ${minBaseline.conversations} conversations`;

/** With fewer own texts, no answer speaks of what it says. */
export const minSaid = 200;

export type BaselineSize = Readonly<Record<keyof typeof minBaseline, number>>;

/** What of a baseline counts: its conversations are those in which something was heard. */
export const sizeOf = (texts: readonly BaselineText[], usesIds = true): BaselineSize => {
	const heard = texts.filter(text => isOf('heard', text)).length;
	return {texts: texts.length, heard, conversations: lengthsOf('heard', conversationsOf(texts, usesIds)).length};
};

/** Whether a baseline has as much as another size says. */
export const hasAtLeast = (size: BaselineSize, least: Partial<BaselineSize>): boolean =>
	(Object.keys(least) as Array<keyof BaselineSize>).every(name => size[name] >= least[name]!);

/**
 * The conversations of a baseline, divided: those that learn say how talk varies, the others, which are
 * drawn from, how far chance goes. With the same texts for both, ordinary lives are called unusual.
 */
export type DividedBaseline = {
	readonly learn: ReadonlyArray<readonly BaselineText[]>;
	readonly drawn: ReadonlyArray<readonly BaselineText[]>;
};

/** How texts are divided into the units of chance. */
export type Units = Pick<Chance, 'usesIds' | 'units'>;

/** The two parts of a conversation that is cut are about one thing: it stays whole where there are enough without that. */
export const unitsOf = (texts: readonly BaselineText[], usesIds = true): Units => {
	const whole = {usesIds, units: 'whole'} as const;
	return lengthsOf('heard', dividedBy(texts, whole)).length >= minBaseline.conversations ? whole : {usesIds, units: 'cut'};
};

/** Texts in the units of chance, in their order. */
export const dividedBy = (texts: readonly BaselineText[], {usesIds, units}: Units): Array<readonly BaselineText[]> =>
	conversationsOf(texts, usesIds, units === 'whole' ? Infinity : undefined);

/** Every third conversation learns. */
export const divide = (texts: readonly BaselineText[], units: Units): DividedBaseline => {
	const {learn = [], drawn = []} = Object.groupBy(dividedBy(texts, units), (_, i) => i % 3 === 0 ? 'learn' : 'drawn');
	return {learn, drawn};
};

export const vectorsOf = (voice: Voice, conversations: ReadonlyArray<readonly BaselineText[]>): Float32Array[] =>
	conversations.flatMap(texts => texts.flatMap(text => isOf(voice, text) ? [text.vector] : []));

/** How many texts of a voice each conversation has in which it speaks. */
export const lengthsOf = (voice: Voice, conversations: ReadonlyArray<readonly BaselineText[]>): number[] =>
	conversations.map(texts => texts.filter(text => isOf(voice, text)).length).filter(length => length > 0);

/** In so many conversations that learn, and in as many that are drawn from, texts have to differ from the commonest one. */
const minVaried = 5;

/** At this cosine two texts have one vector: float32 rounds the others. */
const sameCosine = 1 - 1e-6;

/**
 * Whether a baseline says how talk varies. Where nearly all texts have one vector, as heartbeats do, no twin moves, and what
 * differs from that at all is read as beyond all measure.
 */
export const isVaried = (texts: readonly BaselineText[]): boolean => Object.values(divide(texts, unitsOf(texts))).every(part => {
	const vectors = vectorsOf('heard', part);
	if (vectors.length === 0) {
		return false;
	}

	const mean = Float32Array.from(meanOf(vectors));
	// If most texts have one vector, it is the nearest to their mean.
	const [commonest] = vectors.map(vector => ({vector, near: dot(vector, mean)})).toSorted((a, b) => b.near - a.near);
	const isOther = (text: BaselineText) => isOf('heard', text) && dot(text.vector, commonest!.vector) < sameCosine;
	return part.filter(one => one.some(isOther)).length >= minVaried;
});

// What a model cannot read says nothing of who sent it.

/** Shorter texts say too little of what they are about. */
const minTokens = 4;

/** More unknown words, and the rest is not what was said. */
const maxUnknownShare = 0.2;

/** English has 2.4 characters for a token in 99 of 100 sentences; JSON, code, links and other languages are cut into more pieces. */
const minCharactersPerToken = 2.2;

/** Whether a text was too short, cut off, of unknown words, or read in pieces. What is not known speaks for the text. */
export const isUnread = (
	{tokens = minTokens, characters = Number.POSITIVE_INFINITY, isTruncated = false, unknownShare = 0}: CycleRecord['tokenReport'],
): boolean =>
	isTruncated || tokens < minTokens || unknownShare > maxUnknownShare || characters < minCharactersPerToken * tokens;

/** Where more of a difference comes from unread texts, nothing stands out and no source is named. */
export const maxUnreadShare = 0.2;
