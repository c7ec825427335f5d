/**
 * The answer of a cycle whose record was on its way when the journal broke: it may be there. The journal is opened
 * again by the process, and then knows. So a cycle that counts is not called failed.
 */
import {waitFor} from 'xstate';
import {JournalError, UnknownOutcomeError} from '../platform/errors.ts';
import type {StoredCycle, StoredHeld} from '../journal/journal.ts';
import type {ProcessActor} from './pending-requests.ts';
import {answerOf} from './repeated-cycles.ts';
import type {CycleAnswer} from './views.ts';

/** How long a caller waits for the journal, in milliseconds; by then its clients and proxies lose patience. */
const maxWaitMs = 10_000;

/**
 * Gives the answer, or that of the record where the answer is not known.
 *
 * @throws what the answer throws; {@link UnknownOutcomeError} alone where the journal is not open again in time
 */
export const knowOutcome = async (
	answer: Promise<CycleAnswer>, id: string,
	{actor, find}: {actor: ProcessActor; find: (id: string) => Promise<StoredCycle | StoredHeld | null>},
): Promise<CycleAnswer> => {
	try {
		return await answer;
	} catch (error) {
		if (!(error instanceof UnknownOutcomeError)) {
			throw error;
		}

		const found = await findWhenOpen(id, actor, find);
		if (found === undefined) {
			throw error;
		}

		if (found === null) {
			throw new JournalError(`The journal broke before it had this cycle. It is open again: try again. ${error.message}`, {
				cause: error, retryable: true,
			});
		}

		return Object.freeze(answerOf(found));
	}
};

/** @returns undefined while that is not known */
const findWhenOpen = async (
	id: string, actor: ProcessActor, find: (id: string) => Promise<StoredCycle | StoredHeld | null>,
): Promise<StoredCycle | StoredHeld | null | undefined> => {
	try {
		const {status} = await waitFor(actor, snapshot => !snapshot.matches({ready: 'halted'}), {timeout: maxWaitMs});
		return status === 'active' ? await find(id) : undefined;
	} catch {
		return undefined;
	}
};
