/**
 * An instrument: a question to a stretch of a life. It is a reducer over the journal's records:
 * it takes them in their order, some at a time, and gives its answer at the end. So a long journal
 * is never in memory as a whole.
 *
 * Questions and answers are plain data, because an instrument runs in a thread.
 */
import type {StoredDigest} from '../journal/digest-store.ts';
import type {JournalEntry} from '../journal/journal.ts';
import type {WorkingState} from '../semiosis/run-cycle.ts';
import type {ReplayRules} from './replay.ts';

/** Where a stretch begins. */
export type InstrumentStart = {
	rules: ReplayRules;
	/** The number of the record that the stretch begins behind; 0 is the genesis. */
	seq: number;
	/** The working state there. */
	start: WorkingState;
};

/** An instrument at work. */
export type RunningInstrument<Answer> = {
	/** Takes the next records of the stretch. */
	take(entries: readonly JournalEntry[]): void;
	/** Takes a digest in the place of its records, where it can. */
	takeDigest?(digest: StoredDigest): void;
	/** The same with the vectors of its texts, where it needs them. @returns false for other vectors: then it took nothing */
	replayDigest?(digest: StoredDigest, vectors: Float32Array): boolean;
	/** The answer, when all records are taken. */
	answer(): Answer;
	/** Only where its work is worth keeping: after an answer it may take more records, and answer again. */
	readonly again?: {
		/** What gives the answer to another question; null where that needs other work. */
		ask(question: unknown): (() => Answer) | null;
		/** What the work takes, about. */
		bytes(): number;
	};
};

export type Instrument<Question, Answer> = (start: InstrumentStart, question: Question) => RunningInstrument<Answer>;
