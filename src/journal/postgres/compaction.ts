/** Compaction in the database: one statement replaces a block of old records by a snapshot, as the owner of the head. */
import type {Query} from '../../platform/postgres/database.ts';
import {toBuffer} from '../../platform/postgres/values.ts';
import {checksumOf, recordFields, snapshotOf} from '../rows.ts';
import {isOldBy, nextBlock, type Compaction} from '../journal-options.ts';
import type {OwnedHead} from './append.ts';
import type {RowReader} from './row-reader.ts';

/** The last record of the next block to be compacted; null when none is due. */
export const findBlock = async (query: Query, head: OwnedHead, policy: Compaction): Promise<number | null> => {
	const end = nextBlock(head.seq, head.compacted, policy);
	return end !== null && (policy.keepDays === 0 || await isOld(query, head, end, policy)) ? end : null;
};

/** The record from which on it is worth asking again: if age decides, once per block. */
export const nextDue = ({seq, compacted}: OwnedHead, {keepRecords, keepDays, snapshotEvery}: Compaction): number =>
	Math.max(compacted + snapshotEvery + keepRecords, keepDays === 0 ? 0 : seq + snapshotEvery);

/** Replaces one block by a snapshot. @returns false if another owner writes the journal now */
export const replaceBlock = async (query: Query, reader: RowReader, head: OwnedHead, end: number): Promise<boolean> => {
	const {no, fence, compacted} = head;
	const [last] = await reader.read(end, 1);
	const snapshot = snapshotOf(last!, compacted + 1, await reader.standingAfter(end));
	const changed = await query(`
		with head as (
			update processual.identity set compacted = $4 where no = $1 and fence = $2 and compacted = $3 returning no
		), gone as (
			delete from processual.record using head where identity = head.no and seq > $3 and seq < $4
		)
		update processual.record
		set kind = 'snapshot', state = $5, facts = $6, kept = null, content = null, metadata = null,
			standing = $7, vector = null, thirdness = $8, checksum = $9
		from head where identity = head.no and record.seq = $4
		returning record.seq`, [
		no, fence, compacted, end, snapshot.state, snapshot.facts, snapshot.standing,
		snapshot.thirdness && toBuffer(snapshot.thirdness), checksumOf(recordFields(end, snapshot)),
	]);
	if (changed.length > 0) {
		head.compacted = end;
	}

	return changed.length > 0;
};

/** Whether every record of the block is old. */
const isOld = async (query: Query, {no, seq: newest, compacted}: OwnedHead, end: number, policy: Compaction): Promise<boolean> => {
	const rows = await query<{seq: number; timestamp: string}>('select seq, timestamp from processual.record '
		+ 'where identity = $1 and (seq = $4 or seq > $2 and seq <= $3)', [no, compacted, end, newest]);
	const now = rows.find(({seq}) => seq === newest)?.timestamp ?? '';
	return rows.every(({seq, timestamp}) => seq === newest || isOldBy(now, timestamp, policy));
};
