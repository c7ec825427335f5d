/**
 * An instrument answers a question about a stretch of a history. It is a reducer over the journal's records: it takes them in order,
 * a page at a time, and answers at the end. So a long journal is never in memory as a whole.
 *
 * Questions and answers are plain data, because instruments run in threads.
 */
import type {StoredDigest} from '../journal/digest-store.ts';
import type {JournalEntry} from '../journal/journal.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import type {ReplayRules} from './replay.ts';

/** The beginning of a stretch. */
export type InstrumentStart = {
	rules: ReplayRules;
	/** The number of the last record before the stretch; 0 is the genesis. */
	seq: number;
	/** The working state there. */
	start: WorkingState;
};

export type RunningInstrument<Answer> = {
	/** Takes the next records of the stretch. */
	take(entries: readonly JournalEntry[]): void;
	/** Takes a digest in place of its records. Absent if the instrument cannot. */
	takeDigest?(digest: StoredDigest): void;
	/** Takes a digest with the vectors of its texts. @returns false if the vectors are not the digest's; then it took nothing */
	replayDigest?(digest: StoredDigest, vectors: Float32Array): boolean;
	/** The answer after all records. */
	answer(): Answer;
};

export type Instrument<Question, Answer> = (start: InstrumentStart, question: Question) => RunningInstrument<Answer>;
