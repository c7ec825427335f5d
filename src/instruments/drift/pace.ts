/** How much of a baseline there is, and when it will be complete at the pace of the texts so far. */
import type {BaselineText} from '../../journal/validation.ts';
import {nameDay} from '../../platform/clock.ts';
import {formatCount, phrase} from '../../platform/phrase.ts';
import {hasAtLeast, minBaseline, sizeOf, type BaselineSize} from './baseline.ts';

/** The size of a baseline so far, and the times of its first and last text; milliseconds since the epoch. */
export type BaselinePace = BaselineSize & {readonly from: number; readonly to: number};

const day = 24 * 3_600_000;

/** A shorter span, in milliseconds, gives no estimate of a daily pace. */
const minTime = day;

/** A date further away than this is not named; milliseconds. */
const farOff = 2 * 365 * day;

/** Null without texts. The texts need no vectors. */
export const paceOf = (texts: readonly BaselineText[]): BaselinePace | null => texts.length === 0
	? null
	: {...sizeOf(texts), from: texts[0]!.time, to: texts.at(-1)!.time};

/**
 * When a baseline will be complete if texts keep their pace; milliseconds since the epoch. Null if that cannot be estimated.
 * It is in the past if there are enough texts already.
 */
export const wholeAt = ({from, to, ...size}: BaselinePace): number | null => {
	const names = Object.keys(minBaseline) as Array<keyof BaselineSize>;
	const time = from + (to - from) * Math.max(...names.map(name => minBaseline[name] / size[name]));
	return to - from >= minTime && Math.abs(time) < 8.64e15 ? time : null;
};

/** Says how much there is, and when the baseline will be complete. */
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
		? phrase`${there}; at the pace until ${nameDay(to)}, that takes more than two years.`
		: phrase`${there}; at the pace until ${nameDay(to)}, that is reached on ${nameDay(time)}.`;
};
