/** A journal in memory: its records are lost with the identity. */
import {JournalError} from '../platform/errors.ts';
import type {
	Checkpoint, Genesis, HeldEntry, Journal, JournalEntry, JournalRecord, RestoredJournal, StoredCycle, StoredHeld, StoredRecord,
} from './journal.ts';
import {factsOf, type Validation} from './validation.ts';
import {isRevision, type TextsDecision} from './revision.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

/** The moment of another history at which one in memory begins. */
export type MemoryStart = {genesis: Genesis; current: StateTensor; checkpoint: Checkpoint};

/** A journal in memory that continues another history. Its first record is a snapshot, which stands for everything before. */
export const createMemoryJournal = ({genesis, current, checkpoint}: MemoryStart): Journal => {
	const {stateId, timestamp} = current;
	const state = {stateId, timestamp, thirdness: current.row('thirdness')};
	const records: StoredRecord[] = [{kind: 'snapshot', id: 'beginning', timestamp, first: 1, state, checkpoint}];
	const texts = new Map<string, StoredCycle | StoredHeld>();
	const waiting = new Map<number, StoredHeld>();
	const decisions: TextsDecision[] = [];
	let newest: Validation | null = null;

	/** Puts a record in its place, or in that of an earlier one with this number. */
	const put = (seq: number, record: StoredRecord): void => {
		const before = records[seq - 1];
		if (before) {
			texts.delete(before.id);
		}

		records[seq - 1] = record;
		if (record.kind === 'cycle' || record.kind === 'held') {
			texts.set(record.id, record);
		}

		if (record.kind === 'held' && (!before || waiting.has(seq))) {
			waiting.set(seq, record);
		}
	};

	return {
		open: async (): Promise<RestoredJournal> => ({
			genesis, current, checkpoint, records: records.length, validation: newest && factsOf(newest),
			revision: decisions.findLast(isRevision) ?? null, held: waiting.size,
		}),
		async begin(): Promise<void> {
			// It begins with its genesis.
		},
		async append(record: JournalRecord): Promise<void> {
			if ((record.kind === 'cycle' || record.kind === 'held') && texts.has(record.id)) {
				throw new JournalError(`The journal already has a cycle with the id “${record.id}”. Every id must be new.`);
			}

			const seq = records.length + 1;
			put(seq, asStored(record));
			newest = record.kind === 'validation' ? {...record, seq} : newest;
			if ('facts' in record) {
				decisions.push({...record.facts, seq});
			}

			if ('cycles' in record) {
				records.push(...record.cycles);
				record.settled.forEach(settled => waiting.delete(settled));
			}
		},
		async rewrite(record, {changes, decisions: rewritten, validation, settled, onDone}) {
			// Read before the first is replaced: they are made from this journal.
			const replacing = await Array.fromAsync(changes());
			replacing.flat().forEach(entry => put(entry.seq, entry.record));
			settled.forEach(seq => waiting.delete(seq));
			decisions.splice(0, Infinity, ...rewritten);
			newest = validation === undefined ? newest : validation;
			await this.append(record);
			onDone?.([]);
		},
		read: async (from, count): Promise<JournalEntry[]> =>
			records.slice(from - 1, from - 1 + count).map((record, i) => ({seq: from + i, record})),
		find: async id => texts.get(id) ?? null,
		validation: async () => newest,
		decisions: async () => [...decisions],
		held: async (after, count) =>
			[...waiting].filter(([seq]) => seq > after).slice(0, count).map(([seq, record]): HeldEntry => ({seq, record})),
		async close(): Promise<void> {
			// It has nothing to free.
		},
	};
};

/** A record as it is read back from a journal that stores texts unhashed. */
export const asStored = (record: JournalRecord): StoredRecord => {
	switch (record.kind) {
		case 'cycle':
		case 'held': return {...record, isHashed: false};
		case 'validation': return {kind: 'validation', ...factsOf(record)};
		case 'revision': {
			const {facts: _, ...stored} = record;
			return stored;
		}

		case 'release':
		case 'drop': {
			const {kind, id, timestamp, facts: {stateId, ids}} = record;
			return {kind, id, timestamp, stateId, texts: ids.length};
		}

		default: return record;
	}
};
