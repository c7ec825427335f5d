/** Stands for the journal in SQLite in a bundle for pages (`browser` in package.json): whoever calls for it is told what to do instead. */
import {ConfigurationError} from '../errors.ts';

/** @throws {ConfigurationError} always, called and as a constructor. */
function refuse(): never {
	throw new ConfigurationError('A journal in SQLite needs files and threads, which a page does not have. Leave out the option journal of createProcess, and nothing lasts; or give it a journal of your own.');
}

export {refuse as createSqliteJournal, refuse as JournalReader};
