/**
 * The history of a stretch (`docs/spec/instruments.md#7-history-and-diff`): how far thirdness has moved, how much of the beginning
 * is left, and how much the rule itself has pushed in.
 */
import type {History, HistoryPoint} from '../generated/types.ts';
import type {StoredCycle} from '../journal/journal.ts';
import {indexOf} from '../kernel/dimensions.ts';
import {dot, turnMrad} from '../kernel/dot.ts';
import type {Rows} from '../kernel/state-tensor.ts';
import type {Scale} from '../semiosis/scale.ts';
import {decodeDigest, type Digest} from './digest.ts';
import type {ChartMoment} from './drift/chart.ts';
import type {Instrument} from './instrument.ts';
import {percentileAmong} from './percentile.ts';
import {shownText} from './run-ledger.ts';
import {saidAtOf, sourceOf} from './source-of.ts';
import {collectStretch, toPastState} from './stretch.ts';
import {pushWeight, unrollFrom, type Factors} from './unroll.ts';

export type HistoryCycle = {
	readonly factors: Pick<Factors, 'kept' | 'secondness' | 'valeurs'>;
	/** Total dissonance of its text. */
	readonly total: number;
	/** Thirdness after it. */
	readonly thirdness: Float32Array;
};

/** The measures at one state. */
export type HistoryMeasures = Pick<
	HistoryPoint, 'netMrad' | 'pathMrad' | 'beginningLeft' | 'push' | 'dissonance' | 'dissonancePercentile'
>;

/** The most past totals of dissonance with which one is compared. */
export const maxPastTotals = 500;

/** Follows a stretch from its first rows, cycle by cycle. Percentiles are computed only for the cycles that are asked for. */
export class HistoryTrace {
	readonly first: HistoryMeasures = {netMrad: 0, pathMrad: 0, beginningLeft: 1, push: 0, dissonance: null, dissonancePercentile: null};
	readonly #start: Float32Array;
	readonly #weightOf: (secondness: number, valeurs: number) => number;
	#before: Float32Array;
	/** The values after each cycle. */
	readonly #paths: number[] = [];
	readonly #lefts: number[] = [];
	readonly #pushes: number[] = [];
	/** The totals before the first rows, then those of each cycle. */
	readonly #totals: number[];
	#secondness = 0;
	#valeurs = 0;

	/** @param before The totals of the texts before the stretch, oldest first; at most the newest {@link maxPastTotals}. */
	constructor(rows: Rows, before: readonly number[] = []) {
		this.#totals = [...before];
		this.#start = rows[indexOf('thirdness')]!;
		this.#before = this.#start;
		this.#weightOf = pushWeight(rows);
	}

	/** Takes the next cycle. @returns the measures after it */
	follow({factors: {kept, secondness, valeurs}, total, thirdness}: HistoryCycle): HistoryMeasures {
		this.#turn(turnMrad(this.#before, thirdness), total, kept, secondness, valeurs);
		this.#before = thirdness;
		return {netMrad: turnMrad(this.#start, thirdness), ...this.at(this.#paths.length - 1)};
	}

	/** Takes the cycles of a digest. @returns their places */
	skip({columns: {kept, secondness, valeurs, total, turn}, to}: Pick<Digest, 'columns' | 'to'>): number[] {
		const place = this.#paths.length;
		for (let k = 0; k < kept.length; k++) {
			this.#turn(turn[k]!, total[k]!, kept[k]!, secondness[k]!, valeurs[k]!);
		}

		this.#before = to.thirdness;
		return Array.from(kept, (_, k) => place + k);
	}

	/** The measures after the cycle at a place, from 0. */
	at(place: number): Omit<HistoryMeasures, 'netMrad'> {
		const ofTotal = place + this.#totals.length - this.#paths.length;
		const total = this.#totals[ofTotal]!;
		const past = this.#totals.slice(Math.max(0, ofTotal - maxPastTotals), ofTotal);
		return {
			pathMrad: this.#paths[place]!, beginningLeft: this.#lefts[place]!, push: this.#pushes[place]!, dissonance: total,
			dissonancePercentile: percentileAmong(past, total),
		};
	}

	#turn(turned: number, total: number, kept: number, secondness: number, valeurs: number): void {
		this.#secondness = this.#secondness * kept + secondness;
		this.#valeurs = this.#valeurs * kept + valeurs;
		this.#paths.push((this.#paths.at(-1) ?? 0) + turned);
		this.#lefts.push((this.#lefts.at(-1) ?? 1) * kept);
		this.#pushes.push(this.#weightOf(this.#secondness, this.#valeurs));
		this.#totals.push(total);
	}
}

/** Selects at most `count` items, evenly spread, with the first and the last. @param count At least 2. */
export const sampleEvenly = <Item>(items: readonly Item[], count: number): Item[] => items.length <= count
	? [...items]
	: Array.from({length: count}, (_, i) => items[Math.round(i * (items.length - 1) / (count - 1))]!);

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
				return history.skip(digest);
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
