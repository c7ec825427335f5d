/** A journal as it is when it is opened, to be read and never changed. */
import type {StateTensor} from '../kernel/state-tensor.ts';
import type {Checkpoint, Genesis, Journal, JournalEntry, ValidationFacts} from './journal.ts';
import type {PastJournal} from './read-pages.ts';

export type JournalView = PastJournal & Pick<Journal, 'validation'> & {
	/** A copy: writing into it changes no state that is read. */
	readonly genesis: Genesis;
	/** How many of the oldest records were compacted to snapshots. */
	readonly compacted: number;
	/** The newest validation in short; null without one. */
	readonly validated: ValidationFacts | null;
	/** The state after the newest record. The caller owns its rows. */
	readonly current: StateTensor;
	/** The checkpoint after the newest record; null when no record has one. */
	readonly checkpoint: Checkpoint | null;
	/** The records in their order from a number on, each verified. Compacted records come as snapshots. */
	replay(options?: {from?: number}): AsyncGenerator<JournalEntry>;
	close(): void | Promise<void>;
};
