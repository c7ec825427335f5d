/**
 * Compaction: a year of cycles stays small. Old records, in blocks, become snapshots: of a block
 * only the state and the standing after its last record stay, and texts, metadata, vectors and
 * measures go. The newest records are never touched, nor is their number.
 */
import type {DatabaseSync} from 'node:sqlite';
import {checksumOf} from './checksum.ts';
import {headFields, type VerifiedReader, type Head} from './verified-reader.ts';
import type {Row, SnapshotFacts} from './codec.ts';

/** A record is compacted when it is outside of both limits. */
export type Compaction = {
	/** The newest records stay whole. */
	keepRecords: number;
	/** So does what is not older than this, measured back from the newest record's time; 0 for no such limit. */
	keepDays: number;
	/** How many records one snapshot stands for. */
	snapshotEvery: number;
};

const millisecondsPerDay = 86_400_000;

/** How many pages one step gives back to the file system, and how many free ones are left for the records to come. */
const pagesPerStep = 256;

/** The last record of the block that is to be compacted next; null when none is due. */
export const dueBlock = (database: DatabaseSync, {last, compacted}: Head, policy: Compaction): number | null => {
	const end = compacted + policy.snapshotEvery;
	return end <= last - policy.keepRecords && isOld(database, end, compacted, last, policy) ? end : null;
};

/** One small step, which must run in a transaction; gives the head after it. */
export const compactBlock = (database: DatabaseSync, contents: VerifiedReader, {last, compacted}: Head, end: number, insert: (seq: number, row: Row) => void): Head => {
	const {id, timestamp} = contents.keeperOf(end);
	const {state, standing} = contents.after(end);
	database.prepare('delete from records where seq > ? and seq <= ?').run(compacted, end);
	insert(end, {
		kind: 'snapshot',
		id,
		timestamp,
		state: state && state.stateId,
		facts: JSON.stringify({first: compacted + 1, stateTimestamp: state && state.timestamp} satisfies SnapshotFacts),
		kept: null,
		content: null,
		metadata: null,
		standing,
		vector: null,
		thirdness: state && state.thirdness,
	});
	const head = {last, compacted: end};
	saveHead(database, head);
	return head;
};

/** Whether free pages are more than records to come will soon fill. */
export const hasSpareSpace = (database: DatabaseSync): boolean => {
	const free = Number(database.prepare('pragma freelist_count').get()!['freelist_count']);
	const all = Number(database.prepare('pragma page_count').get()!['page_count']);
	return free > 2 * pagesPerStep && free > all / 8;
};

/** Gives some free pages back to the file system; must run in a transaction. */
export const giveBackSpace = (database: DatabaseSync): void => {
	database.exec(`pragma incremental_vacuum(${pagesPerStep})`);
};

export const saveHead = (database: DatabaseSync, head: Head): void => {
	database.prepare('update head set last = ?, compacted = ?, checksum = ?').run(head.last, head.compacted, checksumOf(headFields(head)));
};

/**
 * Whether every record of the block is old. The newest record's time stands for now: a clock
 * that jumped can make a block wait, or be told old too early, but never those that
 * `keepRecords` protects. A time that cannot be read is not old.
 */
const isOld = (database: DatabaseSync, end: number, compacted: number, last: number, {keepDays}: Compaction): boolean => {
	if (keepDays === 0) {
		return true;
	}

	const now = timeOf(database.prepare('select timestamp from records where seq = ?').get(last));
	// The last of the block comes first: mostly it alone tells that the block must wait.
	for (const row of database.prepare('select timestamp from records where seq > ? and seq <= ? order by seq desc').iterate(compacted, end)) {
		if (!(now - timeOf(row) > keepDays * millisecondsPerDay)) {
			return false;
		}
	}

	return true;
};

const timeOf = (row: unknown): number => Date.parse((row as {timestamp: string}).timestamp);
