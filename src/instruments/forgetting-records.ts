/**
 * Rewrites the records of a history as if some texts had never been heard (`docs/spec/instruments.md#forget`).
 *
 * A forgotten text leaves a tombstone with its number and time. All later texts are run again, because two consecutive states would
 * reveal the text between them. Ids and times stay. So do states whose texts are unknown: those of compacted blocks, and of revisions
 * that depend on such a block.
 */
import type {PastState} from '../generated/types.ts';
import type {JournalEntry, StoredCycle, StoredHeld, StoredRecord, StoredRevision} from '../journal/journal.ts';
import type {Exclusion, Revision, TextChoice} from '../journal/revision.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import {turnMrad} from '../kernel/dot.ts';
import type {InstrumentStart} from './instrument.ts';
import {recordedAfter, runAgain, startReplay, type Recorded, type ReplayRules} from './replay.ts';
import {RevisedRecords} from './revised-records.ts';
import type {RevisionResult} from './run-revision.ts';
import {toPastState} from './stretch.ts';
import {chosenBy, followAlike, followUnsaid, withoutNames} from './text-choice.ts';

export type Forgetting = {
	/** The id of the tombstones. */
	readonly id: string;
	readonly choice: TextChoice;
	/** The names of the choice that occur outside the records, as in the baseline. */
	readonly beside: TextChoice;
	/** All revisions of the journal, oldest first. */
	readonly revisions: readonly Revision[];
	/** The number of the newest validation; 0 for none. */
	readonly validated: number;
};

/** What is left of a forgotten text. */
export type Tombstone = {readonly seq: number; readonly timestamp: string};

/** Reads all records of a journal from the beginning. */
export class ForgettingRecords {
	readonly #rules: ReplayRules;
	readonly #forgetting: Forgetting;
	readonly #isChosen: (text: StoredCycle | StoredHeld) => boolean;
	/** For each revision, the new records as it reads them. */
	readonly #readers: Array<{readonly revision: Revision; readonly records: RevisedRecords}>;
	/** The result of the journal's own records; `#other` is that of the new ones, null while both are the same. */
	#own: Recorded;
	#other: WorkingState | null = null;
	/** The new records as read by the revision in force, without the forgotten names. */
	readonly inForce: RevisedRecords;
	/** The rewritten revisions, by the numbers of their records. */
	readonly #revisions = new Map<number, Revision>();
	/** In the order of the records. */
	readonly tombstones: Tombstone[] = [];
	/** The ids of forgotten texts: one that was held and then released has two records. */
	readonly #texts = new Set<string>();
	/** The last record whose texts are unknown, and its state; null for none. */
	block: {readonly seq: number; readonly state: StateTensor} | null = null;
	/** The validated state without the forgotten texts; null without a validation. */
	anchor: StateTensor | null = null;

	constructor(rules: ReplayRules, forgetting: Forgetting) {
		const start = startReplay(rules);
		this.#rules = rules;
		this.#forgetting = forgetting;
		this.#isChosen = chosenBy(forgetting.choice);
		this.#own = {state: start.state, cumulativeDrift: start.vigilance.report.cumulativeDrift};
		this.#readers = forgetting.revisions.map((revision, i) => ({
			revision,
			records: new RevisedRecords(rules, start, {revisions: [...forgetting.revisions.slice(0, i), revision], block: 0}, false),
		}));
		const {choice, revisions} = forgetting;
		const newest = revisions.at(-1);
		const inForce = {seq: Infinity, exclusions: newest ? stillExcluded(newest, choice) : [], differsFrom: Infinity};
		this.inForce = new RevisedRecords(rules, start, {revisions: [...revisions, inForce], block: 0}, false);
	}

	/** The number of forgotten texts. */
	get texts(): number {
		return this.#texts.size;
	}

	/** The result of the new records. */
	get working(): WorkingState {
		return this.#other ?? startReplay(this.#rules, this.#own.state, this.#own.cumulativeDrift);
	}

	/** The rewritten revision. */
	saidBy(revision: Revision): Revision {
		return this.#revisions.get(revision.seq) ?? this.#withoutNames(revision);
	}

	/** Reads the next records. @returns the records that replace others, and the forgotten texts */
	read(entries: readonly JournalEntry[]): {changes: JournalEntry[]; forgotten: Array<StoredCycle | StoredHeld>} {
		const changes: JournalEntry[] = [];
		const forgotten: Array<StoredCycle | StoredHeld> = [];
		for (const entry of entries) {
			const changed = this.#read(entry);
			if (changed !== entry) {
				changes.push(changed);
			}

			if (changed.record.kind === 'forgotten' && isText(entry.record)) {
				forgotten.push(entry.record);
			}

			this.inForce.read([changed]);

			for (const {revision, records} of this.#readers) {
				if (revision.seq >= entry.seq) {
					records.read([changed]);
				}
			}

			if (entry.seq === this.#forgetting.validated) {
				this.anchor = this.working.state;
			}
		}

		return {changes, forgotten};
	}

	#read(entry: JournalEntry): JournalEntry {
		const {seq, record} = entry;
		if (isText(record) && this.#isChosen(record)) {
			this.tombstones.push({seq, timestamp: record.timestamp});
			this.#texts.add(record.id);
			this.#other = this.working;
			this.#keep(record);
			return {seq, record: {kind: 'forgotten', id: this.#forgetting.id, timestamp: record.timestamp}};
		}

		if (record.kind === 'revision') {
			return this.#readRevision(entry, record);
		}

		this.#keep(record);
		if (record.kind === 'reset' || record.kind === 'snapshot') {
			this.#other = null;
			this.block = record.kind === 'snapshot' ? {seq, state: this.#own.state} : this.block;
			return entry;
		}

		if (!(isText(record) && this.#other)) {
			return entry;
		}

		const again = runAgain(this.#rules, this.#other, record);
		this.#other = again.working;
		return {seq, record: again.record};
	}

	#readRevision(entry: JournalEntry, record: StoredRevision): JournalEntry {
		const {revision, records} = this.#readers.find(({revision: {seq}}) => seq === entry.seq)!;
		const before = this.working.state;
		this.#keep(record);
		if (revision.differsFrom <= (this.block?.seq ?? 0)) {
			this.#other = null;
			this.block = {seq: entry.seq, state: this.#own.state};
			return entry;
		}

		const {working: {state, vigilance}, excluded, differsFrom} = records;
		const made = this.#rules.initial.withThirdness(record.stateId, record.timestamp, state.row('thirdness'));
		const {cumulativeDrift} = vigilance.report;
		if (this.tombstones.length > 0) {
			const angle = turnMrad(before.row('thirdness'), made.row('thirdness'));
			this.#revisions.set(entry.seq, {...this.#withoutNames(revision), excluded, differsFrom: differsFrom ?? entry.seq, turnMrad: angle});
		}

		if (cumulativeDrift === record.checkpoint.cumulativeDrift && isSameRow(made.row('thirdness'), record.thirdness)) {
			this.#other = null;
			return entry;
		}

		this.#other = {state: made, vigilance};
		return {seq: entry.seq, record: {...record, thirdness: made.row('thirdness'), checkpoint: {...record.checkpoint, cumulativeDrift}}};
	}

	/** Removes the forgotten names from a revision. Holds on them stay in force through the forgetting's own record. */
	#withoutNames(revision: Revision): Revision {
		const {choice} = this.#forgetting;
		const {without, holds} = revision;
		return {
			...revision, exclusions: stillExcluded(revision, choice),
			without: without && withoutNames(without, choice), holds: holds ? withoutNames(holds, choice) : null,
		};
	}

	#keep(record: StoredRecord): void {
		this.#own = recordedAfter(this.#rules.initial, this.#own, record);
	}
}

/** The exclusions of a revision without the forgotten names. */
export const stillExcluded = ({exclusions}: Pick<Revision, 'exclusions'>, choice: TextChoice): Exclusion[] => exclusions
	.map(exclusion => ({...exclusion, texts: exclusion.texts && withoutNames(exclusion.texts, choice)}))
	.filter(({texts}) => texts === null || Object.keys(texts).length > 0);

const isText = (record: StoredRecord): record is StoredCycle | StoredHeld => record.kind === 'cycle' || record.kind === 'held';

const isSameRow = (a: Float32Array, b: Float32Array): boolean => a.every((value, i) => Object.is(value, b[i]));

/** What is left of a history: `excluded` counts the remaining texts that the revision in force excludes. */
export type ForgettingResult = Readonly<Pick<RevisionResult, 'thirdness' | 'cumulativeDrift' | 'excluded' | 'differsFrom' | 'unsaid'>> & {
	readonly tombstones: readonly Tombstone[];
	/** The number of forgotten texts; a text may have two tombstones. */
	readonly texts: number;
	/** Thirdness of the validated state; null if that does not change, or without a validation. */
	readonly anchor: Float32Array | null;
	/** The state of a compacted block, whose texts are unknown and whose effect stays; null without one. */
	readonly block: PastState | null;
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
