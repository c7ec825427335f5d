/** `processual migrate`: creates or updates the database's tables; `processual accept-loss`: continues without lost records. */
import {ConfigurationError} from '../platform/errors.ts';
import {openDatabase} from '../platform/postgres/database.ts';
import {migrate} from '../platform/postgres/migrate.ts';
import {openDatabaseOf, patientMs} from './open-journal.ts';
import {toDatabaseOptions} from './options.ts';
import type {Settings} from './settings.ts';
import {acceptLoss} from '../journal/postgres/lost-history.ts';

/**
 * @throws {ConfigurationError} without a database
 * @throws {JournalError} if its tables have a newer version, or this role may not create them
 */
export const migrateDatabase = async (settings: Settings): Promise<string> => {
	const options = toDatabaseOptions(settings);
	if (!options) {
		throw new ConfigurationError('There is no database to migrate: set DATABASE_URL. A journal in DATA_DIR needs no migration.');
	}

	await using database = openDatabase({...options, queryTimeoutMs: patientMs});
	const {from, to} = await migrate(database);
	return from === to ? `The tables already have version ${to}.` : `The tables were brought from version ${from} to ${to}.`;
};

/**
 * @returns a description of the loss
 * @throws {ConfigurationError} without a database; {UnknownIdentityError} and {ConflictError} if there is nothing to accept
 */
export const acceptLossOf = async (settings: Settings, name: string): Promise<string> => {
	await using database = await openDatabaseOf(settings);
	if (!database) {
		throw new ConfigurationError('There is no database: set DATABASE_URL. For a journal in DATA_DIR, the error itself says how to '
			+ 'accept the loss.');
	}

	return await acceptLoss(database, name);
};
