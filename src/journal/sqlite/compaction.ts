/**
 * Compaction keeps a year of cycles small. Blocks of old records become snapshots: the state and
 * the standing after a block's last record stay, and contents, metadata, vectors and measures are
 * deleted. The newest records and their numbers never change, nor does the newest validation.
 */
import type {DatabaseSync} from 'node:sqlite';
import {isOldBy, nextBlock, type Compaction} from '../journal-options.ts';
import {snapshotOf} from '../rows.ts';
import type {RowWriter} from './row-writer.ts';
import type {Head, VerifiedReader} from './verified-reader.ts';

/** How many pages one step gives back to the file system. */
const pagesPerStep = 256;

/** The last record of the next block to be compacted; null when none is due. */
export const findDueBlock = (database: DatabaseSync, head: Head, policy: Compaction): number | null => {
	const end = nextBlock(head.last, head.compacted, policy);
	return end !== null && (policy.keepDays === 0 || isOld(database, head, end, policy)) ? end : null;
};

/** Replaces one block by a snapshot; must run in a transaction. @returns the new head */
export const compactBlock = (
	database: DatabaseSync, reader: VerifiedReader, head: Head, end: number, rows: RowWriter,
): Head => {
	const {compacted} = head;
	const snapshot = snapshotOf(reader.readRow(end), compacted + 1, reader.readAfter(end));
	database.prepare('delete from records where seq > ? and seq <= ?').run(compacted, end);
	rows.insert(end, snapshot);
	const after = {...head, compacted: end};
	rows.saveHead(after);
	return after;
};

/** SQLite's number for the `auto_vacuum` mode that gives pages back. A file that another program copied may have another mode. */
const incremental = 2;

/** Whether there are more free pages than the next records will soon fill, and they can be given back. */
export const hasSpareSpace = (database: DatabaseSync): boolean => {
	const read = (pragma: string): number => Number(database.prepare(`pragma ${pragma}`).get()![pragma]);
	const free = read('freelist_count');
	return free > 2 * pagesPerStep && free > read('page_count') / 8 && read('auto_vacuum') === incremental;
};

/** Gives some free pages back to the file system; must run in a transaction. */
export const giveBackSpace = (database: DatabaseSync): void => database.exec(`pragma incremental_vacuum(${pagesPerStep})`);

/** Whether every record of the block is old. Newest first: mostly the first one decides that the block must wait. */
const isOld = (database: DatabaseSync, {last, compacted}: Head, end: number, policy: Compaction): boolean => {
	const now = timeOf(database.prepare('select timestamp from records where seq = ?').get(last));
	const rows = database.prepare('select timestamp from records where seq > ? and seq <= ? order by seq desc');
	for (const row of rows.iterate(compacted, end)) {
		if (!isOldBy(now, timeOf(row), policy)) {
			return false;
		}
	}

	return true;
};

const timeOf = (row: unknown): string => (row as {timestamp: string}).timestamp;
