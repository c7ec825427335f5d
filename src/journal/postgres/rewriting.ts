/**
 * Rewrites the journal of an identity in one transaction, as the owner of its head. Then the tables are written again:
 * a dead row stays in its page until another one needs the space, even after a plain `vacuum`.
 */
import {type Database, inTransaction, type Query} from '../../platform/postgres/database.ts';
import {columnsOf, toValue} from '../../platform/postgres/values.ts';
import {writeAgain} from '../../platform/postgres/write-again.ts';
import {
	checksumOf, recordColumns, recordFields, revisionFields, validationColumns, validationFields, type EncodedRecord, type NumberedRow,
} from '../rows.ts';
import type {JournalRows} from '../journal-rows.ts';
import type {RowRewriting} from '../record-storage.ts';
import {appendStatement, type OwnedHead} from './append.ts';
import {deleteDigests} from './digest-rows.ts';

/** How many rows one statement writes. */
const pageSize = 64;

const columnTypes: Partial<Record<string, string>> = {state: 'bigint', vector: 'bytea', thirdness: 'bytea'};
const columns = [...recordColumns, 'checksum'];
const assign = (names: readonly string[], from: string): string => names.map(name => `${name} = ${from}.${name}`).join(', ');

const putInto = (table: 'record' | 'held'): string => `
	insert into processual.${table} (identity, seq, ${columns.join(', ')})
	select $1::integer, r.*
	from unnest($2::bigint[], ${recordColumns.map((column, i) => `$${i + 3}::${columnTypes[column] ?? 'text'}[]`).join(', ')},
		$${recordColumns.length + 3}::bigint[]) as r
	on conflict (identity, seq) do update set ${assign(columns, 'excluded')}`;

/** @returns the checksum of the last record; null if another owner writes the journal now, and nothing was done */
export const rewriteRows = async (
	database: Database, head: OwnedHead, row: EncodedRecord, {changes, revisions, validation, settled, waiting}: RowRewriting,
): Promise<number | null> => inTransaction(database, async query => {
	const {no, fence, seq, tip: before} = head;
	const [owned] = await query('update processual.identity set unswept = true where no = $1 and fence = $2 and seq = $3 and tip = $4 '
		+ 'returning no', [no, fence, seq, before]);
	if (!owned) {
		return null;
	}

	await putRows(query, no, 'record', changes());
	await query('delete from processual.held where identity = $1 and seq = any($2)', [no, settled]);
	await (waiting && putRows(query, no, 'held', waiting()));
	await query(`update processual.held set ${assign(columns, 'r')} from processual.record r `
		+ 'where held.identity = $1 and r.identity = $1 and r.seq = held.seq and r.kind = \'held\'', [no]);
	await putDecided(query, no, {revisions, validation: validation ?? null});
	if (validation === null) {
		await query('update processual.identity set validation = 0 where no = $1', [no]);
		await query('delete from processual.validation where identity = $1', [no]);
	}

	await deleteDigests(query, head);
	// A row of the fleet may name a source; the host makes it again.
	await query('delete from processual.fleet where identity = $1', [no]);
	const {text, values, tip} = appendStatement(head, [row]);
	await query(text, values);
	return tip;
}, {isBounded: false});

/** Writes records or held texts, in place of those with the same numbers. */
export const putRows = async (query: Query, no: number, table: 'record' | 'held', pages: AsyncIterable<NumberedRow[]>): Promise<void> => {
	for await (const page of pages) {
		const rows = page.map(each => [...recordFields(each.seq, each), checksumOf(recordFields(each.seq, each))]);
		for (const values of columnsOf(rows, pageSize)) {
			await query(putInto(table), [no, ...values]);
		}
	}
};

/** Writes decisions and the newest validation, in place of the earlier ones. */
export const putDecided = async (
	query: Query, no: number, {revisions, validation}: Pick<JournalRows, 'revisions' | 'validation'>,
): Promise<void> => {
	for (const fields of revisions.map(revisionFields)) {
		await query(`insert into processual.revision values ($1, $2, $3, $4)
			on conflict (identity, seq) do update set ${assign(['facts', 'checksum'], 'excluded')}`, [no, ...fields, checksumOf(fields)]);
	}

	if (validation) {
		const fields = validationFields(validation.seq, validation);
		await query(`insert into processual.validation values ($1, $2, $3, $4, $5, $6, $7)
			on conflict (identity) do update set ${assign(['seq', ...validationColumns, 'checksum'], 'excluded')}`,
		[no, ...fields.map(toValue), checksumOf(fields)]);
	}
};

/** Writes the tables with an identity's rows again. @returns what is left for the tables' owner to do, in a sentence; null for nothing */
export const sweep = async (database: Database, no: number): Promise<string | null> => {
	// All records of an identity are in one partition, and its digests in those of the same number.
	const [found] = await database.query<{partition: string}>(
		'select tableoid::regclass::text as partition from processual.record where identity = $1 limit 1', [no],
	);
	const partitions = found ? ['record_', 'digest_', 'kept_'].map(name => found.partition.replace('record_', name)) : [];
	const tables = ['held', 'validation', 'revision', 'key', 'fleet'].map(name => `processual.${name}`);
	const left = await writeAgain(database, [...tables, ...partitions]);
	if (left === null) {
		await database.query('update processual.identity set unswept = false where no = $1', [no]);
	}

	return left;
};

/** Whether dead rows of an identity's texts may be left. */
export const isUnswept = async ({query}: Pick<Database, 'query'>, no: number): Promise<boolean> =>
	(await query<{unswept: boolean}>('select unswept from processual.identity where no = $1', [no]))[0]?.unswept ?? false;
