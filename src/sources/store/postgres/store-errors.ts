/** Errors of the store's tables in PostgreSQL. */
import {JournalError, reasonOf, StoreError} from '../../../platform/errors.ts';
import {DamageError} from '../row-codec.ts';

export const closedError = (place: string): StoreError => new StoreError(`${place} is closed.`);

/** Runs, and throws an error of the database as a StoreError. */
export const withStoreErrors = async <Result>(place: string, run: () => Promise<Result>): Promise<Result> => {
	try {
		return await run();
	} catch (error) {
		if (error instanceof DamageError) {
			throw new StoreError(`${place} is damaged (${reasonOf(error)}). Restore a backup of the database, or delete these rows and import their data again.`, {cause: error});
		}

		throw error instanceof JournalError ? new StoreError(`${place} could not be read or written. ${error.message}`, {cause: error, retryable: error.retryable}) : error;
	}
};
