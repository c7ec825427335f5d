/** What a validation is made of: the state as its anchor, and the texts before it as its baseline. */
import {BaselineTooShortError} from '../platform/errors.ts';
import {defaultBaseline, isEnough, minBaseline, toBaselineText} from '../instruments/baseline.ts';
import {visitsOf} from '../instruments/visits.ts';
import type {StoredCycle, ValidationRecord} from '../journal/journal.ts';
import {readBackwards, type PastJournal} from '../journal/read-pages.ts';
import {indexOf} from '../kernel/dimensions.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';

/** What a validation is asked for. */
export type ValidationOrder = Pick<ValidationRecord, 'id' | 'timestamp' | 'note'> & {
	/** The anchor. */
	state: StateTensor;
};

/**
 * Composes a validation of a state from a journal that ends with it.
 *
 * @throws {BaselineTooShortError} when the journal keeps too few texts, or too few visits
 * @throws {JournalError} when the journal cannot be read
 */
export const composeValidation = async (journal: PastJournal, {state, ...order}: ValidationOrder, signal?: AbortSignal): Promise<ValidationRecord> => {
	const cycles = await readNewestCycles(journal, signal);
	const texts = cycles.map(toBaselineText);
	const visits = visitsOf(texts).length;
	if (!isEnough(texts)) {
		throw new BaselineTooShortError(`A validation needs ${minBaseline.texts} texts in ${minBaseline.visits} visits to compare later ones with; there are ${texts.length} in ${visits}. `
			+ 'A visit is what one source says without a pause of 30 minutes. Try again when more was said.');
	}

	return {
		kind: 'validation',
		...order,
		stateId: state.stateId,
		baseline: {
			texts: texts.length,
			visits,
			sources: cycles.some(({isHashed}) => isHashed) ? null : new Set(texts.map(({source}) => source)).size,
			from: cycles[0]!.timestamp,
		},
		anchor: {timestamp: state.timestamp, thirdness: state.rows[indexOf('thirdness')]!},
		texts,
	};
};

/** The newest texts that a baseline takes, oldest first. */
const readNewestCycles = async (journal: PastJournal, signal?: AbortSignal): Promise<StoredCycle[]> => {
	const cycles: StoredCycle[] = [];
	for await (const {record} of readBackwards(journal, signal)) {
		if (record.kind === 'cycle' && cycles.push(record) === defaultBaseline) {
			break;
		}
	}

	return cycles.toReversed();
};
