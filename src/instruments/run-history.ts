/** Computes the history of a stretch from its records. */
import type {History, HistoryPoint} from '../generated/types.ts';
import {dot, turnMrad} from '../kernel/dot.ts';
import type {Scale} from '../semiosis/scale.ts';
import type {StoredCycle} from '../journal/journal.ts';
import {decodeDigest} from './digest.ts';
import {HistoryTrace, sampleEvenly, type HistoryMeasures} from './history.ts';
import type {Instrument} from './instrument.ts';
import type {ChartMoment} from './drift/chart.ts';
import {shownText} from './run-ledger.ts';
import {saidAtOf, sourceOf} from './source-of.ts';
import {collectStretch, toPastState} from './stretch.ts';
import {unrollFrom} from './unroll.ts';

export type HistoryQuestion = {
	/** The most states that are shown, at least 2. */
	points: number;
	/** A direction on which thirdness is projected; null for none. */
	direction: FollowedDirection | null;
	/** The dissonance totals of the texts before the stretch, oldest first, with which its first texts are compared. */
	before?: readonly number[];
};

/** A direction by its key, with the scale that gives it a unit. */
export type FollowedDirection = {
	readonly key: string;
	/** The vector of its reading, without the tone. */
	readonly vector: Float32Array;
	readonly scale: Pick<Scale, 'mean' | 'deviation'> | null;
};

/** One state of a history without the conversation chart. */
export type RecordedPoint = Omit<HistoryPoint, 'chart'>;

/** A state from a digest, whose record has to be read. */
export type PointToRead = Omit<HistoryMeasures, 'netMrad'> & {readonly seq: number};

/** A history without the conversation chart. */
export type RecordedHistory = Omit<History, 'points'> & {readonly points: readonly RecordedPoint[]};

/** A history some of whose records have to be read. `first` is the row with which it begins. */
export type SketchedHistory = Omit<History, 'points'> & {
	readonly points: ReadonlyArray<RecordedPoint | PointToRead>; readonly first: Float32Array;
};

/** Completes a history. @param read Reads the cycle of a record's number. */
export const completeHistory = async (
	{points, first, ...history}: SketchedHistory, direction: FollowedDirection | null, read: (seq: number) => Promise<StoredCycle>,
): Promise<RecordedHistory> => {
	const complete: RecordedPoint[] = [];
	for (const point of points) {
		if ('seq' in point) {
			const {seq, ...measures} = point;
			const cycle = await read(seq);
			complete.push(pointOf(cycle, {...measures, netMrad: turnMrad(first, cycle.thirdness)}, direction));
		} else {
			complete.push(point);
		}
	}

	return {...history, points: complete};
};

/** The state that a cycle made. */
const pointOf = (cycle: StoredCycle, measures: HistoryMeasures, direction: FollowedDirection | null): RecordedPoint => ({
	stateId: cycle.stateId, timestamp: saidAtOf(cycle), ...measures, id: cycle.id, source: sourceOf(cycle), content: shownText(cycle),
	...placeOf(direction, cycle.thirdness),
});

/** Adds the readings of the conversation chart to the states of a history. @param trail Oldest first. */
export const withChart = ({points, ...history}: RecordedHistory, trail: readonly ChartMoment[]): History => ({
	...history,
	points: points.map(point => {
		const time = Date.parse(point.timestamp);
		return {...point, chart: trail.findLast(moment => moment.time <= time)?.readings ?? null};
	}),
});

export const runHistory: Instrument<HistoryQuestion, SketchedHistory> = (start, {points, direction, before = []}) => {
	let history: HistoryTrace;
	/** The numbers of the cycles' records. */
	let seqs: number[];
	let earlier = before;
	/** A cycle from a digest is only its place in the history, because few of them are shown. */
	const {take, takeDigest, collected} = collectStretch<RecordedPoint | number>(start, ({rows}, isNewStretch) => {
		const unroll = unrollFrom(rows);
		// After a reset or a compaction, earlier totals are no longer compared with.
		[history, seqs, earlier] = isNewStretch ? [new HistoryTrace(rows, earlier), [], []] : [history, seqs, earlier];
		return (cycle, seq): RecordedPoint => {
			seqs.push(seq);
			return pointOf(cycle, history.follow({factors: unroll(cycle), total: cycle.total, thirdness: cycle.thirdness}), direction);
		};
	});
	return {
		take,
		takeDigest(stored) {
			const digest = decodeDigest(stored);
			takeDigest(digest, () => {
				digest.columns.seq.forEach(seq => seqs.push(seq));
				return history.skip(digest.columns, digest.to.thirdness);
			});
		},
		answer() {
			const {from, to, cycles} = collected();
			const beginning: RecordedPoint = {
				...toPastState(from), ...history.first, id: null, source: null, content: null, ...placeOf(direction, from.row('thirdness')),
			};
			return {
				from: toPastState(from), to: toPastState(to), direction: direction && direction.key, cycles: cycles.length,
				points: sampleEvenly([beginning, ...cycles], points)
					.map(point => typeof point === 'number' ? {seq: seqs[point]!, ...history.at(point)} : point),
				first: from.row('thirdness'),
			};
		},
	};
};

/** Projects thirdness on a direction. */
const placeOf = (direction: FollowedDirection | null, thirdness: Float32Array): Pick<RecordedPoint, 'value' | 'z'> => {
	if (!direction) {
		return {value: null, z: null};
	}

	const {vector, scale} = direction;
	const value = dot(thirdness, vector);
	return {value, z: scale && (value - scale.mean) / scale.deviation};
};
