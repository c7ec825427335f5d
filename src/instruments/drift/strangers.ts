/**
 * Measures whether a new source's part of a conversation lies outside ordinary talk (`docs/spec/instruments.md#held-texts`). The
 * novelty of a text is its distance to the nearest baseline text of another source, as if each source of the baseline were new.
 */
import type {BaselineText} from '../../journal/validation.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import {spreadOf} from '../../semiosis/scale.ts';
import {isOf} from '../source-of.ts';
import {conversationsOf, maxPauseMs} from './conversations.ts';

/** The novelty of ordinary texts. Plain data. */
export type OrdinaryNovelty = {
	readonly mean: number;
	readonly deviation: number;
	/** ρ, the correlation of two texts of a source in one conversation. */
	readonly alike: number;
	/** In standard deviations. Of 1,000 ordinary conversations, 999 stay under it at each of their texts. */
	readonly limit: number;
};

/** How unusual a source's part of a conversation is, and the limit; both in standard deviations. */
export type Strangeness = {readonly deviations: number; readonly limit: number};

/** For strangeness alone, a source's part of a conversation starts over after this number of texts. */
const maxLooked = 20;

/** A source that is not in the baseline counts as new until this number of its texts have moved the state. */
export const knownAfter = 20;

/** If the other sources have fewer texts, a text is compared with all other parts of conversations, its own source's too. */
const minOthers = 100;

/** If more parts of conversations are followed at once, the oldest is dropped. */
const maxFollowed = 1000;

/** 1 − the cosine to the nearest of the others. @param others At least one. */
const noveltyOf = (kernel: Pick<Kernel, 'nearest'>, vector: Float32Array, others: readonly Float32Array[]): number =>
	1 - kernel.nearest(vector, others, 1)[0]!.cosine;

/** @param texts A baseline of sufficient size. @param usesIds Whether ids divide conversations. */
export const learnNovelty = (texts: readonly BaselineText[], usesIds: boolean, kernel: Pick<Kernel, 'nearest'>): OrdinaryNovelty => {
	const heard = texts.filter(text => isOf('heard', text));
	const parts = conversationsOf(texts, usesIds)
		.flatMap(one => [...Map.groupBy(one.filter(text => isOf('heard', text)), ({source}) => source).values()])
		.map(part => part.slice(0, maxLooked));
	const novelties = [...Map.groupBy(parts, ([text]) => text!.source)].flatMap(([source, own]) => {
		// One list for all parts of a source, because the kernel copies each list that differs from the previous one.
		const others = heard.flatMap(text => text.source === source ? [] : [text.vector]);
		return own.map(part => {
			const compared = others.length >= minOthers ? others : heard.flatMap(text => part.includes(text) ? [] : [text.vector]);
			return part.map(({vector}) => noveltyOf(kernel, vector, compared));
		});
	});
	const {mean, deviation: spread} = spreadOf(novelties.flat());
	const deviation = spread || 1;
	const alike = measureAlike(novelties.map(part => part.map(novelty => (novelty - mean) / deviation)));
	const most = spreadOf(novelties.map(part => {
		let sum = 0;
		return Math.max(...part.map((novelty, i) => deviationsOf({mean, deviation, alike}, sum += novelty, i + 1)));
	}));
	const limit = most.mean + mostOfThousand(parts.length - 1) * (most.deviation || 1) * Math.sqrt(1 + 1 / parts.length);
	return {mean, deviation, alike, limit};
};

/** The mean of some novelties, standardised: its distance above the ordinary mean in standard errors. */
const deviationsOf = ({mean, deviation, alike}: Omit<OrdinaryNovelty, 'limit'>, sum: number, texts: number): number =>
	(sum / texts - mean) / (deviation * Math.sqrt(alike + (1 - alike) / texts));

/** ρ, from the squared means of the parts, whose expectation is ρ + (1 − ρ)/L. @param parts Standardised novelties. */
const measureAlike = (parts: ReadonlyArray<readonly number[]>): number => {
	let [excess, possible] = [0, 0];
	for (const part of parts) {
		excess += (part.reduce((sum, value) => sum + value, 0) / part.length) ** 2 - 1 / part.length;
		possible += 1 - 1 / part.length;
	}

	return possible === 0 ? 0 : Math.min(1, Math.max(0, excess / possible));
};

/** The .999 quantile of Student's t (Abramowitz and Stegun 1964, 26.7.5), within .001 from 29 degrees of freedom on. */
const mostOfThousand = (degrees: number): number => {
	const z = 3.090_232;
	return z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2)
		+ (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3);
};

type Said = Pick<BaselineText, 'source' | 'conversation' | 'time' | 'vector'>;

/**
 * Follows the texts of new sources, held ones too. A conversation under way counts as a new one after a restart.
 *
 * @param texts The vectors of the baseline's heard texts.
 * @returns a function that takes the next text of a new source
 */
export const followStrangers = (
	ordinary: OrdinaryNovelty, texts: readonly Float32Array[], kernel: Pick<Kernel, 'nearest'>,
): ((text: Said) => Strangeness) => {
	const followed = new Map<string, {time: number; texts: number; sum: number}>();
	return ({source, conversation, time, vector}) => {
		const key = JSON.stringify([source, conversation]);
		const before = followed.get(key);
		const isOver = !before || before.texts === maxLooked || time - before.time > maxPauseMs;
		const {texts: count, sum} = isOver ? {texts: 0, sum: 0} : before;
		const now = {time, texts: count + 1, sum: sum + noveltyOf(kernel, vector, texts)};
		followed.delete(key);
		followed.set(key, now);
		if (followed.size > maxFollowed) {
			followed.delete(followed.keys().next().value!);
		}

		return {deviations: deviationsOf(ordinary, now.sum, now.texts), limit: ordinary.limit};
	};
};
