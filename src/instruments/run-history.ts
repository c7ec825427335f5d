/** The history of a stretch of life, from its records. */
import type {History, PastState} from '../generated/types.ts';
import {dot} from '../kernel/dot.ts';
import type {Scale} from '../semiosis/scale.ts';
import {traceHistory, sampleEvenly, type HistoryMeasures} from './history.ts';
import type {Instrument} from './instrument.ts';
import type {ChartMoment} from './run-drift.ts';
import {shownText} from './run-ledger.ts';
import {saidAtOf, sourceOf} from './source-of.ts';
import {collectStretch, toPastState} from './stretch.ts';
import {unrollFrom} from './unroll.ts';

/** What a history is asked for. */
export type HistoryQuestion = {
	/** How many states are shown at most, from 2. */
	points: number;
	/** A direction that thirdness is followed on; null for none. */
	direction: FollowedDirection | null;
};

/** A direction by its key, with the scale that gives it a unit. */
export type FollowedDirection = {
	readonly key: string;
	/** What is read of it: the tone is taken out. */
	readonly vector: Float32Array;
	readonly scale: Pick<Scale, 'mean' | 'deviation'> | null;
};

/** One state of a history, as its records say it. */
export type RecordedPoint = PastState & HistoryMeasures & {
	/** The text that made it; null for the first state. */
	readonly id: string | null;
	readonly source: string | null;
	/** Null also where the journal keeps hashes. */
	readonly content: string | null;
	/** Thirdness on the direction; null without one. */
	readonly value: number | null;
	/** The value in standard deviations from the mean of the example sentences; null also without a scale. */
	readonly z: number | null;
};

/** A history, as its records say it. */
export type RecordedHistory = Omit<History, 'points'> & {readonly points: readonly RecordedPoint[]};

/** Puts the readings of the conversation chart beside the states of a history. @param trail oldest first */
export const withChart = ({points, ...history}: RecordedHistory, trail: readonly ChartMoment[]): History => ({
	...history,
	points: points.map(point => {
		const time = Date.parse(point.timestamp);
		return {...point, chart: trail.findLast(moment => moment.time <= time)?.readings ?? null};
	}),
});

export const runHistory: Instrument<HistoryQuestion, RecordedHistory> = (start, {points, direction}) => {
	let first: HistoryMeasures;
	const {take, collected} = collectStretch(start, ({rows}) => {
		const unroll = unrollFrom(start.rules.kernel, rows);
		const history = traceHistory(rows);
		({first} = history);
		return (cycle, state): RecordedPoint => ({
			stateId: state.stateId,
			timestamp: saidAtOf(cycle),
			...history.follow({factors: unroll(cycle), total: cycle.total, thirdness: cycle.thirdness}),
			id: cycle.id,
			source: sourceOf(cycle),
			content: shownText(cycle),
			...placeOf(direction, cycle.thirdness),
		});
	});
	return {
		take,
		answer() {
			const {from, to, cycles} = collected();
			const beginning: RecordedPoint = {
				...toPastState(from), ...first, id: null, source: null, content: null, ...placeOf(direction, from.row('thirdness')),
			};
			return {
				from: toPastState(from), to: toPastState(to), direction: direction && direction.key, cycles: cycles.length,
				points: sampleEvenly([beginning, ...cycles], points),
			};
		},
	};
};

/** Where thirdness lies on a direction. */
const placeOf = (direction: FollowedDirection | null, thirdness: Float32Array): Pick<RecordedPoint, 'value' | 'z'> => {
	if (!direction) {
		return {value: null, z: null};
	}

	const {vector, scale} = direction;
	const value = dot(thirdness, vector);
	return {value, z: scale && (value - scale.mean) / scale.deviation};
};
