/** How cycles and resets write to a journal. */
import {fromPromise} from 'xstate';
import {JournalError, reasonOf} from '../errors.ts';
import type {Journal, JournalRecord} from '../journal/journal.ts';
import type {Handle} from './handle.ts';

/**
 * Appends a record. Whatever an application's own journal fails with is the journal's trouble,
 * and must halt the process: the states to come would build on one that is not kept.
 *
 * @throws {JournalError}
 */
const append = async (journal: Journal, record: JournalRecord): Promise<void> => {
	try {
		await journal.append(record);
	} catch (error) {
		throw error instanceof JournalError ? error : new JournalError(`The journal did not take a record: ${reasonOf(error)}`, {cause: error});
	}
};

/** Takes what was done in a turn to the journal. One logic for all, so that records of one commit are reported in their order. */
export const record = fromPromise<void, {services: Handle<{journal: Journal | null}>; outcome: Handle<{record: JournalRecord}>}>(
	async ({input: {services, outcome}}) => append(services.value.journal!, outcome.value.record),
);
