/** Reads the journal of an identity in PostgreSQL without taking it over: a node may have it, and keep writing. */
import type {Database} from '../../platform/postgres/database.ts';
import {decodeCheckpoint, decodeDecision, decodeEntry, decodeFacts, decodeGenesis, decodeState, decodeValidation} from '../record-codec.ts';
import type {HeldEntry, JournalEntry} from '../journal.ts';
import {KeyRing} from '../key-ring.ts';
import {type JournalView, readPages} from '../read-pages.ts';
import type {NumberedRow} from '../rows.ts';
import {digestsOf} from './digest-rows.ts';
import {readOnlyDigests} from '../sealed-digests.ts';
import {openEncodedState, openRevision, openRow, openValidation} from '../sealing.ts';
import {keysInTable} from './key-table.ts';
import {readAtOnce, RowReader} from './row-reader.ts';

/** The fence of a reader: a statement that requires it writes nothing. */
const noOwners = '00000000-0000-0000-0000-000000000000';

/**
 * The journal as it is now.
 *
 * @returns null if no identity of that name has begun
 * @throws {JournalError} if it is damaged
 */
export const readPostgresJournal = async (database: Database, name: string): Promise<Omit<JournalView, 'close'> | null> => {
	const found = await readAtOnce(database, name, async (query, head) => {
		const reader = head && new RowReader(query, head, name);
		const row = await reader?.genesis();
		const store = keysInTable({...database, query}, name);
		return head && reader && row && {
			head, genesis: decodeGenesis(row), standing: await reader.standingAfter(head.seq),
			validation: await reader.validation(), ring: new KeyRing(store.place, await store.read()),
		};
	});
	if (!found) {
		return null;
	}

	const {head, genesis, standing: {state, standing}, validation, ring} = found;
	const {query} = database;
	const reader = new RowReader(query, head, name);
	const decode = (each: NumberedRow): JournalEntry => decodeEntry(openRow(ring, each));
	const view: Omit<JournalView, 'close'> = {
		genesis,
		records: head.seq,
		compacted: head.compacted,
		validated: validation && decodeFacts(validation),
		current: decodeState(genesis.initial, openEncodedState(ring, state)).copy(),
		checkpoint: decodeCheckpoint(standing),
		read: async (from, count) => (await reader.read(from, count)).map(decode),
		async validation() {
			const newest = await reader.validation();
			return newest && decodeValidation(openValidation(ring, newest));
		},
		decisions: async () => (await reader.revisions()).map(each => decodeDecision(openRevision(ring, each))),
		digests: readOnlyDigests(digestsOf(query, () => ({no: head.no, fence: noOwners})), () => ring),
		held: async (after, count) => (await reader.held(after, count)).map(waiting => decode(waiting) as HeldEntry),
		countHeld: async () => reader.countHeld(),
		async * replay({from = 1} = {}) {
			for await (const page of readPages(view, from - 1, head.seq)) {
				yield * page;
			}
		},
	};
	return view;
};
