/** The journal of the identity that a command works on (IDENTITY). Only this file and `options.ts` know where it is. */
import type {Journal} from '../journal/journal.ts';
import {JournalReader, readExistingJournal} from '../journal/sqlite/journal-reader.ts';
import {createSqliteJournal, type SqliteJournalOptions} from '../journal/sqlite/sqlite-journal.ts';
import {toJournalFolder} from './options.ts';
import type {Settings} from './settings.ts';

/** The journal, not open yet. */
export const openJournalOf = (settings: Settings, options: Omit<SqliteJournalOptions, 'folder'> = {}): Journal =>
	createSqliteJournal({...options, folder: toJournalFolder(settings)});

/** A reader of the journal, which the caller closes. @throws {JournalError} without a journal, and while a service has it open */
export const openReaderOf = async (settings: Settings): Promise<JournalReader> => new JournalReader(toJournalFolder(settings));

/** Reads the journal if one was begun; null where none was. @throws {JournalError} while a service has it open */
export const readJournalOf = async <Result>(settings: Settings, read: (reader: JournalReader) => Result): Promise<Result | null> =>
	readExistingJournal(toJournalFolder(settings), read);
