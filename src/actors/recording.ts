/** How cycles and resets write to a journal. */
import {JournalError, reasonOf} from '../errors.ts';
import type {Journal, JournalRecord} from '../journal/journal.ts';

/**
 * Appends a record. Whatever an application's own journal fails with is the journal's trouble,
 * and must halt the process: the states to come would build on one that is not kept.
 *
 * @throws {JournalError}
 */
export const append = async (journal: Journal, record: JournalRecord): Promise<void> => {
	try {
		await journal.append(record);
	} catch (error) {
		throw error instanceof JournalError ? error : new JournalError(`The journal did not take a record: ${reasonOf(error)}`, {cause: error});
	}
};
