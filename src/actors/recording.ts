/** How cycles and resets write to the journal. */
import {fromPromise} from 'xstate';
import {JournalError, reasonOf} from '../platform/errors.ts';
import type {JournalRecord} from '../journal/journal.ts';
import type {JournalPort} from './deps.ts';

/**
 * The logic that appends a record, and gives its number. Any failure of an application's own journal is one of the journal:
 * it must halt the process, because the states to come would build on one that is not kept.
 *
 * @throws {JournalError}
 */
export const recordTo = (journal: JournalPort | null) => fromPromise<number, {record: JournalRecord}>(async ({input: {record}}) => {
	try {
		return await journal!.append(record);
	} catch (error) {
		throw error instanceof JournalError ? error : new JournalError(`The journal did not take a record: ${reasonOf(error)}`, {cause: error});
	}
});
