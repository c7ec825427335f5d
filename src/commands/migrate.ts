/** `processual migrate`: makes the tables of the database, or brings them to this version; `accept-loss`: goes on without lost records. */
import {ConfigurationError} from '../platform/errors.ts';
import {openDatabase} from '../platform/postgres/database.ts';
import {migrate} from '../platform/postgres/migrate.ts';
import {openDatabaseOf, patientMs} from './open-journal.ts';
import {toDatabaseOptions} from './options.ts';
import type {Settings} from './settings.ts';
import {acceptLoss} from '../journal/postgres/lost-history.ts';

/**
 * @throws {ConfigurationError} without a database
 *
 * @throws {JournalError} where its tables are of a newer version, or this role may not make them
 */
export const migrateDatabase = async (settings: Settings): Promise<string> => {
	const options = toDatabaseOptions(settings);
	if (!options) {
		throw new ConfigurationError('There is no database to migrate: set DATABASE_URL. A journal in DATA_DIR needs no migration.');
	}

	await using database = openDatabase({...options, queryTimeoutMs: patientMs});
	const {from, to} = await migrate(database);
	return from === to ? `The tables have version ${to} already.` : `The tables were brought from version ${from} to ${to}.`;
};

/**
 * @returns what was lost
 * @throws {ConfigurationError} without a database; {UnknownIdentityError} and {ConflictError} where there is nothing to accept
 */
export const acceptLossOf = async (settings: Settings, name: string): Promise<string> => {
	await using database = await openDatabaseOf(settings);
	if (!database) {
		throw new ConfigurationError('There is no database: set DATABASE_URL. A journal in DATA_DIR says itself how a loss is accepted.');
	}

	return await acceptLoss(database, name);
};
