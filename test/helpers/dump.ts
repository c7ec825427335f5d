/** Dumps the tables, and restores them while nodes run, as an operator does. */
import {JournalError} from '../../src/platform/errors.ts';

type Ask = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

const tablesOf = async (ask: Ask): Promise<string[]> => (await ask<{name: string}>(`
	select relname as name from pg_class
	where relnamespace = 'processual'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`)
).map(({name}) => name);

/** The columns of a table. Only with `overriding` can a statement set `no` of an identity. */
const columnsOf = async (ask: Ask, table: string): Promise<string> => (await ask<{columns: string}>(`
	select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns from information_schema.columns
	where table_schema = 'processual' and table_name = $1`, [table]))[0]!.columns;

/**
 * Dumps all tables, as they are at one moment.
 *
 * @returns what restores them in one transaction, with their sequences
 */
export const dump = async (ask: Ask): Promise<() => Promise<void>> => {
	const tables = await tablesOf(ask);
	await ask(`begin isolation level repeatable read; drop schema if exists dump cascade; create schema dump;
		${tables.map(table => `create table dump.${table} as select * from processual.${table};`).join(' ')} commit`);

	const statements = await Promise.all(tables.map(async table => {
		const columns = await columnsOf(ask, table);
		return `insert into processual.${table} (${columns}) overriding system value select ${columns} from dump.${table};`;
	}));
	// Statements that are sent together are one transaction, and one that failed leaves nothing open.
	const restoring = `truncate ${tables.map(table => `processual.${table}`).join(', ')}; ${statements.join(' ')}
		select setval(pg_get_serial_sequence('processual.identity', 'no'), coalesce((select max(no) from processual.identity), 0) + 1, false)`;
	const restore = async (attempts: number): Promise<void> => {
		await ask(restoring).catch(async error => {
			// In a deadlock with a node, the database cancels one of them.
			if (attempts === 1 || !(error instanceof JournalError && error.retryable)) {
				throw error;
			}

			await restore(attempts - 1);
		});
	};

	return async () => restore(5);
};
