/** Another journal for an identity in PostgreSQL. Until it takes the old one's place, nothing of that has changed. */
import {type Database, inTransaction} from '../../platform/postgres/database.ts';
import type {Journal} from '../journal.ts';
import {createUnfinished, ensureIdentityRow, putAside, removeUnfinished, takeOver, unfinished} from './identity-rows.ts';
import {createPostgresJournal, type PostgresJournalOptions} from './postgres-journal.ts';

export type Replacement = {
	/** The new journal, empty. */
	journal: Journal;
	/**
	 * Puts the old journal aside and the new one, closed, in its place.
	 *
	 * @throws {MovedError} where a node has taken the identity over since
	 */
	finish: () => Promise<void>;
	/** Removes the new journal. */
	cancel: () => Promise<void>;
};

/**
 * Takes an identity over, which is made where there is none. A node that is asked for it before `finish` takes it over
 * in turn, so that no record is lost.
 *
 * @throws {MovedError} while a living node has it
 */
export const replacePostgresJournal = async (
	database: Database, name: string, options: Pick<PostgresJournalOptions, 'content' | 'seals'> = {},
): Promise<Replacement> => {
	await ensureIdentityRow(database, name);
	const head = await takeOver(database, name);
	await createUnfinished(database, name);
	return {
		journal: createPostgresJournal({database, name: unfinished(name), keysOf: name, ...options}),
		finish: async () => inTransaction(database, async query => {
			await putAside(query, head);
			await query('update processual.identity set id = $2, node = null where id = $1', [unfinished(name), name]);
		}),
		cancel: async () => removeUnfinished(database, name),
	};
};
