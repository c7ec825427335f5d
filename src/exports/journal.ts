/**
 * What lasts: the port, a journal in SQLite, and a reader of one.
 *
 * @module processual-state/journal
 */
export type {Compaction} from '../journal/compaction.ts';
export type {CycleRecord, DaemonRecord, Genesis, Journal, JournalRecord, ResetRecord, Restored, Standing} from '../journal/journal.ts';
export {JournalReader, type Entry} from '../journal/reader.ts';
export type {ContentKept, ReadCycle, ReadRecord, SnapshotRecord, Words} from '../journal/rows.ts';
export {createSqliteJournal, type JournalLogger, type SqliteJournal, type SqliteJournalOptions} from '../journal/sqlite.ts';
