/**
 * The keys of one identity in a file: a line that says what the file is, then one key per line. New keys are appended and synced.
 * A torn last line belongs to a key that has sealed nothing yet.
 */
import {closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {JournalError, reasonOf, withErrors} from '../../platform/errors.ts';
import {ifExists, makeFolder, syncFolder, withFile} from '../../platform/files/folders.ts';
import {writeFileAtomically, writeFully} from '../../platform/files/write.ts';
import {nameOf} from '../../platform/option-names.ts';
import {KeyRing, type KeyEntry, type KeyStore} from '../key-ring.ts';

const about = {about: 'Keys of a journal of Processual State. Without them its texts and states cannot be read. Keep them, and keep '
	+ 'them out of backups of the journal: a forgetting destroys keys here, so that no backup has the texts any more.'};

/** The key file of an identity in a folder. */
export const keyFileOf = (folder: string, name: string): string => path.join(path.resolve(folder), `${name}.keys`);

const describeKeyFile = (file: string): string => `the key file ${file}`;

/** @returns null if there is no file @throws {JournalError} if it cannot be read */
const readKeyFile = (file: string): KeyEntry[] | null => withKeyErrors(file, 'read', () => {
	const text = ifExists(() => readFileSync(file, 'utf8'));
	return text === null ? null : text.slice(0, text.lastIndexOf('\n') + 1).split('\n').slice(0, -1).flatMap((line, i) => {
		const entry = parse(line);
		if (!entry && i > 0) {
			throw new JournalError(`Line ${i + 1} of ${describeKeyFile(file)} is not a key. Restore a copy of the file.`);
		}

		return entry ?? [];
	});
});

export const ringInFile = (file: string): KeyRing => new KeyRing(describeKeyFile(file), readKeyFile(file));

/** Destroys all keys of an identity. */
export const destroyKeyFile = (file: string): void => {
	withKeyErrors(file, 'removed', () => {
		blankOut(file, () => {
			rmSync(file, {force: true});
			syncFolder(path.dirname(file));
		});
	});
};

export const keysInFile = (file: string): KeyStore => ({
	place: describeKeyFile(file),
	copies: `A copy of ${describeKeyFile(file)} from before has the keys too: delete it.`,
	read: async () => readKeyFile(file),
	async add(entries, before) {
		withKeyErrors(file, 'written', () => {
			makeFolder(path.dirname(file));
			const text = ifExists(() => readFileSync(file));
			// A file that was removed, emptied or replaced by an older copy lacks keys that records need.
			if (text && countLines(text) > before.length) {
				append(file, text.lastIndexOf('\n') + 1, linesOf(entries));
			} else {
				writeFileAtomically(file, linesOf([about, ...before, ...entries]));
			}
		});
	},
	async replace(entries) {
		withKeyErrors(file, 'written', () => {
			makeFolder(path.dirname(file));
			blankOut(file, () => writeFileAtomically(file, linesOf([about, ...entries])));
		});
		return null;
	},
});

const linesOf = (entries: readonly object[]): Buffer => Buffer.from(entries.map(entry => `${JSON.stringify(entry)}\n`).join(''));

const countLines = (text: Buffer): number => text.toString('latin1').split('\n').length - 1;

/** @param end The offset after the last whole line. */
const append = (file: string, end: number, lines: Buffer): void => {
	withFile(file, 'r+', descriptor => {
		ftruncateSync(descriptor, end);
		writeFully(descriptor, lines, end);
		fsyncSync(descriptor);
	});
};

/** Overwrites a file after it is replaced: bytes that are only removed stay on the disk for a while. */
const blankOut = (file: string, replace: () => void): void => {
	const descriptor = ifExists(() => openSync(file, 'r+'));
	try {
		replace();
		if (descriptor !== null) {
			writeFully(descriptor, new Uint8Array(fstatSync(descriptor).size), 0);
			fsyncSync(descriptor);
		}
	} finally {
		if (descriptor !== null) {
			closeSync(descriptor);
		}
	}
};

const isSecret = (value: unknown): boolean => typeof value === 'string' && Buffer.from(value, 'base64').length === 32;

const parse = (line: string): KeyEntry | null => {
	try {
		const entry = JSON.parse(line) as Partial<Record<string, unknown>>;
		return isSecret(entry['secret']) || Array.isArray(entry['replaced']) ? entry as KeyEntry : null;
	} catch {
		return null;
	}
};

const withKeyErrors = <Result>(file: string, what: string, run: () => Result): Result =>
	withErrors(run, error => error instanceof JournalError ? error : new JournalError(
		`The key file ${file} could not be ${what}: ${reasonOf(error)}. Let this process write to its folder, and check that there is space; `
			+ `or set ${nameOf('journal.keys')} to another place. Nothing that was acknowledged is lost.`,
		{cause: error, retryable: true},
	));
