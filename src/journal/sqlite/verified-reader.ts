/**
 * What an open database holds, read with suspicion: every checksum is verified and every number
 * must follow its predecessor, so that what comes out is what was written, or a JournalError.
 */
import type {DatabaseSync, StatementSync} from 'node:sqlite';
import {JournalError} from '../../errors.ts';
import {checksumOf, type Field} from './checksum.ts';
import {factsOfSnapshot, fieldsOf, genesisFields, type GenesisRow, type Row} from './codec.ts';
import {damageError, lossError} from './journal-errors.ts';
import {selection, nulSafeRow} from './nul-safe-rows.ts';

/** How many records there are, compacted ones included, and how many of them were compacted. */
export type Head = {last: number; compacted: number};

export const headFields = ({last, compacted}: Head): Field[] => [last, compacted];

export type NumberedRow = Row & {seq: number};

type Sealed = {checksum: number};

/** A state but for the seven rows that never change; null stands for the initial state. */
export type EncodedState = {stateId: number; timestamp: string; thirdness: Uint8Array} | null;

/** How many of the newest records are verified when a journal is opened. */
const tail = 256;

export class VerifiedReader {
	readonly #database: DatabaseSync;
	readonly #place: string;
	readonly #down: StatementSync;
	readonly #up: StatementSync;

	constructor(database: DatabaseSync, place: string) {
		const row = `seq, ${selection}, checksum`;
		this.#database = database;
		this.#place = place;
		this.#down = database.prepare(`select ${row} from records where seq <= ? order by seq desc`);
		this.#up = database.prepare(`select ${row} from records where seq > ? order by seq limit ?`);
	}

	/**
	 * The check of a journal that is opened. Its time does not grow with the file: it covers the
	 * beginning, the head, and the newest records; older ones are verified when they are read.
	 *
	 * @param mark The newest acknowledged record, null when nobody knows.
	 */
	check(mark: number | null): Head {
		const head = this.head();
		this.genesis();
		if (mark !== null && mark > head.last) {
			throw lossError(this.#place, head.last, mark);
		}

		const {newest} = this.#database.prepare('select max(seq) as newest from records').get() as {newest: number | null};
		if ((newest ?? 0) > head.last) {
			throw damageError(this.#place, `it has a record ${newest}, but its head says ${head.last}`);
		}

		let left = tail;
		for (const _ of this.backwards(head.last)) {
			if (--left === 0) {
				break;
			}
		}

		return head;
	}

	head(): Head {
		const row = this.#one<Head & Sealed>('head');
		this.#verify('the head', row, headFields);
		return {last: row.last, compacted: row.compacted};
	}

	genesis(): GenesisRow {
		const row = this.#one<GenesisRow & Sealed>('genesis');
		this.#verify('the genesis', row, genesisFields);
		return row;
	}

	/**
	 * The state and the standing (JSON) after a record; 0 is the beginning.
	 *
	 * @throws {JournalError} also when there is no such record, or it was compacted into a later snapshot.
	 */
	after(seq: number): {state: EncodedState; standing: string | null} {
		const {last} = this.head();
		if (!(Number.isInteger(seq) && seq >= 0 && seq <= last)) {
			throw new JournalError(`${this.#place} has no record ${seq}: its records are 1 to ${last}, and 0 is the beginning.`);
		}

		const keeper = seq === 0 ? null : this.keeperOf(seq);
		if (keeper && keeper.seq !== seq) {
			throw new JournalError(`${this.#place} does not know the state after record ${seq} any more: it was compacted. It knows the states after ${firstOf(keeper) - 1} and after ${keeper.seq}.`);
		}

		for (const row of this.backwards(seq)) {
			switch (row.kind) {
				case 'cycle': {
					return {state: {stateId: row.state!, timestamp: row.timestamp, thirdness: row.thirdness!}, standing: row.standing};
				}

				case 'snapshot': {
					const {stateTimestamp} = factsOfSnapshot(row);
					const state = stateTimestamp === null ? null : {stateId: row.state!, timestamp: stateTimestamp, thirdness: row.thirdness!};
					return {state, standing: row.standing};
				}

				case 'reset': {
					return {state: null, standing: row.standing};
				}
			}
		}

		return {state: null, standing: null};
	}

	/** The rows from a number down to the first, newest first. */
	* backwards(seq: number): Generator<NumberedRow> {
		let expected = seq;
		for (const read of this.#down.iterate(seq) as Iterable<NumberedRow & Sealed>) {
			const row = nulSafeRow(read);
			if (row.seq !== expected) {
				break;
			}

			this.#verifyRecord(row);
			yield row;
			expected = firstOf(row) - 1;
		}

		if (expected !== 0) {
			throw this.#missing(expected);
		}
	}

	/** At most `count` rows after a number, oldest first; where that was compacted, they begin with the snapshot that stands for it. */
	* following(seq: number, count: number): Generator<NumberedRow> {
		const rows = (this.#up.all(seq, count) as Array<NumberedRow & Sealed>).map(nulSafeRow);
		let expected = seq + 1;
		for (const row of rows) {
			this.#verifyRecord(row);
			if (firstOf(row) > expected) {
				throw this.#missing(expected);
			}

			yield row;
			expected = row.seq + 1;
		}

		if (rows.length < count && expected <= this.head().last) {
			throw this.#missing(expected);
		}
	}

	/** The row that a record is in: its own, or the snapshot that stands for it. */
	keeperOf(seq: number): NumberedRow {
		return this.following(seq - 1, 1).next().value as NumberedRow;
	}

	#verifyRecord(row: NumberedRow & Sealed): void {
		this.#verify(`record ${row.seq}`, row, () => fieldsOf(row.seq, row));
	}

	#missing(seq: number): JournalError {
		return damageError(this.#place, `record ${seq} is missing`);
	}

	#verify<Stored extends Sealed>(what: string, row: Stored, fields: (row: Stored) => Field[]): void {
		if (checksumOf(fields(row)) !== row.checksum) {
			throw damageError(this.#place, `${what} is not what was written (its checksum differs)`);
		}
	}

	#one<Stored>(table: 'head' | 'genesis'): Stored {
		const row = this.#database.prepare(`select * from ${table}`).get();
		if (!row) {
			throw damageError(this.#place, `its ${table} is missing`);
		}

		return row as Stored;
	}
}

/** The first record that a row stands for. */
const firstOf = (row: NumberedRow): number => row.kind === 'snapshot' ? factsOfSnapshot(row).first : row.seq;
