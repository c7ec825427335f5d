/** Settings of a database with which a crash takes what it has acknowledged. */
import type {Query} from './database.ts';

const losses: Readonly<Record<string, string>> = {
	synchronous_commit: 'a crash takes what it acknowledged last',
	fsync: 'a crash of its machine can damage all of it',
	full_page_writes: 'a crash of its machine can leave torn pages, unless its file system cannot tear them',
};

/** A sentence for each of them that is off, for this role in this database. */
export const findWeakSettings = async (query: Query): Promise<string[]> => {
	const rows = await query<{name: string}>(
		'select name from pg_settings where name = any($1) and setting = \'off\' order by name', [Object.keys(losses)],
	);
	return rows.map(({name}) => `The database runs with ${name} = off: ${losses[name]}. Set it to on.`);
};
