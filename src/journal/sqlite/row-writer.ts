/** Writes the rows of a journal's tables, each with its checksum; must run in a transaction. */
import type {SQLInputValue} from 'node:sqlite';
import type {Prepare} from '../../platform/sqlite/open-database.ts';
import {
	checksumOf, genesisColumns, genesisFields, recordColumns, recordFields, revisionFields, validationColumns, validationFields,
	type EncodedRecord, type Field, type GenesisRow, type RecordRow, type RevisionRow, type ValidationRow,
} from '../rows.ts';
import {headFields, type Head} from './verified-reader.ts';

const insertInto = (table: string, columns: readonly string[], conflict = ''): string =>
	`insert ${conflict} into ${table} (${columns.join(', ')}, checksum) values (${columns.map(() => '?').join(', ')}, ?)`;

const insertions = {
	genesis: insertInto('genesis', ['id', ...genesisColumns]),
	records: insertInto('records', ['seq', ...recordColumns]),
	held: insertInto('held', ['seq', ...recordColumns]),
	validation: insertInto('validation', ['id', 'seq', ...validationColumns], 'or replace'),
	revision: insertInto('revision', ['seq', 'facts']),
};

export class RowWriter {
	readonly #prepare: Prepare;

	constructor(prepare: Prepare) {
		this.#prepare = prepare;
	}

	/** Writes a new record, and its effects on the other tables. */
	append(seq: number, row: EncodedRecord): void {
		this.insert(seq, row);
		if (row.validation) {
			this.keepValidation(seq, row.validation);
		}

		if (row.revision !== undefined) {
			this.keepRevision({seq, facts: row.revision});
		}

		if (row.isWaiting) {
			this.insert(seq, row, 'held');
		}

		row.settled?.forEach(settled => this.#prepare('delete from held where seq = ?').run(settled));
	}

	insertGenesis(genesis: GenesisRow): void {
		const fields = genesisFields(genesis);
		this.#insert('genesis', [1, ...fields], fields);
	}

	/** Writes a record, or a held text. */
	insert(seq: number, row: RecordRow, table: 'records' | 'held' = 'records'): void {
		this.#insert(table, recordFields(seq, row));
	}

	/** Writes the newest validation, in place of the earlier one. */
	keepValidation(seq: number, row: ValidationRow): void {
		const fields = validationFields(seq, row);
		this.#insert('validation', [1, ...fields], fields);
	}

	/** Writes the facts of a revision, a release or a drop. */
	keepRevision(row: RevisionRow): void {
		this.#insert('revision', revisionFields(row));
	}

	saveHead(head: Head): void {
		this.#prepare('update head set last = ?, compacted = ?, validation = ?, checksum = ?')
			.run(head.last, head.compacted, head.validation, checksumOf(headFields(head)));
	}

	/** @param covered The fields that the checksum covers. */
	#insert(table: keyof typeof insertions, values: readonly Field[], covered = values): void {
		this.#prepare(insertions[table]).run(...values as SQLInputValue[], checksumOf(covered));
	}
}
