/** The journal that a folder keeps, if one was begun there: a start that was refused leaves an empty file. */
import {existsSync} from 'node:fs';
import {fileIn, openToRead, placeOf} from '../../journal/sqlite/database.ts';
import {readMark} from '../../journal/sqlite/high-water-mark.ts';
import {versionOf} from '../../journal/sqlite/format-version.ts';
import {JournalReader} from '../../journal/sqlite/journal-reader.ts';
import {explaining} from '../../journal/sqlite/journal-errors.ts';

/**
 * @returns null where nothing was begun, and nothing acknowledged
 * @throws {JournalError} as {@link JournalReader} does for a journal that is there
 */
export const openKeptJournal = (folder: string): JournalReader | null =>
	readMark(folder) === null && isBlank(folder) ? null : new JournalReader(folder);

const isBlank = (folder: string): boolean => {
	if (!existsSync(fileIn(folder))) {
		return true;
	}

	const place = placeOf(folder);
	return explaining(place, () => {
		const database = openToRead(folder);
		try {
			return versionOf(database, place) === 0;
		} finally {
			database.close();
		}
	});
};
