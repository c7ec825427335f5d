/**
 * The past of an identity, read from its journal: the state at any moment, and instruments over any stretch. Nothing runs or is kept
 * before the first question.
 */
import {InputError, JournalError, NoJournalError, UnavailableError} from '../../platform/errors.ts';
import type {AnswerOf, InstrumentName, QuestionOf} from '../instruments.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import type {HeldEntry, JournalEntry, StoredCycle} from '../../journal/journal.ts';
import type {Validation} from '../../journal/validation.ts';
import type {TextsDecision} from '../../journal/revision.ts';
import {talkOf} from '../drift/ordinary.ts';
import type {SketchedDrift} from '../run-drift.ts';
import {readHeld} from '../../journal/read-pages.ts';
import {anchorOf, resumeDrift} from './kept-monitor.ts';
import {makeDigests} from './make-digests.ts';
import {quoteInEnglish} from '../../platform/plain-line.ts';
import {withSignal} from '../../platform/waiting.ts';
import {findMoment, isBefore, pastStateAt, saidAtBefore, type Moment, type Place} from './find-moment.ts';
import {sharedQuestions, type Questions} from './questions.ts';
import {
	findStretch, runOver, type Asked, type AskedOf, type Origins, type Reader, type StretchBounds, type ValidatedJournal,
} from './stretches.ts';
import type {TurnOptions} from './turns.ts';
import {nameOf} from '../../platform/option-names.ts';

export class Past {
	readonly #journal: ValidatedJournal | null;
	readonly #kernel: Kernel;
	readonly #origins: () => Origins;
	#end = new AbortController();
	readonly #questions: Questions;

	/**
	 * @param origins Returns the identity's present origins. It may throw before there are any.
	 * @param questions The pool in which questions run.
	 */
	constructor(journal: ValidatedJournal | null, kernel: Kernel, origins: () => Origins, questions = sharedQuestions) {
		this.#journal = journal;
		this.#kernel = kernel;
		this.#origins = origins;
		this.#questions = questions;
	}

	/**
	 * Finds the place of a moment.
	 *
	 * @throws {NoJournalError} without a journal
	 * @throws {InputError} for an unknown moment, and one before the beginning
	 */
	async find(moment: Moment, signal?: AbortSignal): Promise<Place> {
		return this.#ask(async ({journal, origins: {initial}, signal: either}) => {
			const place = await findMoment(journal, initial, moment, either);
			// A stretch may start before the beginning; a state may not. An imported text may have been said earlier: it has a place.
			if (place.seq === 0 && isBefore(moment, initial)) {
				throw new InputError(`${quoteInEnglish(String(moment))} is before the beginning, ${initial.timestamp}: there was no state yet. `
					+ 'The first is “beginning”.');
			}

			return place;
		}, {signal});
	}

	/** The number of records in the journal; 0 without one. */
	get records(): number {
		return this.#journal?.records ?? 0;
	}

	/**
	 * The newest validation with its texts; null without one.
	 *
	 * @throws {NoJournalError} without a journal
	 */
	async validation(signal?: AbortSignal): Promise<Validation | null> {
		return withSignal(this.#requireJournal().validation(), this.#orEnd(signal));
	}

	/**
	 * Asks an instrument about a stretch, in a thread with a separate kernel.
	 *
	 * @param question The question, or a function that makes it from the places where the stretch begins and ends.
	 * @throws {NoJournalError} without a journal
	 * @throws {InputError} for an unknown moment, and a stretch that ends before it begins
	 * @throws {BusyError} when too many questions wait; {UnavailableError} when it takes too long
	 */
	async ask<Name extends InstrumentName>(
		name: Name, question: QuestionOf<Name> | AskedOf<Name>, bounds: StretchBounds = {}, options?: TurnOptions,
	): Promise<Asked<AnswerOf<Name>>> {
		return this.#ask(async reader => runOver(reader, await findStretch(reader, bounds), name, question), options);
	}

	/**
	 * Asks about the drift since a validation, resuming from the kept monitor; or since another moment, or since the beginning.
	 *
	 * @throws the errors of `ask`
	 */
	async askDrift(
		{validation, directions, since}: {validation: Validation | null; directions: readonly Float32Array[]; since: Moment | null},
		options?: TurnOptions,
	): Promise<SketchedDrift> {
		return this.#ask(async reader => {
			const {journal, origins: {initial}} = reader;
			const anchor = validation && anchorOf(validation, initial);
			const found = await findStretch(reader, {from: since ?? anchor ?? 'beginning'});
			const resumed = validation && since === null ? await resumeDrift(journal, validation, found) : null;
			const ordinary = validation && talkOf(validation);
			const {answer} = await runOver(
				reader, resumed?.stretch ?? found, 'drift', {ordinary, directions, resumed: resumed && resumed.followed},
			);
			const saidAt = validation && since === null ? await saidAtBefore(journal, validation.seq, reader.signal) : found.from.saidAt;
			return {...answer, from: pastStateAt(answer.from, {...found.from, saidAt})};
		}, options);
	}

	/**
	 * Makes the missing digests, if the journal keeps digests.
	 *
	 * @throws {NoJournalError} without a journal
	 */
	async digest(signal?: AbortSignal): Promise<void> {
		await this.#ask(makeDigests, {signal, isRefusable: false, isUnbounded: true});
	}

	/** The revisions, releases and drops, oldest first. @throws {NoJournalError} without a journal */
	async decisions(signal?: AbortSignal): Promise<TextsDecision[]> {
		return withSignal(this.#requireJournal().decisions(), this.#orEnd(signal));
	}

	/** The held texts. @throws {NoJournalError} without a journal */
	held(): AsyncGenerator<HeldEntry[]> {
		return readHeld(this.#requireJournal());
	}

	/**
	 * Reads records like `Journal.read`.
	 *
	 * @throws {NoJournalError} without a journal
	 */
	async read(from: number, count: number): Promise<JournalEntry[]> {
		return this.#requireJournal().read(from, count);
	}

	/** Reads a cycle by its record's number. @throws {NoJournalError} without a journal; {JournalError} if it was compacted */
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

	/** Ends the questions under way after a forgetting: they would answer about the old past. */
	restart(): void {
		this.#end.abort(new UnavailableError('Texts were forgotten while the question ran. Ask again.', {retryable: true}));
		this.#end = new AbortController();
	}

	async #ask<Answer>(
		ask: (reader: Reader) => Promise<Answer>, {signal, ...options}: TurnOptions & {isUnbounded?: boolean} = {},
	): Promise<Answer> {
		const journal = this.#requireJournal();
		return this.#questions.run(this, async (threads, either) => {
			const {initial, reference, authority} = this.#origins();
			return ask({journal, kernel: this.#kernel, threads, origins: {initial, reference, authority}, signal: either});
		}, {signal: this.#orEnd(signal), ...options});
	}

	#requireJournal(): ValidatedJournal {
		if (!this.#journal) {
			throw new NoJournalError(
				`This identity keeps no journal, so its past is not known. Give it a journal (${nameOf('journal.folder')}).`,
			);
		}

		return this.#journal;
	}

	/** Aborts with the signal, or when this past is closed or restarted. */
	#orEnd(signal: AbortSignal | undefined): AbortSignal {
		return AbortSignal.any([...(signal ? [signal] : []), this.#end.signal]);
	}
}
