/**
 * Verifies a journal before it is opened for writing, through a connection that cannot write. A
 * writer's connection empties the write-ahead log when it closes, even a log whose end it could
 * not read. The inspection leaves every file as it is, for a rescue. It does not wait for a lock.
 */
import {databasePath, hasBytes, openJournalToInspect} from './database.ts';
import {readHighWaterMark} from './high-water-mark.ts';
import {lossError} from './journal-errors.ts';
import {hasTables} from './schema.ts';
import {VerifiedReader} from './verified-reader.ts';

/** @throws {JournalError} when the journal is damaged, or records that were acknowledged are missing. */
export const inspectJournal = (folder: string, place: string): void => {
	const highWaterMark = readHighWaterMark(folder);
	const file = databasePath(folder);
	const isBegun = hasBytes(file) && inspectDatabase(folder, place, highWaterMark);
	if (!isBegun && highWaterMark !== null) {
		throw lossError(place, null, highWaterMark);
	}
};

/** @returns whether a journal was begun in the file */
const inspectDatabase = (folder: string, place: string, highWaterMark: number | null): boolean => {
	const database = openJournalToInspect(folder, {busyTimeoutMs: 0});
	try {
		const isBegun = hasTables(database, place);
		if (isBegun) {
			new VerifiedReader(database, place).verify(highWaterMark);
		}

		return isBegun;
	} finally {
		database.close();
	}
};
