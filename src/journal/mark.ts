/**
 * The mark: the number of the newest acknowledged record, in a small file beside the database.
 *
 * SQLite drops the end of a damaged write-ahead log, or all of a missing one, without a word:
 * what is left is an older journal that looks whole. The mark tells them apart. It is written
 * after each commit and before the acknowledgement, in place and without a sync of its own: it
 * survives a kill, and after a power cut it may be behind the database but never ahead of it.
 *
 * A folder without a mark is taken as it is: removing it is how a person accepts a loss.
 */
import {closeSync, fsyncSync, openSync, readFileSync, writeSync} from 'node:fs';
import path from 'node:path';
import {checksumOf} from './checksum.ts';
import {damaged, explain} from './trouble.ts';

export const markIn = (folder: string): string => path.join(folder, 'journal.mark');

/** Always of the same length, so that it is overwritten in place. */
const lineOf = (seq: number): string => {
	const digits = String(seq).padStart(16, '0');
	return `acknowledged ${digits} ${checksumOf([digits]).toString(16).padStart(8, '0')}\n`;
};

/**
 * The newest acknowledged record; null when there is no mark.
 *
 * @throws {JournalError} when it cannot be read.
 */
export const readMark = (folder: string): number | null => {
	const file = markIn(folder);
	let line: string;
	try {
		line = readFileSync(file, 'latin1');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return null;
		}

		throw explain(error, `The journal's ${file}`);
	}

	const seq = Number(line.slice(13, 29));
	if (line !== lineOf(seq)) {
		throw damaged(`The journal's ${file}`, 'it does not say which record was acknowledged last. If the journal beside it is known to be whole, removing this file is enough');
	}

	return seq;
};

export class Mark {
	readonly #descriptor: number;

	/** Makes or takes over the mark of a folder. */
	constructor(folder: string, seq: number) {
		// Not truncated: the file is never without a line once it has one.
		this.#descriptor = openSync(markIn(folder), readMark(folder) === null ? 'w' : 'r+');
		this.write(seq);
		fsyncSync(this.#descriptor);
	}

	write(seq: number): void {
		// As bytes: some runtimes pass over the place where a string is to be written.
		const line = Buffer.from(lineOf(seq), 'latin1');
		writeSync(this.#descriptor, line, 0, line.length, 0);
	}

	close(): void {
		closeSync(this.#descriptor);
	}
}
