/** A whole journal as rows, bit for bit the same in every database. */
import {JournalError} from '../platform/errors.ts';
import {
	genesisFields, recordFields, revisionFields, validationFields, type Field, type GenesisRow, type NumberedRow,
	type NumberedValidationRow, type RevisionRow,
} from './rows.ts';
import {readHeld, readPages} from './read-pages.ts';

/** The contents of a journal, all of them verified. They do not change until it is closed. */
export type JournalRows = {
	genesis: GenesisRow;
	/** The number of the newest record, and that of the newest compacted one; 0 for none. */
	last: number;
	compacted: number;
	validation: NumberedValidationRow | null;
	/** Oldest first. */
	revisions: RevisionRow[];
	/** The held texts after a record number, oldest first. */
	held: (after: number, count: number) => Promise<NumberedRow[]>;
	read: (from: number, count: number) => Promise<NumberedRow[]>;
	[Symbol.asyncDispose]: () => Promise<void>;
};

/** All records, oldest first. */
export const pagesOf = (rows: JournalRows): AsyncGenerator<NumberedRow[]> => readPages(rows, 0, rows.last);

/** @throws {JournalError} if a copy differs from its original in any bit */
export const requireSameRows = async (original: JournalRows, copy: JournalRows): Promise<void> => {
	requireSame('The head', [original.last, original.compacted], [copy.last, copy.compacted]);
	requireSame('The genesis', genesisFields(original.genesis), genesisFields(copy.genesis));
	requireSame('The validation', fieldsOf(original.validation), fieldsOf(copy.validation));
	requireSame('The list of revisions', original.revisions.flatMap(revisionFields), copy.revisions.flatMap(revisionFields));
	await requireSamePages('Record', pagesOf(original), pagesOf(copy));
	await requireSamePages('Held text', readHeld(original), readHeld(copy));
};

const requireSamePages = async (
	what: string, originals: AsyncGenerator<NumberedRow[]>, copied: AsyncGenerator<NumberedRow[]>,
): Promise<void> => {
	const copies = rowsIn(copied);
	for await (const row of rowsIn(originals)) {
		const {value: copy} = await copies.next() as {value: NumberedRow | undefined};
		requireSame(`${what} ${row.seq}`, recordFields(row.seq, row), copy ? recordFields(copy.seq, copy) : []);
	}
};

/** Without their pages, which end elsewhere in another database. */
async function * rowsIn(pages: AsyncGenerator<NumberedRow[]>): AsyncGenerator<NumberedRow> {
	for await (const page of pages) {
		yield * page;
	}
}

const fieldsOf = (row: NumberedValidationRow | null): Field[] => row ? validationFields(row.seq, row) : [];

const requireSame = (what: string, fields: readonly Field[], copied: readonly Field[]): void => {
	if (fields.length !== copied.length || !fields.every((field, i) => isSame(field, copied[i]!))) {
		throw new JournalError(`${what} of the copy differs from the original, which is as it was. Check the disks, then try again.`);
	}
};

const isSame = (a: Field, b: Field): boolean => a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
