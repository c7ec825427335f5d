/**
 * The mark: the number of the newest acknowledged record, in a small file beside the database.
 *
 * SQLite drops the end of a damaged write-ahead log, or all of a missing one, without a word:
 * what is left is an older journal that looks whole. The mark tells them apart. It is written
 * after each commit and before the acknowledgement, in place and without a sync of its own: it
 * survives a kill, and after a power cut it may be behind the database but never ahead of it.
 *
 * The file is made whole, and its one line is shorter than a sector: no kill and no power cut tears it.
 *
 * A folder without a mark is taken as it is: removing it is how a person accepts a loss.
 */
import {closeSync, openSync, readFileSync, writeSync} from 'node:fs';
import path from 'node:path';
import {writeFileAtomically} from '../../files/write-atomically.ts';
import {checksumOf} from './checksum.ts';
import {damageError, toJournalError} from './journal-errors.ts';

export const highWaterMarkPath = (folder: string): string => path.join(folder, 'journal.mark');

/** Always of the same length, so that it is overwritten in place. */
const lineOf = (seq: number): string => {
	const digits = String(seq).padStart(16, '0');
	return `acknowledged ${digits} ${checksumOf([digits]).toString(16).padStart(8, '0')}\n`;
};

/**
 * The newest acknowledged record; null when there is no mark, or an empty one.
 *
 * @throws {JournalError} when it cannot be read.
 */
export const readHighWaterMark = (folder: string): number | null => {
	const file = highWaterMarkPath(folder);
	let line: string;
	try {
		line = readFileSync(file, 'latin1');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return null;
		}

		throw toJournalError(error, `The journal's ${file}`);
	}

	if (line === '') {
		return null;
	}

	const seq = Number(line.slice(13, 29));
	if (line !== lineOf(seq)) {
		throw damageError(`The journal's ${file}`, 'it does not say which record was acknowledged last. If the journal beside it is known to be whole, removing this file is enough');
	}

	return seq;
};

export class HighWaterMark {
	readonly #descriptor: number;

	/** Makes or takes over the mark of a folder. */
	constructor(folder: string, seq: number) {
		writeFileAtomically(highWaterMarkPath(folder), lineOf(seq));
		this.#descriptor = openSync(highWaterMarkPath(folder), 'r+');
	}

	write(seq: number): void {
		// As bytes: some runtimes pass over the place where a string is to be written.
		const line = Buffer.from(lineOf(seq), 'latin1');
		for (let written = 0; written < line.length;) {
			written += writeSync(this.#descriptor, line, written, line.length - written, written);
		}
	}

	close(): void {
		closeSync(this.#descriptor);
	}
}
