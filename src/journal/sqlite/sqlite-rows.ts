/** A whole journal in a folder as rows: to be copied elsewhere, or made of another's. */
import {withJournalErrors} from './journal-errors.ts';
import {describeJournal, openJournalToRead} from './database.ts';
import {readHighWaterMark} from './high-water-mark.ts';
import {heldPagesOf, pagesOf, type JournalRows} from '../journal-rows.ts';
import {VerifiedReader} from './verified-reader.ts';
import {JournalWriter} from './writer.ts';

/** @throws {JournalError} while a process has the journal open, and for one that is damaged */
export const openSqliteRows = (folder: string): JournalRows => {
	const place = describeJournal(folder);
	return withJournalErrors(place, () => {
		const database = openJournalToRead(folder);
		try {
			const reader = new VerifiedReader(database, place);
			const {head: {last, compacted}, genesis, validation} = reader.verify(readHighWaterMark(folder));
			return {
				genesis,
				last,
				compacted,
				validation,
				revisions: reader.readRevisions(),
				held: async (after, count) => withJournalErrors(place, () => reader.readHeld(after, count)),
				read: async (from, count) => withJournalErrors(place, () => [...reader.readForwards(from - 1, count)]),
				async close() {
					database.close();
				},
			};
		} catch (error) {
			database.close();
			throw error;
		}
	});
};

/** Makes a journal of another's rows, in a folder without one. */
export const writeSqliteRows = async (folder: string, rows: JournalRows): Promise<void> => {
	const writer = new JournalWriter(folder);
	try {
		writer.begin(rows.genesis);
		for await (const page of pagesOf(rows)) {
			writer.copy(page, {last: page.at(-1)!.seq, compacted: 0, validation: 0});
		}

		for await (const page of heldPagesOf(rows)) {
			writer.copyHeld(page);
		}

		writer.copy([], {last: rows.last, compacted: rows.compacted, validation: rows.validation?.seq ?? 0}, rows);
	} finally {
		writer.close();
	}
};
