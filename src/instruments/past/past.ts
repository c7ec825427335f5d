/**
 * The past of an identity, from its journal: states of any moment, and instruments over any stretch
 * of it. Nothing runs or is kept unless it is asked for.
 */
import {InputError, JournalError, NoJournalError, UnavailableError} from '../../platform/errors.ts';
import type {AnswerOf, InstrumentName, QuestionOf} from '../instruments.ts';
import {freshOf} from '../run-ledger.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import type {Authority} from '../../semiosis/fixation.ts';
import type {StateTensor} from '../../kernel/state-tensor.ts';
import type {HeldEntry, Journal, JournalEntry, StoredCycle} from '../../journal/journal.ts';
import type {Validation} from '../../journal/validation.ts';
import {isRevision, type TextsDecision} from '../../journal/revision.ts';
import {readingOver, type RevisedReading} from '../revised-records.ts';
import {readHeld} from '../../journal/read-pages.ts';
import {decodeDigest, digestLength} from '../digest.ts';
import {digestedBetween, readDigests, type DigestedJournal} from './digested.ts';
import {keptEvery, readKeptLife, watchJobOf, type KeptLife} from './kept-life.ts';
import {quote} from '../../platform/plain-line.ts';
import {withSignal} from '../../platform/waiting.ts';
import {findMoment, isBefore, type Moment, type Place} from './find-moment.ts';
import type {InstrumentThreads} from './instrument-thread.ts';
import type {Job} from './job.ts';
import {sharedQuestions, type Questions} from './questions.ts';
import type {TurnOptions} from './turns.ts';
import {nameOf} from '../../platform/option-names.ts';

/** What an identity lives by. */
export type Origins = {initial: StateTensor; reference: StateTensor; authority: Authority};

/** A stretch of a life: behind `from`, a moment or its place, by default the beginning, up to `to`, by default the present. */
export type StretchBounds = {
	from?: Moment | Place | undefined;
	to?: Moment | undefined;
	/** Whether records are to be read as they are, and not by the revision in force. */
	asRecorded?: boolean;
};

/** An answer, and the places where its stretch begins and ends. */
export type Asked<Answer> = {answer: Answer; from: Place; to: Place};

/** Makes a question of the states where its stretch begins and ends. */
type AskedOf<Name extends InstrumentName> = (from: StateTensor, to: StateTensor) => QuestionOf<Name>;

/** The journal of a past: its records, its newest validation, and its revisions. */
type ValidatedJournal = DigestedJournal & Pick<Journal, 'validation' | 'decisions' | 'held'>;

export class Past {
	readonly #journal: ValidatedJournal | null;
	readonly #kernel: Kernel;
	readonly #life: () => Origins;
	#end = new AbortController();
	readonly #questions: Questions;

	/**
	 * @param life What the identity lives by now. It may throw while there is none.
	 * @param questions Where its questions run.
	 */
	constructor(journal: ValidatedJournal | null, kernel: Kernel, life: () => Origins, questions = sharedQuestions) {
		this.#journal = journal;
		this.#kernel = kernel;
		this.#life = life;
		this.#questions = questions;
	}

	/**
	 * The place of a moment.
	 *
	 * @throws {NoJournalError} where there is no journal
	 * @throws {InputError} for a moment that is not known
	 */
	async find(moment: Moment, signal?: AbortSignal): Promise<Place> {
		return this.#ask(async (journal, _threads, either) => {
			const {initial} = this.#life();
			// A stretch may be asked for from before the beginning; a state may not.
			if (isBefore(moment, initial)) {
				throw new InputError(`${quote(String(moment))} is before the beginning, ${initial.timestamp}: there was no state yet. `
					+ 'The first is “beginning”.');
			}

			return findMoment(journal, initial, moment, either);
		}, {signal});
	}

	/** How many records the journal has; 0 where there is none. */
	get records(): number {
		return this.#journal?.records ?? 0;
	}

	/**
	 * The newest validation as a whole; null without one.
	 *
	 * @throws {NoJournalError} where there is no journal
	 */
	async validation(signal?: AbortSignal): Promise<Validation | null> {
		return withSignal(this.#requireJournal().validation(), this.#orEnd(signal));
	}

	/**
	 * Asks an instrument about a stretch, in a thread with another kernel.
	 *
	 * @param question The question, or what makes it of the states where the stretch begins and ends.
	 * @throws {NoJournalError} where there is no journal
	 * @throws {InputError} for a moment that is not known, and a stretch that ends before it begins
	 * @throws {BusyError} when too many questions wait; {UnavailableError} when it takes too long
	 */
	async ask<Name extends InstrumentName>(
		name: Name, question: QuestionOf<Name> | AskedOf<Name>, {from = 'beginning', to = 'present', asRecorded = false}: StretchBounds = {},
		options?: TurnOptions,
	): Promise<Asked<AnswerOf<Name>>> {
		return this.#ask(async (journal, threads, either) => {
			const {initial, reference, authority} = this.#life();
			const first = typeof from === 'object' ? from : await findMoment(journal, initial, from, either);
			const last = await findMoment(journal, initial, to, either);
			// A place may be that of a record which changes no state, such as a validation.
			if (last.seq < first.seq && typeof from !== 'object') {
				throw new InputError(`The moment ${to} is before ${from}. Give the earlier one first.`);
			}

			const run: Run = async (job, end) => {
				const fresh = freshFor(job);
				const digested = fresh === null || job.reading ? null : await digestedBetween(journal, job.from.seq, end, fresh);
				return threads.run(this.#kernel, {...job, initial, reference, authority}, {journal, to: end, digested}, either);
			};

			const reading = asRecorded ? null : readingOver((await journal.decisions()).filter(isRevision), first.seq, last.seq);
			const begun = reading && first.seq > 0 ? await readAgain(reading, first, initial, run) : {from: first, reading};
			const asked = typeof question === 'function' ? (question as AskedOf<Name>)(begun.from.state, last.state) : question;
			return {answer: await run({name, question: asked, ...begun}, last.seq), from: begun.from, to: last};
		}, options);
	}

	/**
	 * Makes digests of what has none yet, where the journal keeps them.
	 *
	 * @throws {NoJournalError} where there is no journal
	 */
	async digest(signal?: AbortSignal): Promise<void> {
		await this.#ask(async (journal, threads, either) => {
			const {initial, reference, authority} = this.#life();
			const {digests, records} = journal;
			const newest = digests && (await readDigests(journal))?.digests.at(-1);
			let from: Place = {seq: 0, state: initial, cumulativeDrift: 0};
			if (newest) {
				const {last, to: {stateId, timestamp, thirdness}} = decodeDigest(newest);
				from = {seq: last, state: initial.withThirdness(stateId, timestamp, thirdness), cumulativeDrift: 0};
			}

			const whole = digests ? Math.floor(records / digestLength) * digestLength : 0;
			while (from.seq < whole) {
				const to = Math.min(whole, from.seq + digestedAtOnce * digestLength);
				const made = await threads.run(
					this.#kernel, {name: 'digest', question: null, from, initial, reference, authority}, {journal, to}, either,
				);
				for (const one of made) {
					await digests!.add(one);
				}

				if (made.length === 0) {
					break;
				}

				const {last, to: {stateId, timestamp, thirdness}} = decodeDigest(made.at(-1)!);
				from = {seq: last, state: initial.withThirdness(stateId, timestamp, thirdness), cumulativeDrift: 0};
			}

			await this.#keepLife(journal, threads, whole, either);
		}, {signal, isRefusable: false, isUnbounded: true});
	}

	/** Keeps the life since the validation up to a record, where it was not kept for long. */
	async #keepLife(journal: ValidatedJournal, threads: InstrumentThreads, to: number, signal: AbortSignal): Promise<void> {
		const [validation, revisions] = [await journal.validation(), (await journal.decisions()).filter(isRevision)];
		const revision = revisions.at(-1)?.seq ?? 0;
		if (!journal.digests || !validation || to < Math.max(revision, validation.seq) + keptEvery) {
			return;
		}

		const kept = await readKeptLife(journal, {validation: validation.seq, revision});
		const [entry] = await journal.read(to, 1);
		if (to < (kept?.seq ?? 0) + keptEvery || entry?.seq !== to) {
			return;
		}

		const job = watchJobOf(validation, kept, revisions, to, this.#life());
		const {life, own} = await threads.run(this.#kernel, job, {journal, to}, signal);
		if (life) {
			await journal.digests.keep(
				{validation: validation.seq, revision, seq: to, id: entry.record.id, start: {state: life.state, own}} satisfies KeptLife,
			);
		}
	}

	/** What the revisions, releases and drops say, oldest first. @throws {NoJournalError} where there is no journal */
	async decisions(signal?: AbortSignal): Promise<TextsDecision[]> {
		return withSignal(this.#requireJournal().decisions(), this.#orEnd(signal));
	}

	/** The texts that wait. @throws {NoJournalError} where there is no journal */
	held(): AsyncGenerator<HeldEntry[]> {
		return readHeld(this.#requireJournal());
	}

	/**
	 * Reads records as {@link Journal.read} does.
	 *
	 * @throws {NoJournalError} where there is no journal
	 */
	async read(from: number, count: number): Promise<JournalEntry[]> {
		return this.#requireJournal().read(from, count);
	}

	/** Reads a cycle by its record's number. @throws {NoJournalError} where there is no journal */
	async readCycle(seq: number): Promise<StoredCycle> {
		const [entry] = await this.read(seq, 1);
		if (entry?.seq !== seq || entry.record.kind !== 'cycle') {
			throw new JournalError(`Record ${seq} was compacted while it was read. Ask again.`, {retryable: true});
		}

		return entry.record;
	}

	/** Ends the questions under way. */
	close(reason: unknown): void {
		this.#end.abort(reason);
	}

	/** Ends the questions under way, since the past is another one now. */
	restart(): void {
		this.#end.abort(new UnavailableError('Texts were forgotten meanwhile. Ask again.', {retryable: true}));
		this.#end = new AbortController();
	}

	async #ask<Answer>(
		ask: (journal: ValidatedJournal, threads: InstrumentThreads, signal: AbortSignal) => Promise<Answer>,
		{signal, ...options}: TurnOptions & {isUnbounded?: boolean} = {},
	): Promise<Answer> {
		const journal = this.#requireJournal();
		return this.#questions.run(this, async (threads, either) => ask(journal, threads, either), {signal: this.#orEnd(signal), ...options});
	}

	#requireJournal(): ValidatedJournal {
		if (!this.#journal) {
			throw new NoJournalError(
				`This identity keeps no journal, so its past is not known. Give it a journal (${nameOf('journal.folder')}).`,
			);
		}

		return this.#journal;
	}

	/** Aborts with a signal, and with the past. */
	#orEnd(signal: AbortSignal | undefined): AbortSignal {
		return AbortSignal.any([...(signal ? [signal] : []), this.#end.signal]);
	}
}

/** Of so many digests at once the records are in memory, without their texts. */
const digestedAtOnce = 20;

/** How many of the newest records a job reads beside digests; null where it takes none. */
const freshFor = ({name, question}: Pick<Job, 'name' | 'question'>): number | null => {
	switch (name) {
		case 'history': {
			return 0;
		}

		case 'ledger': {
			return freshOf(question as QuestionOf<'ledger'>);
		}

		default: {
			return null;
		}
	}
};

/** Runs a job over the records up to one. */
type Run = <Name extends InstrumentName>(
	job: Pick<Job<Name>, 'name' | 'question' | 'from' | 'reading'>, end: number,
) => Promise<AnswerOf<Name>>;

/** Where a stretch begins by the revision in force: the state of that moment is another one there. */
const readAgain = async (
	reading: RevisedReading, {seq, state: {stateId, timestamp}}: Place, initial: StateTensor, run: Run,
): Promise<{from: Place; reading: RevisedReading}> => {
	const beginning = {seq: 0, state: initial, cumulativeDrift: 0};
	const {thirdness, cumulativeDrift, block} = await run({name: 'place', question: reading, from: beginning}, seq);
	return {from: {seq, state: initial.withThirdness(stateId, timestamp, thirdness), cumulativeDrift}, reading: {...reading, block}};
};
