/**
 * The journal port, the SQLite journal, and a reader for replays.
 *
 * @module processual-state/journal
 */
import '../platform/require-node.ts';
export type {Compaction, JournalLogger, JournalOptions} from './journal-options.ts';
export type {
	Checkpoint, CycleRecord, DaemonRecord, ForgottenRecord, Genesis, HeldEntry, HeldRecord, Journal, JournalEntry,
	JournalRecord, RecordedProposal, ResetRecord, RestoredJournal, RevisionRecord, Rewriting, SettlementRecord,
	SnapshotRecord, StoredCycle, StoredHeld, StoredRecord, StoredRevision, StoredSettlement, WithStoredText,
} from './journal.ts';
export type {
	BaselineText, Chance, Noticed, OrdinaryClusters, PathChance, StoredValidation, Validation, ValidationFacts, ValidationRecord,
} from './validation.ts';
export type {DigestStore, StoredDigest} from './digest-store.ts';
export type {
	DecidedBy, DecisionFacts, Exclusion, Holds, Revision, RevisionFacts, SettlementFacts, TextChoice, TextsDecision,
} from './revision.ts';
export {JournalError, UnknownOutcomeError} from '../platform/errors.ts';
export {JournalReader} from './sqlite/journal-reader.ts';
export type {ContentStorage} from './rows.ts';
export {openJournals, type Journals, type JournalsOptions} from './sqlite/journals.ts';
export {createSqliteJournal, type SqliteJournalOptions} from './sqlite/sqlite-journal.ts';
