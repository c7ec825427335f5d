/** The visit chart of a validation: its limits, and who is behind a reading. */
import type {ChartBlame} from '../generated/types.ts';
import {calibrate} from './calibrate.ts';
import {blameOf, type Calibration, type ChartPosition, type Reading} from './chart.ts';
import {maxIds, type LifeVisit} from './gather-visits.ts';
import {mulberry32} from './mulberry32.ts';
import type {OrdinaryTalk} from './ordinary-talk.ts';
import {maxSources} from './source-of.ts';
import type {Project} from './whitener.ts';

/** Calibrates the chart of a validation. Its number seeds the limits, so that every reader has the same. @returns null for a baseline that says too little */
export const calibrateBy = ({seq, texts}: OrdinaryTalk, averageRunLength: number, project?: Project): Calibration | null =>
	calibrate(texts, {averageRunLength, random: mulberry32(seq), ...(project && {project})});

/** The place of the chart whose reading is nearest to its limit, or farthest above it. */
export const nearestAlarm = (readings: readonly Reading[]): number => {
	const ratios = readings.map(({reading, limit}) => reading / limit);
	return ratios.indexOf(Math.max(...ratios));
};

/** How many ids all sources have together: an answer with many sources stays small. */
const maxIdsOfAll = 2000;

/** Those that are not named, without ids. */
const sumOthers = (others: ReadonlyArray<Pick<ChartBlame, 'share' | 'texts'>>): ChartBlame => ({
	source: 'others',
	others: others.length,
	share: others.reduce((total, {share}) => total + share, 0),
	texts: others.reduce((total, {texts}) => total + texts, 0),
	ids: [],
});

/** How much of a reading the newest visits of each source made, the largest first. @param chart the place of its span */
export const blameSources = (calibration: Calibration, position: ChartPosition<LifeVisit>, chart: number): ChartBlame[] => {
	const sources = new Map<string, {share: number; texts: number; ids: string[]}>();
	for (const {facts: {source, texts, ids}, share} of blameOf(calibration, position, chart)) {
		const sum = sources.get(source) ?? {share: 0, texts: 0, ids: []};
		sources.set(source, {share: sum.share + share, texts: sum.texts + texts, ids: [...sum.ids, ...ids].slice(-maxIds)});
	}

	const largest = [...sources].toSorted(([, a], [, b]) => b.share - a.share);
	const named = largest.slice(0, maxSources).map(([source, {ids, ...sum}]) => ({source, ...sum, ids: ids.toReversed().slice(0, maxIdsOfAll / Math.min(largest.length, maxSources))}));
	return largest.length <= maxSources ? named : [...named, sumOthers(largest.slice(maxSources).map(([, sum]) => sum))];
};
