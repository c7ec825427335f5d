/** Writes the rows of a journal's tables, each with its checksum; must run in a transaction. */
import type {DatabaseSync, SQLInputValue} from 'node:sqlite';
import {checksumOf} from '../verified-rows.ts';
import type {Field} from '../json.ts';
import {recordColumns, recordFields, type EncodedRecord, type RecordRow} from '../record-codec.ts';
import {revisionFields, type RevisionRow} from '../revision.ts';
import {validationColumns, validationFields, type ValidationRow} from '../validation-codec.ts';

type InsertRecord = (seq: number, row: RecordRow) => void;

export class RowWriter {
	/** A record. */
	readonly insert: InsertRecord;
	/** A text that waits. */
	readonly insertHeld: InsertRecord;
	/** The newest validation, in place of the one before. */
	readonly keepValidation: (seq: number, row: ValidationRow) => void;
	/** What a revision, a release or a drop says. */
	readonly keepRevision: (row: RevisionRow) => void;
	readonly #removeHeld: (seq: number) => void;

	constructor(database: DatabaseSync) {
		const insertInto = (table: 'records' | 'held'): InsertRecord => {
			const insert = prepareInsert(database, table, ['seq', ...recordColumns]);
			return (seq, row) => {
				const fields = recordFields(seq, row);
				insert(fields, fields);
			};
		};

		this.insert = insertInto('records');
		this.insertHeld = insertInto('held');
		const replace = prepareInsert(database, 'validation', ['id', 'seq', ...validationColumns], 'or replace');
		this.keepValidation = (seq, row) => {
			const fields = validationFields(seq, row);
			replace([1, ...fields], fields);
		};

		const keep = prepareInsert(database, 'revision', ['seq', 'facts']);
		this.keepRevision = row => {
			const fields = revisionFields(row);
			keep(fields, fields);
		};

		const remove = database.prepare('delete from held where seq = ?');
		this.#removeHeld = seq => {
			remove.run(seq);
		};
	}

	/** Writes a new record, and what follows from it for the other tables. */
	append(seq: number, row: EncodedRecord): void {
		this.insert(seq, row);
		if (row.validation) {
			this.keepValidation(seq, row.validation);
		}

		if (row.revision !== undefined) {
			this.keepRevision({seq, facts: row.revision});
		}

		if (row.isWaiting) {
			this.insertHeld(seq, row);
		}

		row.settled?.forEach(this.#removeHeld);
	}
}

/** Inserts a row of these columns with the checksum of the fields that it covers. */
export const prepareInsert = (
	database: DatabaseSync, table: string, columns: readonly string[], conflict = '',
): (values: readonly Field[], covered: readonly Field[]) => void => {
	const insertion = database.prepare(`insert ${conflict} into ${table} `
		+ `(${columns.join(', ')}, checksum) values (${columns.map(() => '?').join(', ')}, ?)`);
	return (values, covered) => {
		insertion.run(...values as SQLInputValue[], checksumOf(covered));
	};
};
