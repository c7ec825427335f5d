/**
 * Reads a journal that no process has open, without ever writing it: the state after any record,
 * and the records themselves, for a replay under other weights or under another model.
 */
import {existsSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';
import {setImmediate} from 'node:timers/promises';
import {JournalError} from '../../errors.ts';
import {indexOf} from '../../tensor/dimensions.ts';
import {StateTensor} from '../../tensor/state-tensor.ts';
import {VerifiedReader, type Head, type EncodedState} from './verified-reader.ts';
import {databasePath, openJournalToRead, describeJournal} from './database.ts';
import type {Genesis, Standing} from '../journal.ts';
import {readHighWaterMark} from './high-water-mark.ts';
import {hasTables} from './schema.ts';
import {decodeGenesis, decodeRecord, decodeThirdness, type StoredRecord} from './codec.ts';
import {lossError, toJournalError, withJournalErrors} from './journal-errors.ts';

/** A record and its place in the order, which begins at 1. */
export type JournalEntry = {seq: number; record: StoredRecord};

/** How many records are read at a time; between two batches the event loop has its turn. */
const batch = 64;

/**
 * Reads the journal in a folder, which no process may have open meanwhile.
 *
 * @example
 * ```ts
 * import {JournalReader} from 'processual-state/journal';
 *
 * const reader = new JournalReader('./identity');
 * const {stateId, timestamp} = reader.stateAfter(reader.records);
 * console.log(`${reader.records} records; state ${stateId} since ${timestamp}`);
 * reader.close();
 * ```
 */
export class JournalReader {
	/** A copy: writing into it changes no state that is read. */
	readonly genesis: Genesis;
	/** Records in all, compacted ones included. */
	readonly records: number;
	/** How many of the oldest records were compacted to snapshots. */
	readonly compacted: number;
	readonly #place: string;
	readonly #genesis: Genesis;
	readonly #database: DatabaseSync;
	readonly #contents: VerifiedReader;

	/** @throws {JournalError} when there is no journal in the folder, a process has it open, or it is damaged or of another version. */
	constructor(folder: string) {
		this.#place = describeJournal(folder);
		[this.#database, this.#contents, this.#genesis, {last: this.records, compacted: this.compacted}] =
			withJournalErrors(this.#place, () => open(folder, this.#place));
		const {initial, reference} = this.#genesis;
		this.genesis = {...this.#genesis, initial: initial.copy(), reference: reference.copy()};
	}

	/**
	 * The state after a record, bit for bit; 0 gives the initial state. The rows are the caller's own.
	 *
	 * @throws {JournalError} when there is no such record, it was compacted (snapshots are left at its block's ends; the message names them), or it is damaged.
	 */
	stateAfter(seq: number): StateTensor {
		return withJournalErrors(this.#place, () => assemble(this.#genesis, this.#contents.after(seq).state).copy());
	}

	/** The standing after a record, null when nothing had any by then; throws as `stateAfter` does. */
	standingAfter(seq: number): Standing | null {
		return withJournalErrors(this.#place, () => standingOf(this.#contents.after(seq).standing));
	}

	/**
	 * The records in their order from one on, each verified. Of what was compacted come snapshots.
	 *
	 * @throws {JournalError} when it comes to a damaged record; those before it were whole.
	 */
	async * replay({from = 1} = {}): AsyncGenerator<JournalEntry> {
		for (let seq = from - 1; seq < this.records;) {
			for (const entry of this.#entries(seq)) {
				yield entry;
				seq = entry.seq;
			}

			await setImmediate();
		}
	}

	/** Frees the file. */
	close(): void {
		this.#database.close();
	}

	/** Does what `close` does, for `using`. */
	[Symbol.dispose](): void {
		this.close();
	}

	/** What can be read comes before the trouble with what cannot. */
	* #entries(seq: number): Generator<JournalEntry> {
		try {
			for (const row of this.#contents.following(seq, batch)) {
				yield {seq: row.seq, record: decodeRecord(row)};
			}
		} catch (error) {
			throw toJournalError(error, this.#place);
		}
	}
}

/** No journal was begun in the folder. */
class MissingJournalError extends JournalError {}

/**
 * Reads the journal in a folder where one was begun: a start that was refused leaves an empty file.
 *
 * @returns null where no journal was begun, and no record acknowledged
 * @throws {JournalError} as {@link JournalReader} does for a journal that was begun
 */
export const openExistingJournal = (folder: string): JournalReader | null => {
	try {
		return new JournalReader(folder);
	} catch (error) {
		if (error instanceof MissingJournalError) {
			return null;
		}

		throw error;
	}
};

/** The state of what was kept: the initial one's rows but for thirdness, which alone ever changes. */
export const assemble = ({initial}: Genesis, state: EncodedState): StateTensor => state === null
	? initial
	: new StateTensor(state.stateId, state.timestamp, initial.rows.with(indexOf('thirdness'), decodeThirdness(state.thirdness)));

export const standingOf = (json: string | null): Standing | null => json === null ? null : JSON.parse(json);

const open = (folder: string, place: string): [DatabaseSync, VerifiedReader, Genesis, Head] => {
	const mark = readHighWaterMark(folder);
	const missingError = (what: string) => mark === null ? new MissingJournalError(`${place} ${what}: no journal was begun in this folder.`) : lossError(place, null, mark);
	if (!existsSync(databasePath(folder))) {
		throw missingError('does not exist');
	}

	const database = openJournalToRead(folder);
	try {
		if (!hasTables(database, place)) {
			throw missingError('is empty');
		}

		const contents = new VerifiedReader(database, place);
		const head = contents.check(mark);
		return [database, contents, decodeGenesis(contents.genesis()), head];
	} catch (error) {
		database.close();
		throw error;
	}
};
