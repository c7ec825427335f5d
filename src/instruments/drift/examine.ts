/** Compares a voice with its twins, which are drawn again (`docs/spec/instruments.md#4-validate-conversations-drift`). */
import type {MovedAlike, UnreadPart} from '../../generated/types.ts';
import type {BaselineText, Chance} from '../../journal/validation.ts';
import {divide} from './baseline.ts';
import {countAlike, divideAmong, largestProjections, largestPush, measureDirections, unusualP, type DirectionFinding} from './findings.ts';
import {comparedOf, effectOfLengths, type FollowedVoice} from './monitor.ts';
import {distanceOf, lengthOf, whiten, whitenDirection} from './measure.ts';
import {product} from '../../semiosis/covariance.ts';
import {twinTalkOf} from './ordinary.ts';
import {rankOf} from './paths.ts';
import {twinsAfter, type TwinTalk} from './twins.ts';
import {joinedSource, meanLength} from './weighted-sums.ts';

/** The part of a source in a drift. */
export type SourceFinding = {readonly share: number; readonly push: number; readonly p: number};

/** The directions and sources of an unusual drift. */
export type Findings = {
	/** In the order of the directions. */
	readonly directions: readonly DirectionFinding[];
	/** The median of the twins' largest projections. */
	readonly typicalT: number;
	/** By source, the largest push first. */
	readonly sources: ReadonlyMap<string, SourceFinding>;
	readonly moved: MovedAlike;
	/**
	 * p of the rest, as if the texts of the source that pushes most were ordinary. Null if there is only one source, and if the top
	 * source pushes no more than chance.
	 */
	readonly pWithoutTopSource: number | null;
	/** The share of texts that the model read badly, and p of this moment without them. */
	readonly unread: UnreadPart;
};

/** The texts that twins are drawn from, and the source of each. */
type SourcedTalk = TwinTalk & {readonly sources: readonly string[]};

/** The talk of a voice's twins, the same each time. @param texts The texts of the baseline. */
export const twinTalkFor = (
	{voice, ordinary: {calibration: {measure}, mean}}: FollowedVoice, texts: readonly BaselineText[], chance: Chance,
): SourcedTalk => {
	const divided = divide(texts, chance);
	return {...twinTalkOf(voice, divided, {measure, mean}, chance), sources: divided.drawn.flat().map(({source}) => source)};
};

export type Examined = {
	/** The distance of each twin. */
	readonly distances: Float64Array;
	readonly find: (directions: readonly Float32Array[]) => Findings;
};

/** The probability that chance leads as far at this moment alone. @param distances The distances of the voice's twins. */
export const pOfNow = (followed: FollowedVoice, distances: Float64Array): number =>
	rankOf(distances, distanceOf(followed.ordinary.calibration.measure, comparedOf(followed).sums.total()));

/** @param texts The number of texts that the twins hear. @param count The number of sources; by default none are joined. */
export const examine = (followed: FollowedVoice, talk: SourcedTalk, texts: number, count?: number): Examined => {
	const {measure} = followed.ordinary.calibration;
	const twins = twinsAfter(talk, texts);
	const distances = Float64Array.from(twins, ({row}) => lengthOf(row));
	const {sums, unread: unreadSums} = comparedOf(followed);
	const row = whiten(measure, sums.total());
	const parts = sums.parts().map(({source, weight, row: own, ...part}) =>
		({source, weight, white: whiten(measure, own), effect: effectOfLengths(followed, meanLength([part]))}));

	const find = (directions: readonly Float32Array[]): Findings => {
		const whitened = directions.map(direction => whitenDirection(measure, direction));
		const largest = largestProjections(twins, whitened);
		const pushes = Float64Array.from(twins, twin => largestPush(twin, talk.texts, talk.sources));
		const squares = product(row, row);
		const unread = whiten(measure, unreadSums.total());
		const sources = divideAmong(parts.map(({source, weight, white, effect}) => ({source, weight, projection: product(white, row), effect})))
			.toSorted((a, b) => b.push - a.push)
			.map(({source, part, push}) => [source, {share: part / squares, push, p: rankOf(pushes, push)}] as const);
		const top = sources.find(([source]) => source !== joinedSource);
		const rest = top && parts.length > 1 && top[1].p <= unusualP ? subtract(row, parts.find(({source}) => source === top[0])!.white) : null;
		return {
			directions: measureDirections(row, whitened, largest, effectOfLengths(followed, sums.meanLength)),
			typicalT: largest[largest.length >> 1]!,
			sources: new Map(sources),
			moved: countAlike(parts.map(({source, weight, white}) => ({source, weight, part: product(white, row)})), count ?? parts.length),
			pWithoutTopSource: rest && rankOf(distances, lengthOf(rest)),
			unread: {share: Math.min(1, product(unread, row) / squares), pWithout: rankOf(distances, lengthOf(subtract(row, unread)))},
		};
	};

	return {distances, find};
};

const subtract = (x: Float64Array, y: Float64Array): Float64Array => x.map((value, i) => value - y[i]!);
