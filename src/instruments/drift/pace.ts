/** How far a baseline is before it is whole, and when it is, at the pace of the texts so far. */
import type {BaselineText} from '../../journal/validation.ts';
import {nameDay} from '../../platform/clock.ts';
import {formatCount, phrase} from '../../platform/phrase.ts';
import {hasAtLeast, minBaseline, sizeOf, type BaselineSize} from './baseline.ts';

/** What there is so far of a baseline, and between which times it was said; milliseconds since 1970. */
export type BaselinePace = BaselineSize & {readonly from: number; readonly to: number};

const day = 24 * 3_600_000;

/** Texts of less time than a day say nothing of how many come in a day; milliseconds. */
const minTime = day;

/** Of a date that is further away, no more is said; milliseconds. */
const farOff = 2 * 365 * day;

/** What there is of a baseline; null without texts. The texts may be without their vectors. */
export const paceOf = (texts: readonly BaselineText[]): BaselinePace | null => texts.length === 0
	? null
	: {...sizeOf(texts), from: texts[0]!.time, to: texts.at(-1)!.time};

/**
 * When a baseline is whole, where texts continue to come as they did; null where that cannot be said. It is past where there
 * are enough.
 */
export const wholeAt = ({from, to, ...size}: BaselinePace): number | null => {
	const names = Object.keys(minBaseline) as Array<keyof BaselineSize>;
	const time = from + (to - from) * Math.max(...names.map(name => minBaseline[name] / size[name]));
	return to - from >= minTime && Math.abs(time) < 8.64e15 ? time : null;
};

/** What there is, and when all is there. */
export const describePace = (pace: BaselinePace): string => {
	const {texts, heard, conversations, to} = pace;
	const talk = formatCount(conversations, 'conversation');
	const there = texts === 1
		? phrase`There is 1 text, ${heard} of them by others, in ${talk}`
		: phrase`There are ${texts} texts, ${heard} of them by others, in ${talk}`;
	if (hasAtLeast(pace, minBaseline)) {
		return phrase`${there}: enough.`;
	}

	const time = wholeAt(pace);
	if (time === null) {
		return `${there}.`;
	}

	return time - to > farOff
		? phrase`${there}; at the pace until ${nameDay(to)} all is there in more than two years.`
		: phrase`${there}; at the pace until ${nameDay(to)} all is there on ${nameDay(time)}.`;
};
