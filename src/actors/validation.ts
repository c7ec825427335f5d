/**
 * A validation waits for its turn like a cycle, so that its anchor is the state after all that was accepted
 * before it. In its turn it reads the texts before it from the journal, as its baseline. It changes nothing.
 */
import {defaultBaseline, isEnough, minBaseline, toBaselineText} from '../instruments/baseline.ts';
import {visitsOf} from '../instruments/visits.ts';
import type {StoredCycle, ValidationRecord} from '../journal/journal.ts';
import {readBackwards, type PastJournal} from '../journal/read-pages.ts';
import {indexOf} from '../kernel/dimensions.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {timestampOf} from '../platform/clock.ts';
import {BaselineTooShortError} from '../platform/errors.ts';
import type {MachineDeps} from './deps.ts';
import {oneLine} from './process-context.ts';
import type {TurnContext, TurnInput, TurnKind, TurnOutcome, TurnReport} from './turn-machine.ts';

/** What a validation is created with: what it is made for. */
export type ValidationInput = TurnInput & {note: string};

type ValidationContext = TurnContext & ValidationInput & {outcome?: TurnOutcome & {record: ValidationRecord}};

/** What a validation tells its parent. */
export type ValidationReport = TurnReport<'validation', ValidationContext>;

/** The kind of turn that a validation is. */
export const validationKind = ({journal, time}: Pick<MachineDeps, 'journal' | 'time'>): TurnKind<ValidationContext> => ({
	name: 'validation',
	prepare: [],
	inTurn: [{
		name: 'composing',
		async run({order: {id}, note, turn}, signal) {
			const at = timestampOf(time);
			// The records of the turns before may be on their way.
			await journal!.flush();
			const record = await composeValidation(journal!, {id, timestamp: at, note, state: turn!.state}, signal);
			return {outcome: oneLine({turn: turn!, record}, `validation with ${record.texts.length} texts`)};
		},
	}],
});

/**
 * Composes a validation of a state, the anchor, from a journal that ends with it.
 *
 * @throws {BaselineTooShortError} when the journal keeps too few texts, or too few visits
 * @throws {JournalError} when the journal cannot be read
 */
const composeValidation = async (
	journal: PastJournal,
	{state, ...order}: Pick<ValidationRecord, 'id' | 'timestamp' | 'note'> & {state: StateTensor},
	signal: AbortSignal,
): Promise<ValidationRecord> => {
	const cycles = await readNewestCycles(journal, signal);
	const texts = cycles.map(toBaselineText);
	const visits = visitsOf(texts).length;
	if (!isEnough(texts)) {
		throw new BaselineTooShortError(
			`A validation needs ${minBaseline.texts} texts in ${minBaseline.visits} visits to compare later ones with; there are `
				+ `${texts.length} in ${visits}. `
				+ 'A visit is what one source says without a pause of 30 minutes. Try again when more was said.',
		);
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
const readNewestCycles = async (journal: PastJournal, signal: AbortSignal): Promise<StoredCycle[]> => {
	const cycles: StoredCycle[] = [];
	for await (const {record} of readBackwards(journal, signal)) {
		if (record.kind === 'cycle' && cycles.push(record) === defaultBaseline) {
			break;
		}
	}

	return cycles.toReversed();
};
