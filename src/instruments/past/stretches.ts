/** Finds stretches of the past and the revisions by which they are read, and runs instruments over them. */
import {InputError} from '../../platform/errors.ts';
import type {Journal} from '../../journal/journal.ts';
import {readBackwards, withProgress} from '../../journal/read-pages.ts';
import {isRevision, type Revision} from '../../journal/revision.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import type {StateTensor} from '../../kernel/state-tensor.ts';
import type {Authority} from '../../semiosis/fixation.ts';
import type {AnswerOf, InstrumentName, QuestionOf} from '../instruments.ts';
import {maxPastTotals} from '../history.ts';
import {readingOver, type RevisedPlace, type RevisedReading} from '../revised-records.ts';
import {freshOf} from '../run-ledger.ts';
import {digestedBetween, digestedForWhatIf, type Digested, type DigestedJournal} from './digested.ts';
import {findMoment, type Moment, type Place} from './find-moment.ts';
import type {InstrumentThreads} from './instrument-thread.ts';
import type {Job} from './job.ts';

/** The values on which the states of an identity depend, besides its texts. */
export type Origins = {initial: StateTensor; reference: StateTensor; authority: Authority};

/** The part of a journal that a {@link Reader} needs. */
export type ValidatedJournal = DigestedJournal & Pick<Journal, 'validation' | 'decisions' | 'held'>;

/** The bounds of a stretch: after `from`, by default the beginning, up to and with `to`, by default the present. */
export type StretchBounds = {
	from?: Moment | Place | undefined;
	to?: Moment | undefined;
	/** Whether records are read as recorded, instead of by the revision in force. */
	asRecorded?: boolean;
	/** Called after each 5,000 records with the number read so far, and the total. */
	onProgress?: ((records: number, of: number) => void) | undefined;
};

/** An answer, and the places where its stretch begins and ends. */
export type Asked<Answer> = {answer: Answer; from: Place; to: Place};

/**
 * Makes a question from the places where its stretch begins and ends.
 *
 * @param totals Reads the dissonance totals of the newest texts before the stretch, oldest first; none before a reset or a compaction.
 */
export type AskedOf<Name extends InstrumentName> = (
	from: Place, to: Place, totals: () => Promise<readonly number[]>,
) => QuestionOf<Name> | Promise<QuestionOf<Name>>;

export type Reader = {
	readonly journal: ValidatedJournal; readonly kernel: Kernel; readonly threads: InstrumentThreads; readonly origins: Origins;
	readonly signal: AbortSignal;
};

/** @property revisions The revisions by which it may be read, oldest first. */
export type FoundStretch = Pick<StretchBounds, 'onProgress'> & {
	readonly from: Place; readonly to: Place; readonly revisions: readonly Revision[];
};

/** @throws {InputError} for an unknown moment, and a stretch that ends before it begins */
export const findStretch = async (
	{journal, origins: {initial}, signal}: Reader, {from = 'beginning', to = 'present', asRecorded = false, onProgress}: StretchBounds,
): Promise<FoundStretch> => {
	const first = typeof from === 'object' ? from : await findMoment(journal, initial, from, signal);
	const last = await findMoment(journal, initial, to, signal);
	// A given place may belong to a record that changes no state, such as a validation, and so come after the present state's.
	if (last.seq < first.seq && typeof from !== 'object') {
		throw new InputError(`The moment ${to} is before ${from}. Give the earlier one first.`);
	}

	const revisions = asRecorded ? [] : (await journal.decisions()).filter(isRevision).filter(({seq}) => seq <= last.seq);
	return {from: first, to: last, revisions, onProgress};
};

/** Runs an instrument over a stretch. @param question The question, or a function that makes it from the places at both ends. */
export const runOver = async <Name extends InstrumentName>(
	{journal, kernel, threads, origins, signal}: Reader, {from: first, to: last, revisions, onProgress}: FoundStretch, name: Name,
	question: QuestionOf<Name> | AskedOf<Name>,
): Promise<Asked<AnswerOf<Name>>> => {
	const run: Run = async (job, end) => {
		const digested = job.reading ? [] : await digestedFor(job, journal, end);
		const read = onProgress ? withProgress(journal, records => onProgress(records, end)) : journal;
		return threads.run(kernel, {...job, ...origins}, {journal: read, to: end, digested, digests: journal.digests}, signal);
	};

	const readAgain = async (by: RevisedReading): Promise<RevisedPlace> =>
		run({name: 'place', question: by, from: {seq: 0, state: origins.initial, cumulativeDrift: 0}}, first.seq);
	const reading = readingOver(revisions, first.seq, last.seq);
	const place = reading && first.seq > 0 ? await readAgain(reading) : null;
	const begun = place
		? {from: placeAgain(first, place, origins.initial), reading: {...reading!, block: place.block}}
		: {from: first, reading};
	const totals = async () => place?.totals ?? await totalsUpTo(journal, first.seq, revisions.at(-1)?.seq ?? 0, signal)
		?? (await readAgain(readingOver(revisions, 0, last.seq)!)).totals;
	const asked = typeof question === 'function' ? await (question as AskedOf<Name>)(begun.from, last, totals) : question;
	return {answer: await run({name, question: asked, ...begun}, last.seq), from: begun.from, to: last};
};

/** The digests that replace records of a job, in order. */
const digestedFor = async (
	{name, question, from: {seq}}: Pick<Job, 'name' | 'question' | 'from'>, journal: DigestedJournal, end: number,
): Promise<Digested[]> => {
	switch (name) {
		case 'history': return digestedBetween(journal, seq, end, 0);
		case 'ledger': return digestedBetween(journal, seq, end, freshOf(question as QuestionOf<'ledger'>));
		case 'whatIf': return digestedForWhatIf(journal, seq, end, question as QuestionOf<'whatIf'>);
		default: return [];
	}
};

/** Runs a job over the records up to one. */
type Run = <Name extends InstrumentName>(
	job: Pick<Job<Name>, 'name' | 'question' | 'from' | 'reading'>, end: number,
) => Promise<AnswerOf<Name>>;

/** The place where a stretch begins by the revision in force, in which that moment has another state. */
const placeAgain = (
	{state: {stateId, timestamp}, ...place}: Place, {thirdness, cumulativeDrift}: RevisedPlace, initial: StateTensor,
): Place => ({...place, state: initial.withThirdness(stateId, timestamp, thirdness), cumulativeDrift});

/** @param revised The newest revision; 0 for none. @returns null if it would have to read records that the revision changes */
const totalsUpTo = async (journal: DigestedJournal, upTo: number, revised: number, signal: AbortSignal): Promise<number[] | null> => {
	const totals: number[] = [];
	for await (const {seq, record} of readBackwards(journal, signal, {upTo})) {
		if (record.kind === 'reset' || record.kind === 'snapshot' || totals.length === maxPastTotals) {
			break;
		}

		if (seq <= revised) {
			return null;
		}

		totals.push(...record.kind === 'cycle' ? [record.total] : []);
	}

	return totals.toReversed();
};
