/** The history of a stretch of life, from its records. */
import {traceHistory, sampleEvenly, type HistoryMeasures} from './history.ts';
import type {Instrument} from './instrument.ts';
import {shownText} from './run-ledger.ts';
import {sourceOf} from './source-of.ts';
import {collectStretch, toPastState, type PastState} from './stretch.ts';
import {unrollFrom} from './unroll.ts';

/** What a history is asked for. */
export type HistoryQuestion = {
	/** How many states are shown at most, from 2. */
	points: number;
};

/** One state of a history. */
export type HistoryPoint = PastState & HistoryMeasures & {
	/** The text that made it; null for the first state. */
	readonly id: string | null;
	readonly source: string | null;
	/** Null also where the journal keeps hashes. */
	readonly content: string | null;
};

/** A stretch of life, state by state. */
export type History = {
	readonly from: PastState;
	readonly to: PastState;
	/** How many cycles lie between them. */
	readonly cycles: number;
	/** Oldest first; the first and the last state always. */
	readonly points: readonly HistoryPoint[];
};

export const runHistory: Instrument<HistoryQuestion, History> = (start, {points}) => {
	let first: HistoryMeasures;
	const {take, collected} = collectStretch(start, ({rows}) => {
		const unroll = unrollFrom(start.rules.kernel, rows);
		const history = traceHistory(rows);
		({first} = history);
		return (cycle, state): HistoryPoint => ({
			...toPastState(state),
			...history.follow({factors: unroll(cycle), total: cycle.total, thirdness: cycle.thirdness}),
			id: cycle.id,
			source: sourceOf(cycle),
			content: shownText(cycle),
		});
	});
	return {
		take,
		answer() {
			const {from, to, cycles} = collected();
			const beginning: HistoryPoint = {...toPastState(from), ...first, id: null, source: null, content: null};
			return {from: toPastState(from), to: toPastState(to), cycles: cycles.length, points: sampleEvenly([beginning, ...cycles], points)};
		},
	};
};
