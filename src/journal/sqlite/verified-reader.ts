/**
 * Reads an open database and verifies all of it: each row's checksum must be right, and each
 * number must follow its predecessor. What comes out is what was written, or a JournalError.
 */
import type {DatabaseSync, SQLInputValue} from 'node:sqlite';
import {JournalError} from '../../platform/errors.ts';
import {
	firstOf, genesisFields, initialStanding, maxPageBytes, recordColumns, requireChecksum, requireWholeRecord, requireWholeRevision,
	standingOf, textBytesOf, validationFields, verifyBackwards, verifyForwards, type Checked, type Field, type GenesisRow,
	type MakeDamage, type NumberedRow, type NumberedValidationRow, type RecordRow, type RevisionRow, type Standing,
} from '../rows.ts';
import {decodeVectors} from '../float-codec.ts';
import {damageError, lossError} from './journal-errors.ts';
import {isText} from './schema.ts';
import {nulSafeColumn, nulSafeText, preparing, type Prepare} from '../../platform/sqlite/open-database.ts';

/**
 * The numbers of the newest record, counting compacted ones too, of the newest compacted one, and of the newest
 * validation; 0 for none.
 */
export type Head = {last: number; compacted: number; validation: number};

export const headFields = ({last, compacted, validation}: Head): Field[] => [last, compacted, validation];

/** How many of the newest records are verified when a journal is opened. */
const verifiedOnOpen = 256;

export class VerifiedReader {
	readonly #database: DatabaseSync;
	readonly #place: string;
	readonly #damage: MakeDamage;
	readonly #prepare: Prepare;
	/** A file of an older version lacks the table `held`, and must not be written. */
	readonly #hasHeld: boolean;

	/** @param place How errors name the journal. @param prepare Caches frequent statements. */
	constructor(database: DatabaseSync, place: string, prepare: Prepare = preparing(database)) {
		this.#database = database;
		this.#place = place;
		this.#damage = what => damageError(place, what);
		this.#prepare = prepare;
		this.#hasHeld = hasTable(database, 'held');
	}

	/**
	 * Verifies a journal when it is opened, in a time that does not grow with the file: the genesis,
	 * the head, the newest validation, and the newest records. Older records are verified when they are read.
	 *
	 * @param highWaterMark The newest acknowledged record; null when unknown.
	 */
	verify(highWaterMark: number | null): {head: Head; genesis: GenesisRow; validation: NumberedValidationRow | null} {
		const head = this.readHead();
		const genesis = this.readGenesis();
		const validation = this.validation();
		if (highWaterMark !== null && highWaterMark > head.last) {
			throw lossError(this.#place, head.last, highWaterMark);
		}

		const {newest} = this.#database.prepare('select max(seq) as newest from records').get() as {newest: number | null};
		if ((newest ?? 0) > head.last) {
			throw this.#damage(`it has a record ${newest}, but its head says ${head.last}`);
		}

		let left = verifiedOnOpen;
		for (const _ of this.#readBackwards(head.last)) {
			if (--left === 0) {
				break;
			}
		}

		return {head, genesis, validation};
	}

	readHead(): Head {
		const row = this.#readOnly<Checked<Head>>('head');
		const {last, compacted, validation} = requireChecksum('the head', row, headFields(row), this.#damage);
		return {last, compacted, validation};
	}

	/** At most `count` rows of held texts after a record number, oldest first; none in a file of an older version. */
	held(after: number, count: number): NumberedRow[] {
		return this.#hasHeld ? this.#verifyHeld('seq > ? order by seq limit ?', after, count) : [];
	}

	countHeld(): number {
		return this.#hasHeld ? (this.#database.prepare('select count(*) as held from held').get() as {held: number}).held : 0;
	}

	#verifyHeld(condition: string, ...values: SQLInputValue[]): NumberedRow[] {
		const select = this.#prepare(`select ${columns} from held where ${condition}`);
		const {rows} = pageOf(select.iterate(...values) as Iterable<Checked<NumberedRow>>);
		return rows.map(row => requireWholeRecord(row, this.#damage));
	}

	readGenesis(): GenesisRow {
		const row = this.#readOnly<Checked<GenesisRow>>('genesis');
		return requireChecksum('the genesis', row, genesisFields(row), this.#damage);
	}

	/** The newest validation; null without one. */
	validation(): NumberedValidationRow | null {
		const {validation} = this.readHead();
		if (validation === 0) {
			return null;
		}

		const row = this.#readOnly<Checked<NumberedValidationRow>>('validation');
		return requireChecksum('the validation', row, validationFields(validation, row), this.#damage);
	}

	/** The decisions about texts, oldest first; none in a file of an older version. */
	revisions(): RevisionRow[] {
		const rows = hasTable(this.#database, 'revision')
			? this.#database.prepare('select * from revision order by seq').all() as Array<Checked<RevisionRow>>
			: [];
		return rows.map(row => requireWholeRevision(row, this.#damage));
	}

	/**
	 * The state and the standing (JSON) after a record; 0 is the genesis.
	 *
	 * @throws {JournalError} also when there is no such record, or it was compacted into a later snapshot.
	 */
	readAfter(seq: number): Standing {
		const {last} = this.readHead();
		if (!(Number.isInteger(seq) && seq >= 0 && seq <= last)) {
			throw new JournalError(`${this.#place} has no record ${seq}. Ask for 1 to ${last}, or for 0, the genesis.`);
		}

		const holder = seq === 0 ? null : this.readRow(seq);
		if (holder && holder.seq !== seq) {
			throw new JournalError(`${this.#place} no longer has the state after record ${seq}: it was compacted. `
				+ `Ask for the states after ${firstOf(holder) - 1} or ${holder.seq}.`);
		}

		for (const row of this.#readBackwards(seq)) {
			const standing = standingOf(row);
			if (standing) {
				return standing;
			}
		}

		return initialStanding;
	}

	/**
	 * At most `count` rows after a record number, oldest first; fewer if they are long. If the next record was compacted, the
	 * first row is its snapshot.
	 */
	* readForwards(seq: number, count: number): Generator<NumberedRow> {
		const {rows, isWhole} = pageOf(this.#prepare(selectForwards).iterate(seq, count) as Iterable<Checked<NumberedRow>>);
		yield * verifyForwards(rows, seq, isWhole && rows.length < count ? this.readHead().last : 0, this.#damage);
	}

	/** At most `count` rows from a record on, as {@link readForwards} gives them. */
	read(from: number, count: number): NumberedRow[] {
		return [...this.readForwards(from - 1, count)];
	}

	/** The vectors of the cycles among some records, not verified; null if one has more than `used` floats. */
	vectors(first: number, last: number, used: number): Float32Array | null {
		const select = this.#prepare('select vector from records where seq between ? and ? and kind = \'cycle\' order by seq');
		select.setReturnArrays(true);
		return decodeVectors((select.all(first, last) as unknown as Array<[Uint8Array]>).map(([vector]) => vector), used);
	}

	/** The row of a record, or the snapshot that replaced it. */
	readRow(seq: number): NumberedRow {
		return this.readForwards(seq - 1, 1).next().value as NumberedRow;
	}

	/** The row of the text with this id, as it was first recorded; null without one. */
	find(id: string): NumberedRow | null {
		const found = this.#prepare(selectText).get(id) as Checked<NumberedRow> | undefined;
		if (!found) {
			return this.#hasHeld ? this.#verifyHeld('id = ?', id)[0] ?? null : null;
		}

		return requireWholeRecord(readNulSafe(found), this.#damage);
	}

	/** The rows from a number down to the first, newest first. */
	* #readBackwards(seq: number): Generator<NumberedRow> {
		const rows = this.#database.prepare(selectBackwards).iterate(seq) as Iterable<Checked<NumberedRow>>;
		yield * verifyBackwards(mapped(rows), seq, this.#damage);
	}

	#readOnly<Row>(table: 'head' | 'genesis' | 'validation'): Row {
		const row = this.#database.prepare(`select * from ${table}`).get();
		if (!row) {
			throw this.#damage(`its ${table} is missing`);
		}

		return row as Row;
	}
}

const hasTable = (database: DatabaseSync, name: string): boolean =>
	database.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined;

/** The first rows, until they have `maxPageBytes`, and whether these are all. */
const pageOf = (found: Iterable<Checked<NumberedRow>>): {rows: Array<Checked<NumberedRow>>; isWhole: boolean} => {
	const rows: Array<Checked<NumberedRow>> = [];
	let bytes = 0;
	for (const row of found) {
		if (bytes > maxPageBytes) {
			return {rows, isWhole: false};
		}

		rows.push(readNulSafe(row));
		bytes += textBytesOf(row);
	}

	return {rows, isWhole: true};
};

function * mapped(rows: Iterable<Checked<NumberedRow>>): Generator<Checked<NumberedRow>> {
	for (const row of rows) {
		yield readNulSafe(row);
	}
}

/** Columns with text from callers, which may have NUL characters. */
const callerColumns = ['id', 'timestamp', 'content'] as const satisfies Array<keyof RecordRow>;

/** The columns of a `select` whose rows go through {@link readNulSafe}. */
const columns = ['seq', ...recordColumns, 'checksum']
	.map(column => (callerColumns as readonly string[]).includes(column) ? nulSafeColumn(column) : column)
	.join(', ');

const selectForwards = `select ${columns} from records where seq > ? order by seq limit ?`;
const selectText = `select ${columns} from records where id = ? and ${isText} order by seq limit 1`;
/** Read when a journal is opened, and hardly ever again. */
const selectBackwards = `select ${columns} from records where seq <= ? order by seq desc`;

const readNulSafe = <Row extends RecordRow>(row: Row): Row => ({
	...row,
	...Object.fromEntries(callerColumns.map(column => [column, nulSafeText(row[column])])),
});
