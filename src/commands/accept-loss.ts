/** `processual accept-loss`: an identity goes on without records that its database has lost. */
import {ConfigurationError} from '../platform/errors.ts';
import {acceptLoss} from '../journal/postgres/lost-history.ts';
import {openDatabaseOf} from './open-journal.ts';
import type {Settings} from './settings.ts';

/**
 * @returns what was lost
 * @throws {ConfigurationError} without a database; {UnknownIdentityError} and {ConflictError} where there is nothing to accept
 */
export const acceptLossOf = async (settings: Settings, name: string): Promise<string> => {
	const database = await openDatabaseOf(settings);
	if (!database) {
		throw new ConfigurationError('There is no database: set DATABASE_URL. A journal in DATA_DIR says itself how a loss is accepted.');
	}

	try {
		return await acceptLoss(database, name);
	} finally {
		await database.close();
	}
};
