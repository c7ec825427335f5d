/**
 * Writes tables again without their dead rows: what was deleted or replaced stays in its page until another row needs
 * the place, also after a plain `vacuum`.
 */
import type {Database} from './database.ts';

/** How long it waits for those who use a table. */
const maxWait = '30s';

/**
 * Who uses the tables waits as long as it takes.
 *
 * @param more A statement that gives the oids of further ones.
 * @returns the tables that this role may not write again: they, and the others, stay as they are until their owner does
 * @throws {JournalError} where they are in use for too long
 */
export const writeAgain = async (
	{session: open}: Pick<Database, 'session'>, tables: readonly string[],
	more: {of: string; values: readonly unknown[]} = {of: 'select null::oid', values: []},
): Promise<string[]> => {
	const session = await open({isBounded: false});
	try {
		const found = await session.query<{name: string; isOurs: boolean}>(
			'select oid::regclass::text as name, pg_has_role(relowner, \'USAGE\') as "isOurs" from pg_class '
				+ `where oid = any(array[${tables.map(name => `'${name}'`).join(', ')}]::regclass[]::oid[]) or oid in (${more.of}) order by 1`,
			more.values,
		);
		const others = found.filter(({isOurs}) => !isOurs).map(({name}) => name);
		if (others.length === 0) {
			await session.query(`set lock_timeout = '${maxWait}'`);
			for (const {name} of found) {
				await session.query(`vacuum full ${name}`);
			}
		}

		return others;
	} finally {
		await session.close();
	}
};

/** What is left to its owner, in a sentence; null for nothing. */
export const leftToOwner = (tables: readonly string[]): string | null => tables.length === 0
	? null
	: 'Dead rows: this role may not write the tables again. As their owner, run '
		+ `${tables.map(table => `“vacuum full ${table}”`).join(', ')}.`;
