/** Replaces the SQLite journal in bundles for a page or a worker (`imports` in package.json): using it throws. */
import {ConfigurationError} from '../errors.ts';

/** @throws {ConfigurationError} always, when it is called or constructed. */
function refuse(): never {
	throw new ConfigurationError('A SQLite journal needs files and threads, which a page does not have. '
		+ 'Leave out the option journal, which keeps the state in memory only, or pass a journal for pages.');
}

export {refuse as createSqliteJournal, refuse as JournalReader, refuse as openJournals};
