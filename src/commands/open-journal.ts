/** The journal of the identity that a command works on (IDENTITY). Only this file and `options.ts` know where it is. */
import {UnknownIdentityError} from '../platform/errors.ts';
import {requireIdentityName} from '../platform/identity-name.ts';
import type {JournalOptions} from '../journal/journal-options.ts';
import type {JournalView} from '../journal/journal-view.ts';
import {forwardedJournal} from '../journal/forwarded-journal.ts';
import type {Journal} from '../journal/journal.ts';
import type {Database} from '../platform/postgres/database.ts';
import {JournalReader, readExistingJournal} from '../journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../journal/sqlite/sqlite-journal.ts';
import {toDatabaseOptions, toJournalFolder} from './options.ts';
import type {Settings} from './settings.ts';

/** Where the journal is, for messages. */
export const describePlace = (settings: Settings): string =>
	settings.DATABASE_URL === undefined ? toJournalFolder(settings) : `the identity “${settings.IDENTITY}” of the database`;

/** No one waits for a command as a request does. */
export const patientMs = 30_000;

/** The database with the journals, whose tables are of this version; null where they are in files. */
export const openDatabaseOf = async (settings: Settings): Promise<Database | null> => {
	const options = toDatabaseOptions(settings);
	if (!options) {
		return null;
	}

	const [{openDatabase}, {requireSchema}] = await Promise.all([import('../platform/postgres/database.ts'), import('../platform/postgres/migrate.ts')]);
	const database = openDatabase({...options, queryTimeoutMs: patientMs});
	try {
		await requireSchema(database);
		return database;
	} catch (error) {
		await database.close();
		throw error;
	}
};

/** The journal, not open yet. Closing it is the end of it. */
export const openJournalOf = async (settings: Settings, options: JournalOptions = {}): Promise<Journal> => {
	const database = await openDatabaseOf(settings);
	if (!database) {
		return createSqliteJournal({...options, folder: toJournalFolder(settings)});
	}

	const {createPostgresJournal} = await import('../journal/postgres/postgres-journal.ts');
	const journal = createPostgresJournal({database, name: requireIdentityName(settings.IDENTITY), ...options});
	return {
		...forwardedJournal(() => journal),
		async close() {
			await journal.close();
			await database.close();
		},
	};
};

/** A reader of the journal, which the caller closes. @throws {JournalError} without a journal, and while a service has its file open */
export const openReaderOf = async (settings: Settings): Promise<JournalView> => {
	const database = await openDatabaseOf(settings);
	if (!database) {
		return new JournalReader(toJournalFolder(settings));
	}

	const view = await viewOf(database, settings);
	if (!view) {
		await database.close();
		throw new UnknownIdentityError(`There is no identity “${settings.IDENTITY}” in the database that has begun. Give its name by --identity.`);
	}

	return view;
};

/** Reads the journal if one was begun; null where none was. @throws {JournalError} while a service has its file open */
export const readJournalOf = async <Result>(settings: Settings, read: (reader: JournalView) => Result): Promise<Result | null> => {
	const database = await openDatabaseOf(settings);
	if (!database) {
		return readExistingJournal(toJournalFolder(settings), read);
	}

	try {
		const view = await viewOf(database, settings);
		return view && read(view);
	} finally {
		await database.close();
	}
};

/** The identity's journal; the view closes the database. */
const viewOf = async (database: Database, settings: Settings): Promise<JournalView | null> => {
	try {
		const {readPostgresJournal} = await import('../journal/postgres/postgres-view.ts');
		const view = await readPostgresJournal(database, requireIdentityName(settings.IDENTITY));
		return view && Object.assign(view, {close: async () => database.close()});
	} catch (error) {
		await database.close();
		throw error;
	}
};
