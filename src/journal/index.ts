/**
 * The journal: its port, the one in SQLite, and a reader for replays.
 *
 * @module processual-state/journal
 */
import '../require-node.ts';
export type {Compaction} from './sqlite/compaction.ts';
export type {CycleRecord, DaemonRecord, Genesis, Journal, JournalRecord, ResetRecord, RestoredJournal, Checkpoint} from './journal.ts';
export {JournalReader, type JournalEntry} from './sqlite/journal-reader.ts';
export type {ContentStorage, SnapshotRecord, StoredCycle, StoredRecord} from './sqlite/codec.ts';
export {openJournals, type Journals, type JournalsOptions} from './sqlite/journals.ts';
export {createSqliteJournal, type JournalLogger, type SqliteJournalOptions} from './sqlite/sqlite-journal.ts';
