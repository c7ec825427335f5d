/**
 * Reads an open database and verifies all of it: each row's checksum must be right, and each
 * number must follow its predecessor. What comes out is what was written, or a JournalError.
 */
import type {DatabaseSync, StatementSync} from 'node:sqlite';
import {JournalError} from '../../errors.ts';
import {checksumOf, type Field} from '../checksum.ts';
import {decodeSnapshotFacts, encodedStateOf, recordFields, type EncodedState, type NumberedRow} from '../record-codec.ts';
import {genesisFields, type GenesisRow} from '../genesis-codec.ts';
import {damageError, lossError} from './journal-errors.ts';
import {readNulSafe, recordSelection} from './nul-safe-rows.ts';
import {validationFields, type NumberedValidationRow} from '../validation-codec.ts';

/** The number of the newest record, which counts compacted ones too, that of the newest compacted one, and that of the newest validation; 0 for none. */
export type Head = {last: number; compacted: number; validation: number};

export const headFields = ({last, compacted, validation}: Head): Field[] => [last, compacted, validation];

type Checked = {checksum: number};

/** How many of the newest records are verified when a journal is opened. */
const verifiedOnOpen = 256;

export class VerifiedReader {
	readonly #database: DatabaseSync;
	readonly #place: string;
	readonly #selectBackwards: StatementSync;
	readonly #selectForwards: StatementSync;
	readonly #selectCycle: StatementSync;

	/** @param place How errors name the journal. */
	constructor(database: DatabaseSync, place: string) {
		const columns = `seq, ${recordSelection}, checksum`;
		this.#database = database;
		this.#place = place;
		this.#selectBackwards = database.prepare(`select ${columns} from records where seq <= ? order by seq desc`);
		this.#selectForwards = database.prepare(`select ${columns} from records where seq > ? order by seq limit ?`);
		this.#selectCycle = database.prepare(`select ${columns} from records where id = ? and kind = 'cycle' order by seq desc limit 1`);
	}

	/**
	 * Verifies a journal that is opened, in a time that does not grow with the file: the genesis,
	 * the head, the newest validation, and the newest records. Older records are verified when they are read.
	 *
	 * @param highWaterMark The newest acknowledged record; null when unknown.
	 */
	verify(highWaterMark: number | null): {head: Head; validation: NumberedValidationRow | null} {
		const head = this.readHead();
		this.readGenesis();
		const validation = this.readValidation();
		if (highWaterMark !== null && highWaterMark > head.last) {
			throw lossError(this.#place, head.last, highWaterMark);
		}

		const {newest} = this.#database.prepare('select max(seq) as newest from records').get() as {newest: number | null};
		if ((newest ?? 0) > head.last) {
			throw damageError(this.#place, `it has a record ${newest}, but its head says ${head.last}`);
		}

		let left = verifiedOnOpen;
		for (const _ of this.#readBackwards(head.last)) {
			if (--left === 0) {
				break;
			}
		}

		return {head, validation};
	}

	readHead(): Head {
		const row = this.#readOnly<Head & Checked>('head');
		this.#verifyChecksum('the head', row, headFields(row));
		return {last: row.last, compacted: row.compacted, validation: row.validation};
	}

	readGenesis(): GenesisRow {
		const row = this.#readOnly<GenesisRow & Checked>('genesis');
		this.#verifyChecksum('the genesis', row, genesisFields(row));
		return row;
	}

	/** The newest validation; null without one. */
	readValidation(): NumberedValidationRow | null {
		const {validation} = this.readHead();
		if (validation === 0) {
			return null;
		}

		const row = this.#readOnly<NumberedValidationRow & Checked>('validation');
		this.#verifyChecksum('the validation', row, validationFields(validation, row));
		return row;
	}

	/**
	 * The state and the standing (JSON) after a record; 0 is the genesis.
	 *
	 * @throws {JournalError} also when there is no such record, or it was compacted into a later snapshot.
	 */
	readAfter(seq: number): {state: EncodedState; standing: string | null} {
		const {last} = this.readHead();
		if (!(Number.isInteger(seq) && seq >= 0 && seq <= last)) {
			throw new JournalError(`${this.#place} has no record ${seq}. Ask for 1 to ${last}, or for 0, the genesis.`);
		}

		const holder = seq === 0 ? null : this.readRow(seq);
		if (holder && holder.seq !== seq) {
			throw new JournalError(`${this.#place} no longer has the state after record ${seq}: it was compacted. Ask for the states after ${firstOf(holder) - 1} or ${holder.seq}.`);
		}

		for (const row of this.#readBackwards(seq)) {
			switch (row.kind) {
				case 'cycle': {
					return {state: {stateId: row.state!, timestamp: row.timestamp, thirdness: row.thirdness!}, standing: row.standing};
				}

				case 'snapshot': {
					return {state: encodedStateOf(row), standing: row.standing};
				}

				case 'reset': {
					return {state: null, standing: row.standing};
				}
			}
		}

		return {state: null, standing: null};
	}

	/** At most `count` rows after a number, oldest first. Where the next record was compacted, the first row is its snapshot. */
	* readForwards(seq: number, count: number): Generator<NumberedRow> {
		const rows = (this.#selectForwards.all(seq, count) as Array<NumberedRow & Checked>).map(readNulSafe);
		let expected = seq + 1;
		for (const row of rows) {
			this.#verifyRecord(row);
			if (firstOf(row) > expected) {
				throw this.#missingError(expected);
			}

			yield row;
			expected = row.seq + 1;
		}

		if (rows.length < count && expected <= this.readHead().last) {
			throw this.#missingError(expected);
		}
	}

	/** The row that has a record: its own, or the snapshot that replaced it. */
	readRow(seq: number): NumberedRow {
		return this.readForwards(seq - 1, 1).next().value as NumberedRow;
	}

	/** The row of the newest cycle with this id; null without one. */
	find(id: string): NumberedRow | null {
		const found = this.#selectCycle.get(id) as (NumberedRow & Checked) | undefined;
		if (!found) {
			return null;
		}

		const row = readNulSafe(found);
		this.#verifyRecord(row);
		return row;
	}

	/** The rows from a number down to the first, newest first. */
	* #readBackwards(seq: number): Generator<NumberedRow> {
		let expected = seq;
		for (const read of this.#selectBackwards.iterate(seq) as Iterable<NumberedRow & Checked>) {
			const row = readNulSafe(read);
			if (row.seq !== expected) {
				break;
			}

			this.#verifyRecord(row);
			yield row;
			expected = firstOf(row) - 1;
		}

		if (expected !== 0) {
			throw this.#missingError(expected);
		}
	}

	#verifyRecord(row: NumberedRow & Checked): void {
		this.#verifyChecksum(`record ${row.seq}`, row, recordFields(row.seq, row));
	}

	#verifyChecksum(what: string, {checksum}: Checked, fields: Field[]): void {
		if (checksumOf(fields) !== checksum) {
			throw damageError(this.#place, `${what} is not what was written (its checksum differs)`);
		}
	}

	#missingError(seq: number): JournalError {
		return damageError(this.#place, `record ${seq} is missing`);
	}

	/** The one row of a table. */
	#readOnly<Row>(table: 'head' | 'genesis' | 'validation'): Row {
		const row = this.#database.prepare(`select * from ${table}`).get();
		if (!row) {
			throw damageError(this.#place, `its ${table} is missing`);
		}

		return row as Row;
	}
}

/** The first record that a row has. */
const firstOf = (row: NumberedRow): number => row.kind === 'snapshot' ? decodeSnapshotFacts(row).first : row.seq;
