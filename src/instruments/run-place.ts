/** The state that a history has at a moment before a revision, by that revision. */
import type {Instrument} from './instrument.ts';
import {RevisedRecords, type RevisedReading} from './revised-records.ts';

/** Where a stretch begins that is read by revisions. */
export type RevisedPlace = {readonly thirdness: Float32Array; readonly cumulativeDrift: number; readonly block: number};

/** Asked about the records from the beginning up to the moment, as they are. */
export const runPlace: Instrument<RevisedReading, RevisedPlace> = ({rules, start}, reading) => {
	const records = new RevisedRecords(rules, start, reading, false);
	return {
		take(entries) {
			records.read(entries);
		},
		answer() {
			const {working: {state, vigilance}, block} = records;
			return {thirdness: state.row('thirdness'), cumulativeDrift: vigilance.report.cumulativeDrift, block};
		},
	};
};
