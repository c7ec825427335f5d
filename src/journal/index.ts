/**
 * What lasts: the port, a journal in SQLite, and a reader of one.
 *
 * @module processual-state/journal
 */
export type {Compaction} from './sqlite/compaction.ts';
export type {CycleRecord, DaemonRecord, Genesis, Journal, JournalRecord, ResetRecord, Restored, Standing} from './journal.ts';
export {JournalReader, type Entry} from './sqlite/journal-reader.ts';
export type {ContentKept, ReadCycle, ReadRecord, SnapshotRecord, Words} from './sqlite/codec.ts';
export {createSqliteJournal, type JournalLogger, type SqliteJournal, type SqliteJournalOptions} from './sqlite/sqlite-journal.ts';
