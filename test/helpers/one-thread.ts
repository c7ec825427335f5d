/** Journals that share one thread, as those of many identities do: a thread takes a tenth of a second of processor time to start. */
import type {Journal} from '../../src/journal/journal.ts';
import {JournalThread} from '../../src/journal/sqlite/journal-thread.ts';
import {createInThread, type SqliteJournalOptions} from '../../src/journal/sqlite/sqlite-journal.ts';

const thread = new JournalThread();

export const createSqliteJournal = (options: SqliteJournalOptions): Journal => createInThread(options, thread);
