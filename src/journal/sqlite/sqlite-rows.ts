/** A whole journal in a folder as rows, to copy it elsewhere or to make it from another. */
import {orUndoNow} from '../../platform/errors.ts';
import {withJournalErrors} from './journal-errors.ts';
import {describeJournal, openJournalToRead} from './database.ts';
import {readHighWaterMark} from './high-water-mark.ts';
import {pagesOf, type JournalRows} from '../journal-rows.ts';
import {readHeld} from '../read-pages.ts';
import {VerifiedReader} from './verified-reader.ts';
import {requireEmptyLog} from './write-ahead-log.ts';
import {JournalWriter} from './writer.ts';

/**
 * @param options `isMoving`: whether to open it even while it is being moved.
 * @throws {JournalError} while a process has the journal open, and for one that is damaged
 */
export const openSqliteRows = (folder: string, options?: {isMoving: boolean}): JournalRows => {
	const place = describeJournal(folder);
	return withJournalErrors(place, () => {
		const database = openJournalToRead(folder, options);
		return orUndoNow(() => {
			const reader = new VerifiedReader(database, place);
			const {head: {last, compacted}, genesis, validation} = reader.verify(readHighWaterMark(folder));
			return {
				genesis,
				last,
				compacted,
				validation,
				revisions: reader.revisions(),
				held: async (after, count) => withJournalErrors(place, () => reader.held(after, count)),
				read: async (from, count) => withJournalErrors(place, () => reader.read(from, count)),
				async [Symbol.asyncDispose]() {
					database.close();
				},
			};
		}, () => database.close());
	});
};

/** Makes a journal from the rows of another, in a folder without one. */
export const writeSqliteRows = async (folder: string, rows: JournalRows): Promise<void> => {
	const writer = new JournalWriter(folder);
	try {
		writer.begin(rows.genesis);
		for await (const page of pagesOf(rows)) {
			writer.copy({records: page, head: {last: page.at(-1)!.seq, compacted: 0, validation: 0}});
		}

		for await (const page of readHeld(rows)) {
			writer.copy({held: page});
		}

		const {last, compacted, validation, revisions} = rows;
		writer.copy({validation, revisions, head: {last, compacted, validation: validation?.seq ?? 0}});
	} finally {
		writer.close();
	}

	requireEmptyLog(folder, describeJournal(folder));
};
