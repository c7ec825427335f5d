/** What lasts: the port, a journal in SQLite, and a reader of one. */
export type {Genesis, Journal, JournalRecord, Restored} from '../journal/journal.ts';
export {JournalReader} from '../journal/reader.ts';
export {createSqliteJournal, type SqliteJournalOptions} from '../journal/sqlite.ts';
