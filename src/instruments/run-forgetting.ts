/** Computes what is left of a history when texts are forgotten: its state, its validation and its revisions. */
import type {PastState} from '../generated/types.ts';
import type {JournalEntry, StoredCycle, StoredHeld} from '../journal/journal.ts';
import {ForgettingRecords, type Forgetting, type Tombstone} from './forgetting-records.ts';
import type {InstrumentStart} from './instrument.ts';
import {toPastState} from './stretch.ts';
import {followAlike, followUnsaid, withoutNames, type Unsaid} from './text-choice.ts';

export type ForgettingResult = {
	/** Thirdness of the new present state. */
	readonly thirdness: Float32Array;
	readonly cumulativeDrift: number;
	readonly tombstones: readonly Tombstone[];
	/** The number of forgotten texts; a text may have two tombstones. */
	readonly texts: number;
	/** The number of remaining texts that the revision in force excludes. */
	readonly excluded: number;
	/** The first record that differs because of that revision; null for none. */
	readonly differsFrom: number | null;
	/** Thirdness of the validated state; null if that does not change, or without a validation. */
	readonly anchor: Float32Array | null;
	/** The state of a compacted block, whose texts are unknown and whose effect stays; null without one. */
	readonly block: PastState | null;
	readonly unsaid: Unsaid | null;
	/** Sources that look like forgotten ones, as JSON. Their texts stay. */
	readonly alike: readonly string[];
};

/** Takes all records as recorded. @param hear Called with each text that is to be forgotten. */
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
