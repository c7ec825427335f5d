/** A new journal for an identity in PostgreSQL. Until it replaces the old one, the old one is unchanged. */
import {ConflictError, orUndo} from '../../platform/errors.ts';
import {type Database, inTransaction, type Session} from '../../platform/postgres/database.ts';
import {lockClass} from '../../platform/postgres/schema.ts';
import type {Journal} from '../journal.ts';
import {createUnfinished, ensureIdentityRow, putAside, removeUnfinished, takenFromCommand, takeOver, unfinished} from './identity-rows.ts';
import {createPostgresJournal, type PostgresJournalOptions} from './postgres-journal.ts';

export type Replacement = {
	/** The new journal, empty. */
	journal: Journal;
	/**
	 * Puts the old journal aside and the new one, closed, in its place.
	 *
	 * @throws {MovedError} if a node has taken the identity over since
	 */
	finish: () => Promise<void>;
	/** Removes the new journal. */
	cancel: () => Promise<void>;
};

/** The class of locks for replacements. Two at once would take the identity from each other, and remove each other's rows. */
const replacementClass = lockClass + 1;

/** Locks an identity's unfinished rows until the session is closed. @throws {ConflictError} while another program has the lock */
export const holdReplacement = async (database: Database, name: string): Promise<Session> => {
	const session = await database.session({isBounded: false});
	const [held] = await session.query('select where pg_try_advisory_lock($1, hashtext($2))', [replacementClass, name]);
	if (!held) {
		await session.close();
		throw new ConflictError(`Another command is making a new journal for “${name}” in the database. Wait until it has finished.`);
	}

	return session;
};

/**
 * Takes an identity over, or creates it if there is none. A node that is asked for it before `finish` takes it over in
 * turn, so that no record is lost.
 *
 * @throws {ConflictError} while another command replaces it; {MovedError} while a living node has it
 */
export const replacePostgresJournal = async (
	database: Database, name: string, options: Pick<PostgresJournalOptions, 'content' | 'seals'> = {},
): Promise<Replacement> => {
	await ensureIdentityRow(database, name);
	const session = await holdReplacement(database, name);
	return orUndo(async () => {
		const head = await takeOver(database, name);
		await createUnfinished(database, name);
		return {
			journal: createPostgresJournal({database, name: unfinished(name), keysOf: name, ...options}),
			async finish() {
				await inTransaction(database, async query => {
					await putAside(query, head, takenFromCommand(name));
					await query('update processual.identity set id = $2, node = null where id = $1', [unfinished(name), name]);
				});
				await session.close();
			},
			cancel: async () => removeUnfinished(database, name).finally(session.close),
		};
	}, session.close);
};
