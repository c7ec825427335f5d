/**
 * The versions of a journal file, forward only: step n makes version n of version n − 1. A new
 * file is made by all of them, so there is no second description of the newest version.
 */
import type {DatabaseSync} from 'node:sqlite';
import {JournalError} from '../../errors.ts';
import {createTables} from './tables.ts';
import {damageError} from './journal-errors.ts';

/** Makes the next version of a file. A step that throws leaves the file as it was. */
export type Step = (database: DatabaseSync) => void;

/** In their order. Tests add steps to come. */
export const steps: readonly Step[] = [createTables];

/** The version that this software reads and writes. */
export const version = steps.length;

/**
 * The version of an open file; 0 when it is new.
 *
 * @throws {JournalError} when it was made by a newer version of this software, or is no journal.
 */
export const readFormatVersion = (database: DatabaseSync, place: string, newest = version): number => {
	const found = Number(database.prepare('pragma user_version').get()!['user_version']);
	if (found > newest) {
		throw new JournalError(`${place} has version ${found}, made by a newer version of this software; this one knows up to ${newest}. Install the newer version again: a journal does not go back.`);
	}

	const tables = Number(database.prepare('select count(*) as tables from sqlite_schema').get()!['tables']);
	if (found < 0 || (found === 0) !== (tables === 0)) {
		throw damageError(place, 'its version is not that of a journal');
	}

	return found;
};

/** Brings a file to the newest version. Must run in a transaction. */
export const migrate = (database: DatabaseSync, from: number, known = steps): void => {
	for (const step of known.slice(from)) {
		step(database);
	}

	database.exec(`pragma user_version = ${known.length}`);
};
