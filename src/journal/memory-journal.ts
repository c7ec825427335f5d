/** A journal in memory: what an identity hears is known to it, and gone with it. */
import {JournalError} from '../platform/errors.ts';
import {
	type Checkpoint, factsOf, type Genesis, type Journal, type JournalEntry, type JournalRecord, type RestoredJournal,
	type StoredCycle, type StoredRecord, type Validation,
} from './journal.ts';
import type {Revision} from './revision.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

/** Where a life in memory begins: amid another one. */
export type MemoryStart = {genesis: Genesis; current: StateTensor; checkpoint: Checkpoint};

/** A journal in memory that begins amid a life. Its first record is a snapshot, which stands for what was before. */
export const createMemoryJournal = ({genesis, current, checkpoint}: MemoryStart): Journal => {
	const {stateId, timestamp} = current;
	const state = {stateId, timestamp, thirdness: current.row('thirdness')};
	const records: StoredRecord[] = [{kind: 'snapshot', id: 'beginning', timestamp, first: 1, state, checkpoint}];
	const cycles = new Set<string>();
	const revisions: Revision[] = [];
	let newest: Validation | null = null;
	return {
		open: async (): Promise<RestoredJournal> => ({
			genesis, current, checkpoint, records: records.length, validation: newest && factsOf(newest), revision: revisions.at(-1) ?? null,
		}),
		async begin(): Promise<void> {
			// It begins with its genesis.
		},
		async append(record: JournalRecord): Promise<void> {
			if (record.kind === 'cycle') {
				if (cycles.has(record.id)) {
					throw new JournalError(`The journal has a cycle with the id “${record.id}” already. Every id must be new.`);
				}

				cycles.add(record.id);
			}

			records.push(asStored(record));
			newest = record.kind === 'validation' ? {...record, seq: records.length} : newest;
			if (record.kind === 'revision') {
				revisions.push({...record.facts, seq: records.length});
			}
		},
		read: async (from, count): Promise<JournalEntry[]> =>
			records.slice(from - 1, from - 1 + count).map((record, i) => ({seq: from + i, record})),
		find: async id => records.findLast(record => record.kind === 'cycle' && record.id === id) as StoredCycle | undefined ?? null,
		validation: async () => newest,
		revisions: async () => [...revisions],
		async close(): Promise<void> {
			// It has nothing to free.
		},
	};
};

/** A record as it is read back where texts are kept. */
export const asStored = (record: JournalRecord): StoredRecord => {
	switch (record.kind) {
		case 'cycle': {
			return {...record, isHashed: false};
		}

		case 'validation': {
			return {kind: 'validation', ...factsOf(record)};
		}

		case 'revision': {
			const {facts: _, ...stored} = record;
			return stored;
		}

		default: {
			return record;
		}
	}
};
