/** What a watch on drift begins with: the chart of a validation, where the life has come to since then, and what it said itself. */
import type {StoredCycle} from '../journal/journal.ts';
import {addVisit, startChart, type Calibration, type ChartPosition} from './chart.ts';
import {maxOwn, ownSource, type OwnOutput} from './echo-guard.ts';
import {gatherVisits, visitTextOf, type LifeVisit, type OpenVisit} from './gather-visits.ts';
import type {Instrument} from './instrument.ts';
import type {OrdinaryTalk} from './ordinary-talk.ts';
import {calibrateBy} from './visit-chart.ts';
import {projectWith} from './whitener.ts';

/** What it is asked. */
export type WatchQuestion = {validation: OrdinaryTalk; averageRunLength: number};

/** What it answers. */
export type WatchStart = {
	/** Null for a baseline that says too little. */
	readonly chart: {readonly calibration: Calibration; readonly position: ChartPosition<LifeVisit>; readonly open: OpenVisit | null} | null;
	/** The newest texts that it said itself, oldest first. */
	readonly own: readonly OwnOutput[];
};

/** Asked about the stretch since the validation. */
export const runWatch: Instrument<WatchQuestion, WatchStart> = ({rules: {kernel}}, {validation, averageRunLength}) => {
	const project = projectWith(kernel);
	const calibration = calibrateBy(validation, averageRunLength, project);
	const visits = gatherVisits();
	let position = calibration && startChart<LifeVisit>(calibration);
	let own: OwnOutput[] = validation.texts.flatMap(({id, source, time, vector}) => source === ownSource ? [{id, timestamp: new Date(time).toISOString(), vector}] : []);

	const take = (cycle: StoredCycle): void => {
		const text = visitTextOf(cycle);
		const ended = visits.take(text);
		if (ended && calibration && position) {
			position = addVisit(calibration, position, ended.vectors, ended.visit, project);
		}

		if (text.source === ownSource) {
			const {id, timestamp, vector} = cycle;
			own = [...own, {id, timestamp, vector}].slice(-maxOwn);
		}
	};

	return {
		take(entries) {
			for (const {record} of entries) {
				if (record.kind === 'cycle') {
					take(record);
				}
			}
		},
		answer: () => ({chart: calibration && position && {calibration, position, open: visits.open()}, own: own.slice(-maxOwn)}),
	};
};
