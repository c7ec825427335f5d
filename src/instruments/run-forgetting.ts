/** What is left of a history when texts are forgotten: its state, beside what the present one is. */
import type {PastState} from '../generated/types.ts';
import type {JournalEntry, StoredCycle, StoredHeld} from '../journal/journal.ts';
import {ForgettingRecords, type Forgetting, type Tombstone} from './forgetting-records.ts';
import type {Instrument, InstrumentStart} from './instrument.ts';
import {toPastState} from './stretch.ts';
import {followAlike, followUnsaid, withoutNames, type Unsaid} from './text-choice.ts';

export type ForgettingResult = {
	/** Of the state. */
	readonly thirdness: Float32Array;
	readonly cumulativeDrift: number;
	readonly tombstones: readonly Tombstone[];
	/** How many texts they are of. */
	readonly texts: number;
	/** How many of the texts that are left weigh nothing by the revision in force, and the first record that differs by it; null for none. */
	readonly excluded: number;
	readonly differsFrom: number | null;
	/** Of the state that is validated; null where that stays as it is. */
	readonly anchor: Float32Array | null;
	/** The state of a block of texts that are not known any more: it stays; null without one. */
	readonly block: PastState | null;
	readonly unsaid: Unsaid | null;
	/** Sources that look like those that are forgotten, as JSON. Their texts stay. */
	readonly alike: readonly string[];
};

/** Asked about all records, as they are. @param hear Called with each text that is to be forgotten */
export const followForgetting = (
	{rules}: Pick<InstrumentStart, 'rules'>, forgetting: Forgetting,
	hear?: (text: StoredCycle | StoredHeld) => void,
) => {
	const records = new ForgettingRecords(rules, forgetting);
	const names = followUnsaid(withoutNames(forgetting.choice, forgetting.beside));
	const alike = followAlike(forgetting.choice);
	return {
		records,
		take(entries: readonly JournalEntry[]) {
			for (const {record} of entries) {
				if (record.kind === 'cycle' || record.kind === 'held') {
					names.hear(record);
					alike.hear(record);
				}
			}

			records.read(entries).forgotten.forEach(text => hear?.(text));
		},
		answer(): ForgettingResult {
			const {working: {state, vigilance}, tombstones, texts, inForce: {excluded, differsFrom}, anchor, block} = records;
			return {
				thirdness: state.row('thirdness'), cumulativeDrift: vigilance.report.cumulativeDrift, tombstones, texts, excluded, differsFrom,
				anchor: anchor && anchor.row('thirdness'), block: block && toPastState(block.state), unsaid: names.find(),
				alike: alike.find(),
			};
		},
	};
};

export const runForgetting: Instrument<Forgetting, ForgettingResult> = ({rules}, forgetting) => followForgetting({rules}, forgetting);
