/**
 * A validation waits for its turn like a cycle, so that its anchor is the state after all earlier requests. In its turn it
 * reads the preceding texts from the journal as its baseline, and finds how far chance leads with them. The state does not
 * change.
 */
import {
	divide, hasAtLeast, isVaried, minBaseline, needed, NewestTexts, sizeOf, toBaselineText, unitsOf,
} from '../instruments/drift/baseline.ts';
import {toMeasuredText, type ChanceQuestion} from '../instruments/drift/ordinary.ts';
import {runAccepted} from '../instruments/past/questions.ts';
import type {JournalEntry, StoredCycle, StoredRecord} from '../journal/journal.ts';
import type {BaselineText, Chance, ValidationRecord} from '../journal/validation.ts';
import {isRevision} from '../journal/revision.ts';
import {readBackwards, type PastJournal} from '../journal/read-pages.ts';
import {indexOf} from '../kernel/dimensions.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {timestampOf} from '../platform/clock.ts';
import {BaselineTooShortError} from '../platform/errors.ts';
import {nameOf} from '../platform/option-names.ts';
import {countInEnglish} from '../platform/phrase.ts';
import {minimalAuthority} from '../semiosis/fixation.ts';
import {stateAfter} from '../instruments/replay.ts';
import {saidAtOf} from '../instruments/source-of.ts';
import {excludedBy} from '../instruments/revised-records.ts';
import type {MachineDeps} from './deps.ts';
import {oneLine} from './process-context.ts';
import type {TurnContext, TurnInput, TurnKind} from './turn-machine.ts';

/** The input of a validation: its purpose, and the number of texts up to which p is to hold. */
export type ValidationInput = TurnInput & {note: string; horizon: number; initial: StateTensor};

type ValidationDeps = Pick<MachineDeps, 'journal' | 'time' | 'kernel' | 'questions'>;

export const validationKind = ({journal, time, kernel, questions}: ValidationDeps): TurnKind<TurnContext & ValidationInput> => ({
	name: 'validation',
	inTurn: [{
		name: 'composing',
		async run({order: {id}, note, horizon, initial, turn}, signal) {
			const at = timestampOf(time);
			// Records of earlier turns may still be on their way.
			await journal!.flush();
			const revision = (await journal!.decisions()).findLast(isRevision);
			const {cycles, before, isCompacted} = await readBaseline(journal!, initial, excludedBy(revision?.exclusions ?? []), signal);
			const texts = cycles.map(toMeasuredText);
			requireBaseline(texts, isCompacted);
			requireVaried(texts);
			// Usually the number of this record, but a start or stop of the loop may come first; so the seed is stored.
			const seed = journal!.records + 1;
			const chance = await askChance({seed, horizon, cycles: texts}, before, {journal: journal!, kernel, questions}, signal);
			const {state} = turn!;
			const record = composeValidation({id, timestamp: at, note, state}, cycles, chance);
			return {outcome: oneLine({turn: turn!, record}, `validation with ${texts.length} texts`)};
		},
	}],
});

/** Finds how far chance leads a state with the texts of a baseline. Reads no record. */
export const askChance = async (
	question: ChanceQuestion, state: StateTensor,
	{journal, kernel, questions}: Pick<MachineDeps, 'kernel' | 'questions'> & {journal: PastJournal}, signal: AbortSignal,
): Promise<Chance | null> => {
	const from = {seq: 0, state, cumulativeDrift: 0};
	const job = {name: 'chance', question, authority: minimalAuthority, initial: state, reference: state, from} as const;
	return runAccepted(questions, kernel, job, {journal, to: 0}, signal);
};

const composeValidation = (
	{state, ...order}: Pick<ValidationRecord, 'id' | 'timestamp' | 'note'> & {state: StateTensor}, cycles: readonly StoredCycle[],
	chance: Chance | null,
): ValidationRecord => {
	const texts = cycles.map(toBaselineText);
	return {
		kind: 'validation',
		...order,
		stateId: state.stateId,
		baseline: {
			...sizeOf(texts, chance?.usesIds),
			sources: cycles.some(({isHashed}) => isHashed) ? null : new Set(texts.map(({source}) => source)).size,
			from: saidAtOf(cycles[0]!),
		},
		anchor: {timestamp: state.timestamp, thirdness: state.rows[indexOf('thirdness')]!},
		texts,
		chance,
	};
};

/** @throws {BaselineTooShortError} for too few texts, or too few conversations */
const requireBaseline = (texts: ReadonlyArray<ReturnType<typeof toBaselineText>>, isCompacted: boolean): void => {
	const size = sizeOf(texts);
	if (hasAtLeast(size, minBaseline)) {
		return;
	}

	const hint = texts.some(({conversation}) => conversation !== null)
		? ''
		: ' Without ids, texts with a pause of less than 30 minutes are one conversation: send “conversation” with each text.';
	const way = isCompacted
		? ` Compaction has removed the earlier ones: let it keep more records (${nameOf('journal.compaction.keepRecords')}), and try again `
			+ 'when '
			+ 'more was said.'
		: ' Try again when more was said.';
	throw new BaselineTooShortError(
		`A validation needs ${needed} to compare later ones with; so far it has ${countInEnglish(size.texts, 'text')}, ${size.heard} of them `
			+ `by others, in ${countInEnglish(size.conversations, 'conversation')}.${way}${hint}`,
	);
};

/** @throws {BaselineTooShortError} if nearly all texts have the same vector: then chance leads nowhere, and nothing can be measured */
const requireVaried = (texts: readonly BaselineText[]): void => {
	if (!isVaried('heard', divide(texts, unitsOf(texts)))) {
		throw new BaselineTooShortError(
			`The embedding model gives nearly all of the last ${countInEnglish(texts.length, 'text')} one vector, as it does with heartbeats `
				+ 'and in languages that it does not read, so they do not say how talk varies. Leave such texts out '
				+ '(revise, by source or conversation), or choose a model that reads them, and validate again.',
		);
	}
};

/** The newest cycles for a baseline, oldest first, the state before them, and whether compaction removed some that it needs. */
const readBaseline = async (
	journal: PastJournal, initial: StateTensor, isExcluded: (entry: JournalEntry) => boolean, signal: AbortSignal,
): Promise<{cycles: StoredCycle[]; before: StateTensor; isCompacted: boolean}> => {
	const newest = new NewestTexts();
	const cycles: StoredCycle[] = [];
	let before = initial;
	let isCompacted = false;
	for await (const entry of readBackwards(journal, signal)) {
		const {record} = entry;
		if (isExcluded(entry)) {
			continue;
		}

		if (record.kind === 'cycle' && newest.take(toBaselineText(record))) {
			cycles.push(record);
		} else if (changesState(record) && newest.isComplete) {
			before = stateAfter(initial, initial, record);
			break;
		}

		isCompacted ||= record.kind === 'snapshot';
	}

	return {cycles: cycles.toReversed(), before, isCompacted};
};

const changesState = ({kind}: StoredRecord): boolean => ['cycle', 'reset', 'revision', 'snapshot'].includes(kind);
