/** `processual migrate`: makes the tables of the database, or brings them to this version. */
import {ConfigurationError} from '../platform/errors.ts';
import {openDatabase} from '../platform/postgres/database.ts';
import {migrate} from '../platform/postgres/migrate.ts';
import {patientMs} from './open-journal.ts';
import {toDatabaseOptions} from './options.ts';
import type {Settings} from './settings.ts';

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

	const database = openDatabase({...options, queryTimeoutMs: patientMs});
	try {
		const {from, to} = await migrate(database);
		return from === to ? `The tables have version ${to} already.` : `The tables were brought from version ${from} to ${to}.`;
	} finally {
		await database.close();
	}
};
