/**
 * Reads the records of a history as if the texts that a revision excludes had never been heard
 * (`docs/spec/instruments.md#1-replay-core-dry-run-what-if-fork`).
 *
 * Up to the first excluded record they are the journal's own. From there each text is run again, so that scores, rows and drift are
 * those of the revised history; ids and times stay. After the revision they are the journal's own again, because those cycles started
 * from the state that it made.
 */
import type {JournalEntry, StoredRecord, StoredRevision} from '../journal/journal.ts';
import type {Exclusion, Revision} from '../journal/revision.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import {maxPastTotals} from './history.ts';
import {recordedAfter, runAgain, startReplay, type Recorded, type ReplayRules} from './replay.ts';
import {chosenBy} from './text-choice.ts';
import type {Instrument} from './instrument.ts';

export type Excluding = Pick<Revision, 'seq' | 'exclusions' | 'differsFrom'>;

export type RevisedReading = {
	/** The revisions up to the end of the stretch, oldest first; the newest is in force. */
	readonly revisions: readonly [...Excluding[], Excluding];
	/** The last record before the stretch whose texts are unknown; 0 for none. */
	readonly block: number;
};

/** The revisions by which the records of a stretch are read; null if they are read as recorded. */
export const readingOver = (revisions: readonly Revision[], from: number, to: number): RevisedReading | null => {
	const known = revisions.filter(({seq}) => seq <= to);
	const newest = known.pop();
	return newest && newest.seq > from ? {revisions: [...known, newest], block: 0} : null;
};

/** Tests whether a record is excluded. */
export const excludedBy = (exclusions: readonly Exclusion[]): ((entry: JournalEntry) => boolean) => {
	const tests = exclusions.map(({from, to, texts}) => {
		const isChosen = texts && chosenBy(texts);
		return ({seq, record}: JournalEntry) => seq >= from && seq <= to
			&& (isChosen === null || (record.kind === 'cycle' && isChosen(record)));
	});
	return entry => tests.some(isExcluded => isExcluded(entry));
};

const toSnapshot = ({id, timestamp, stateId, thirdness, checkpoint}: StoredRevision): StoredRecord =>
	({kind: 'snapshot', id, timestamp, first: 1, state: {stateId, timestamp, thirdness}, checkpoint});

export class RevisedRecords {
	readonly #rules: ReplayRules;
	readonly #reading: RevisedReading;
	/** The revision in force. */
	readonly #newest: Excluding;
	readonly #isExcluded: (entry: JournalEntry) => boolean;
	/** The result of the records themselves. */
	#recorded: Recorded;
	/** The result of the revised history; null while both are the same. */
	#other: WorkingState | null;
	/** The last record whose texts are unknown; 0 for none. */
	block: number;
	/** The number of the first record that differs; null for none. */
	differsFrom: number | null = null;
	/** The number of excluded texts since the beginning or the last reset. */
	excluded = 0;

	/** @param start The state before the records. @param isRevised Whether that is a state of the revised history. */
	constructor(rules: ReplayRules, start: WorkingState, reading: RevisedReading, isRevised: boolean) {
		this.#rules = rules;
		this.#reading = reading;
		this.#newest = reading.revisions.at(-1)!;
		this.#isExcluded = excludedBy(this.#newest.exclusions);
		this.block = reading.block;
		this.#recorded = {state: start.state, cumulativeDrift: start.vigilance.report.cumulativeDrift};
		this.#other = isRevised ? start : null;
	}

	/** The result of the revised history so far. */
	get working(): WorkingState {
		return this.#other ?? startReplay(this.#rules, this.#recorded.state, this.#recorded.cumulativeDrift);
	}

	read(entries: readonly JournalEntry[]): JournalEntry[] {
		return entries.flatMap(entry => this.#read(entry) ?? []);
	}

	#read(entry: JournalEntry): JournalEntry | null {
		const {seq, record} = entry;
		if (seq > this.#newest.seq) {
			return entry;
		}

		if (this.#isExcluded(entry)) {
			this.excluded += Number(record.kind === 'cycle');
			this.#differ(seq);
			this.#record(record);
			return null;
		}

		if (record.kind === 'cycle' && this.#other) {
			this.#record(record);
			// Its state keeps the id of the recorded one, which `state?at=` shows.
			const again = runAgain(this.#rules, this.#other, record);
			this.#other = again.working;
			return {seq, record: again.record};
		}

		if (record.kind === 'revision') {
			return this.#readRevision(entry, record);
		}

		this.#record(record);
		if (record.kind === 'reset' || record.kind === 'snapshot') {
			this.#beginHere(seq, record.kind === 'snapshot');
		}

		return entry;
	}

	/** An earlier revision is not part of this history, unless the texts before it are gone: then its state is all that is known. */
	#readRevision(entry: JournalEntry, record: StoredRevision): JournalEntry | null {
		const {seq} = entry;
		const {differsFrom} = this.#reading.revisions.find(revision => revision.seq === seq)!;
		const isGone = differsFrom <= this.block;
		if (!isGone && seq < this.#newest.seq) {
			this.#differ(seq);
			this.#record(record);
			return null;
		}

		this.#record(record);
		if (isGone) {
			this.#beginHere(seq, true);
		}

		return isGone ? {seq, record: toSnapshot(record)} : entry;
	}

	#differ(seq: number): void {
		this.#other ??= this.working;
		this.differsFrom ??= seq;
	}

	#beginHere(seq: number, isBlock: boolean): void {
		this.#other = null;
		this.differsFrom = null;
		this.excluded = 0;
		this.block = isBlock ? seq : this.block;
	}

	#record(record: StoredRecord): void {
		this.#recorded = recordedAfter(this.#rules.initial, this.#recorded, record);
	}
}

/** The state at which a revised stretch begins. */
export type RevisedPlace = {
	readonly thirdness: Float32Array; readonly cumulativeDrift: number; readonly block: number;
	/** The dissonance totals of the newest texts before it, oldest first; none before a reset or a compaction. */
	readonly totals: readonly number[];
};

/** Run it over the records from the beginning up to the moment, as recorded. */
export const runPlace: Instrument<RevisedReading, RevisedPlace> = ({rules, start}, reading) => {
	const records = new RevisedRecords(rules, start, reading, false);
	let totals: number[] = [];
	return {
		take(entries) {
			for (const {record} of records.read(entries)) {
				totals = record.kind === 'reset' || record.kind === 'snapshot' ? [] : totals;
				totals.push(...record.kind === 'cycle' ? [record.total] : []);
			}
		},
		answer() {
			const {working: {state, vigilance}, block} = records;
			return {
				thirdness: state.row('thirdness'), cumulativeDrift: vigilance.report.cumulativeDrift, block, totals: totals.slice(-maxPastTotals),
			};
		},
	};
};
