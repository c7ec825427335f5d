/**
 * The high-water mark: the number of the newest acknowledged record, in a small file beside the
 * database.
 *
 * SQLite drops the end of a damaged write-ahead log, or all of a missing one, without an error:
 * what is left looks like an older, undamaged journal. The mark tells them apart. It is written
 * after each commit and before the acknowledgement, in place and without a sync. So it survives a
 * kill; after a power cut it may be behind the database, but never ahead of it.
 *
 * The file is created atomically, and its line is shorter than a sector: no kill and no power cut
 * tears it. An operator accepts a loss by removing it: without a mark a journal is taken as it is.
 */
import {closeSync, openSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {ifExists} from '../../platform/files/folders.ts';
import {writeFileAtomically, writeFully} from '../../platform/files/write.ts';
import {checksumOf} from '../rows.ts';
import {damageError, withJournalErrors} from './journal-errors.ts';

export const highWaterMarkPath = (folder: string): string => path.join(folder, 'journal.mark');

/** The line has the same length for every number, so that it is overwritten in place. */
const formatLine = (seq: number): string => {
	const digits = String(seq).padStart(16, '0');
	return `acknowledged ${digits} ${checksumOf([digits]).toString(16).padStart(8, '0')}\n`;
};

/**
 * The newest acknowledged record; null when there is no mark, or an empty one.
 *
 * @throws {JournalError} when the mark cannot be read or is damaged.
 */
export const readHighWaterMark = (folder: string): number | null => {
	const file = highWaterMarkPath(folder);
	const line = withJournalErrors(`The journal's ${file}`, () => ifExists(() => readFileSync(file, 'latin1')));
	if (!line) {
		return null;
	}

	const seq = Number(line.slice(13, 29));
	if (line !== formatLine(seq)) {
		throw damageError(`The journal's ${file}`, 'it does not say which record was acknowledged last. '
			+ 'If the journal next to it is known to be complete, remove this file');
	}

	return seq;
};

/** The mark of an open journal. */
export type HighWaterMark = {readonly write: (seq: number) => void; readonly close: () => void};

/** Opens the mark, and creates it, or replaces one that differs, which takes two syncs. */
export const openHighWaterMark = (folder: string, seq: number): HighWaterMark => {
	if (readHighWaterMark(folder) !== seq) {
		writeFileAtomically(highWaterMarkPath(folder), formatLine(seq));
	}

	const descriptor = openSync(highWaterMarkPath(folder), 'r+');
	return {
		write: newest => writeFully(descriptor, Buffer.from(formatLine(newest), 'latin1'), 0),
		close: () => closeSync(descriptor),
	};
};
