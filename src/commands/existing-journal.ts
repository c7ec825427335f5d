/** The journal that a folder keeps, if one was begun there: a start that was refused leaves an empty file. */
import {existsSync} from 'node:fs';
import {databasePath, openJournalToRead, describeJournal} from '../journal/sqlite/database.ts';
import {readHighWaterMark} from '../journal/sqlite/high-water-mark.ts';
import {readFormatVersion} from '../journal/sqlite/format-version.ts';
import {JournalReader} from '../journal/sqlite/journal-reader.ts';
import {withJournalErrors} from '../journal/sqlite/journal-errors.ts';

/**
 * @returns null where nothing was begun, and nothing acknowledged
 * @throws {JournalError} as {@link JournalReader} does for a journal that is there
 */
export const openExistingJournal = (folder: string): JournalReader | null =>
	readHighWaterMark(folder) === null && isBlank(folder) ? null : new JournalReader(folder);

const isBlank = (folder: string): boolean => {
	if (!existsSync(databasePath(folder))) {
		return true;
	}

	const place = describeJournal(folder);
	return withJournalErrors(place, () => {
		const database = openJournalToRead(folder);
		try {
			return readFormatVersion(database, place) === 0;
		} finally {
			database.close();
		}
	});
};
