/** The keys of identities in a table of the database, which dumps can leave out (`--exclude-table-data=processual.key`). */
import {type Database, inTransaction, type Query} from '../../platform/postgres/database.ts';
import {reasonOf} from '../../platform/errors.ts';
import {writeAgain} from '../../platform/postgres/write-again.ts';
import type {GoneKeys, KeyEntry, KeyStore} from '../key-ring.ts';

/** @param name The name of the identity; one that replaces it has the same keys. */
export const keysInTable = (database: Database, name: string): KeyStore => ({
	place: `the table processual.key, for “${name}”,`,
	copies: 'Dumps with the table processual.key, base backups, standbys and archives of the write-ahead log from before have the keys too: '
		+ 'delete them.',
	async read() {
		const rows = await database.query<{entry: string}>('select entry from processual.key where name = $1 order by no', [name]);
		return rows.length === 0 ? null : rows.map(({entry}) => JSON.parse(entry) as KeyEntry);
	},
	async add(entries) {
		await database.query(insert, [name, toJson(entries)]);
	},
	// A key that the identity's next owner has added since is unknown here, and has sealed texts: it stays.
	replace: async (entries, gone) => writeAgainAfter(database, name, async query => gone
		? removeGone(query, name, gone)
		: replaceAll(query, name, entries)),
});

/** Destroys all keys of an identity and runs `end`, in one transaction. */
export const destroyKeysWith = async (database: Database, name: string, end: (query: Query) => Promise<void>): Promise<void> => {
	await writeAgainAfter(database, name, async query => {
		await end(query);
		return replaceAll(query, name, []);
	});
};

/** They are found here: a source may have characters that JSON allows, and the database's JSON does not. */
const removeGone = async (query: Query, name: string, {keys, by}: GoneKeys): Promise<object[]> => {
	const gone = new Set(keys);
	const rows = await query<{no: number; entry: string}>('select no, entry from processual.key where name = $1', [name]);
	const removed = rows.filter(({entry}) => {
		const stored = JSON.parse(entry) as KeyEntry;
		return 'replaced' in stored ? stored.by === by : gone.has(stored.key);
	});
	return query('delete from processual.key where no = any($1) returning no', [removed.map(({no}) => no)]);
};

const replaceAll = async (query: Query, name: string, entries: readonly KeyEntry[]): Promise<object[]> => {
	const removed = await query('delete from processual.key where name = $1 returning no', [name]);
	await query(insert, [name, toJson(entries)]);
	return removed;
};

/** @param change Deletes keys. @returns where bytes of them are left, in a sentence; null for nowhere */
const writeAgainAfter = async (database: Database, name: string, change: (query: Query) => Promise<object[]>): Promise<string | null> => {
	const {removed, swept} = await inTransaction(database, async query => ({
		removed: await change(query), swept: await query<{no: number}>(markUnswept, [name]),
	}));
	try {
		const left = removed.length === 0 ? null : await writeAgain(database, ['processual.key']);
		await database.query('update processual.identity set unswept = $2 where no = any($1)', [swept.map(({no}) => no), left !== null]);
		return left;
	} catch (error) {
		return `Dead rows of keys, until the journal is opened again: ${reasonOf(error)}`;
	}
};

const insert = 'insert into processual.key (name, entry) '
	+ 'select $1, r.entry from unnest($2::text[]) with ordinality as r(entry, place) order by r.place';

/** Marks the identity until dead rows of keys are gone: after a kill in between, the next opening writes the table again. */
const markUnswept = 'update processual.identity set unswept = true where id = $1 and not aside and not unswept returning no';

const toJson = (entries: readonly KeyEntry[]): string[] => entries.map(entry => JSON.stringify(entry));
