/** The visit chart of a life since its validation, and whether its sources talk as in the baseline, from its records. */
import type {ChartBlame} from '../generated/types.ts';
import {addVisit, startChart, type ChartPosition, type Reading} from './chart.ts';
import {gatherVisits, visitTextOf, type EndedVisit, type LifeVisit} from './gather-visits.ts';
import type {Instrument} from './instrument.ts';
import {mulberry32} from './mulberry32.ts';
import type {OrdinaryTalk} from './ordinary-talk.ts';
import {sumVisit, testSourceChange, type VisitSum} from './source-change.ts';
import {blameSources, calibrateBy, nearestAlarm} from './visit-chart.ts';
import {visitsOf} from './visits.ts';
import {scale} from './whitened.ts';
import {projectWith, whiten, type Project, type Whitener} from './whitener.ts';

/** What a chart is asked for. */
export type ChartQuestion = {
	readonly ordinary: OrdinaryTalk;
	readonly averageRunLength: number;
	/** How many of the newest visits are followed. From 400 on the present reading is the same. */
	readonly visits: number;
};

/** The chart after a visit. */
export type ChartMoment = {
	/** When the last text of the visit was said; milliseconds since the epoch. */
	readonly time: number;
	readonly readings: readonly Reading[];
};

/** The chart, and the change of each source. */
export type ChartResult = {
	/** How many visits have ended. */
	readonly visits: number;
	/** Null for a baseline that says too little. */
	readonly chart: null | {
		/** After each visit that was followed, oldest first. */
		readonly trail: readonly ChartMoment[];
		readonly blame: readonly ChartBlame[];
		/** By source, where it has visits enough: the probability that chance makes its visits as different from those of the baseline. */
		readonly changed: ReadonlyArray<{readonly source: string; readonly p: number}>;
	};
	/** Whether records were compacted, whose visits are not known. */
	readonly isCompacted: boolean;
};

export const runChart: Instrument<ChartQuestion, ChartResult> = ({rules: {kernel}}, {ordinary, averageRunLength, visits: maxVisits}) => {
	const gather = gatherVisits();
	let newest: EndedVisit[] = [];
	let visits = 0;
	let isCompacted = false;
	return {
		take(entries) {
			for (const {record} of entries) {
				isCompacted ||= record.kind === 'snapshot';
				const ended = record.kind === 'cycle' ? gather.take(visitTextOf(record)) : null;
				if (ended) {
					visits++;
					newest.push(ended);
					newest = newest.length >= 2 * maxVisits ? newest.slice(-maxVisits) : newest;
				}
			}
		},
		answer() {
			const project = projectWith(kernel);
			const calibration = calibrateBy(ordinary, averageRunLength, project);
			if (!calibration) {
				return {visits, chart: null, isCompacted};
			}

			const followed = newest.slice(-maxVisits);
			let position: ChartPosition<LifeVisit> = startChart(calibration);
			const trail = followed.map(({visit, vectors}): ChartMoment => {
				position = addVisit(calibration, position, vectors, visit, project);
				return {time: visit.to, readings: position.readings};
			});
			return {
				visits,
				chart: {
					trail,
					blame: followed.length === 0 ? [] : blameSources(calibration, position, nearestAlarm(position.readings)),
					changed: findChanged(calibration.whitener, ordinary, followed, project),
				},
				isCompacted,
			};
		},
	};
};

const findChanged = (whitener: Whitener, {seq, texts}: OrdinaryTalk, now: readonly EndedVisit[], project: Project): Array<{source: string; p: number}> => {
	const before = visitsOf(texts);
	return [...new Set(now.map(({visit}) => visit.source))].flatMap(source => {
		const then = before.filter(([first]) => first!.source === source).map(visit => sumVisit(whitener, visit.map(({vector}) => vector), project));
		const since = now.filter(({visit}) => visit.source === source).map(({visit, vectors}) => sumOf(whitener, visit.texts, vectors[0]!, project));
		const {p} = then.length === 0 ? {p: null} : testSourceChange(then, since, mulberry32(seq));
		return p === null ? [] : [{source, p}];
	});
};

/** Of a visit that is known by its mean. */
const sumOf = (whitener: Whitener, texts: number, mean: Float32Array, project: Project): VisitSum =>
	({texts, sum: scale(whiten(whitener, mean, project), texts)});
