/**
 * Whether what a new source says in a conversation lies beyond ordinary talk (`docs/spec/instruments.md#held-texts`). A text's novelty
 * is its distance to the nearest text of the baseline that another source said: so each source of the baseline was new once.
 */
import type {BaselineText} from '../../journal/validation.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import {isOf} from '../source-of.ts';
import {conversationsOf, maxPauseMs} from './conversations.ts';

/** How novel ordinary texts are. Plain data. */
export type OrdinaryNovelty = {
	readonly mean: number;
	readonly deviation: number;
	/** ρ: the correlation of two texts that a source says in one conversation. */
	readonly alike: number;
	/** Of 1,000 ordinary conversations 999 stay under it, at each of their texts; in deviations. */
	readonly limit: number;
};

/** How unusual a source's part of a conversation is, in deviations, and the limit. */
export type Strangeness = {readonly deviations: number; readonly limit: number};

/** After as many texts of a source a conversation begins again, for its strangeness alone. */
const maxLooked = 20;

/** A source that is none of the baseline's is new until as many of its texts have moved the state. */
export const knownAfter = 20;

/** With fewer texts by others, a text is compared with all other conversations. */
const minOthers = 100;

/** More parts of conversations are not followed at once: the oldest is forgotten. */
const maxFollowed = 1000;

/** How near a text lies to the nearest of some others, which is at least one. */
const noveltyOf = (kernel: Pick<Kernel, 'nearest'>, vector: Float32Array, others: readonly Float32Array[]): number =>
	1 - kernel.nearest(vector, others, 1)[0]!.cosine;

/** Learns from a baseline that says enough. @param usesIds whether conversations' ids count */
export const learnNovelty = (texts: readonly BaselineText[], usesIds: boolean, kernel: Pick<Kernel, 'nearest'>): OrdinaryNovelty => {
	const heard = texts.filter(text => isOf('heard', text));
	const parts = conversationsOf(texts, usesIds)
		.flatMap(one => [...Map.groupBy(one.filter(text => isOf('heard', text)), ({source}) => source).values()])
		.map(part => part.slice(0, maxLooked))
		// The kernel copies a list that differs from the one before.
		.toSorted(([one], [other]) => Number(one!.source > other!.source) - Number(one!.source < other!.source));
	const bySource = new Map<string, Float32Array[]>();
	const othersOf = (part: readonly BaselineText[]): Float32Array[] => {
		const {source} = part[0]!;
		const others = bySource.get(source) ?? heard.flatMap(text => text.source === source ? [] : [text.vector]);
		bySource.set(source, others);
		return others.length >= minOthers ? others : heard.flatMap(text => part.includes(text) ? [] : [text.vector]);
	};

	const novelties = parts.map(part => {
		const others = othersOf(part);
		return part.map(({vector}) => noveltyOf(kernel, vector, others));
	});
	const {mean, deviation} = spreadOf(novelties.flat());
	const alike = measureAlike(novelties.map(part => part.map(novelty => (novelty - mean) / deviation)));
	const most = spreadOf(novelties.map(part => {
		let sum = 0;
		return Math.max(...part.map((novelty, i) => deviationsOf({mean, deviation, alike}, sum += novelty, i + 1)));
	}));
	const limit = most.mean + mostOfThousand(parts.length - 1) * most.deviation * Math.sqrt(1 + 1 / parts.length);
	return {mean, deviation, alike, limit};
};

/** How far the mean of some novelties lies above the ordinary, beside what it varies by. */
const deviationsOf = ({mean, deviation, alike}: Omit<OrdinaryNovelty, 'limit'>, sum: number, texts: number): number =>
	(sum / texts - mean) / (deviation * Math.sqrt(alike + (1 - alike) / texts));

/** The mean, and the standard deviation of a sample; at least one that divides. */
const spreadOf = (values: readonly number[]): {mean: number; deviation: number} => {
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
	return {mean, deviation: Math.sqrt(squares / (values.length - 1)) || 1};
};

/** ρ, by the squared means of parts: their mean is ρ + (1 − ρ)/L. @param parts standardised */
const measureAlike = (parts: ReadonlyArray<readonly number[]>): number => {
	let [excess, possible] = [0, 0];
	for (const part of parts) {
		excess += (part.reduce((sum, value) => sum + value, 0) / part.length) ** 2 - 1 / part.length;
		possible += 1 - 1 / part.length;
	}

	return possible === 0 ? 0 : Math.min(1, Math.max(0, excess / possible));
};

/** Student's t that 999 of 1,000 stay under (Abramowitz and Stegun 1964, 26.7.5): from 29 degrees on it is right to .001. */
const mostOfThousand = (degrees: number): number => {
	const z = 3.090_232;
	return z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2)
		+ (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3);
};

type Said = Pick<BaselineText, 'source' | 'conversation' | 'time' | 'vector'>;

/**
 * Follows what new sources say, also what waits. It begins again with a start: a conversation under way is then a new one.
 *
 * @param texts the vectors of the baseline's heard texts
 * @returns what takes the next text of a new source
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
