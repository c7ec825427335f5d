/**
 * The past of an identity, from its journal: states of any moment, and instruments over any stretch
 * of it. Nothing runs or is kept unless it is asked for.
 */
import {BusyError, InputError, NoJournalError} from '../errors.ts';
import type {AnswerOf, InstrumentName, QuestionOf} from '../instruments/instruments.ts';
import type {Kernel} from '../kernel/kernel.ts';
import type {Authority} from '../semiosis/fixation.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import type {Journal, JournalEntry, Validation} from '../journal/journal.ts';
import {readPages, type PastJournal} from '../journal/read-pages.ts';
import {quote} from '../plain-line.ts';
import {withSignal} from '../with-signal.ts';
import {findMoment, isBefore, type Moment, type Place} from './find-moment.ts';
import {runJob} from './instrument-thread.ts';

/** What an identity lives by. */
export type Life = {initial: StateTensor; reference: StateTensor; authority: Authority};

/** A stretch of a life: behind `from`, a moment or its place, by default the beginning, up to `to`, by default the present. */
export type Stretch = {from?: Moment | Place | undefined; to?: Moment | undefined};

/** An answer, and the places where its stretch begins and ends. */
export type Asked<Answer> = {answer: Answer; from: Place; to: Place};

/** Makes a question of the states where its stretch begins and ends. */
type AskedOf<Name extends InstrumentName> = (from: StateTensor, to: StateTensor) => QuestionOf<Name>;

/** The journal of a past: its records, and its newest validation. */
type ValidatedJournal = PastJournal & Pick<Journal, 'validation'>;

/** How many questions may be under way at once: each has a thread. */
const maxQuestions = 2;

export class Past {
	readonly #journal: ValidatedJournal | null;
	readonly #kernel: Kernel;
	readonly #life: () => Life;
	readonly #end = new AbortController();
	#questions = 0;

	/** @param life What the identity lives by now. It may throw while there is none. */
	constructor(journal: ValidatedJournal | null, kernel: Kernel, life: () => Life) {
		this.#journal = journal;
		this.#kernel = kernel;
		this.#life = life;
	}

	/**
	 * The place of a moment.
	 *
	 * @throws {NoJournalError} where there is no journal
	 * @throws {InputError} for a moment that is not known
	 */
	async find(moment: Moment, signal?: AbortSignal): Promise<Place> {
		return this.#ask(async (journal, either) => {
			const {initial} = this.#life();
			// A stretch may be asked for from before the beginning; a state may not.
			if (isBefore(moment, initial)) {
				throw new InputError(`${quote(String(moment))} is before the beginning, ${initial.timestamp}: there was no state yet. The first is “beginning”.`);
			}

			return findMoment(journal, initial, moment, either);
		}, signal);
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
	 * @throws {BusyError} when too many questions are under way
	 */
	async ask<Name extends InstrumentName>(name: Name, question: QuestionOf<Name> | AskedOf<Name>, {from = 'beginning', to = 'present'}: Stretch = {}, signal?: AbortSignal): Promise<Asked<AnswerOf<Name>>> {
		return this.#ask(async (journal, either) => {
			const {initial, reference, authority} = this.#life();
			const [first, last] = [typeof from === 'object' ? from : await findMoment(journal, initial, from, either), await findMoment(journal, initial, to, either)];
			// A place may be that of a record which changes no state, such as a validation.
			if (last.seq < first.seq && typeof from !== 'object') {
				throw new InputError(`The moment ${to} lies before ${from}. Give the earlier one first.`);
			}

			const pages = readPages(journal, first.seq, last.seq, either);
			const answer = await runJob(this.#kernel, {name, question: typeof question === 'function' ? (question as AskedOf<Name>)(first.state, last.state) : question, authority, initial, reference, from: first}, pages, either);
			return {answer, from: first, to: last};
		}, signal);
	}

	/**
	 * Reads records as {@link Journal.read} does.
	 *
	 * @throws {NoJournalError} where there is no journal
	 */
	async read(from: number, count: number): Promise<JournalEntry[]> {
		return this.#requireJournal().read(from, count);
	}

	/** Ends the questions under way. */
	close(reason: unknown): void {
		this.#end.abort(reason);
	}

	async #ask<Answer>(ask: (journal: PastJournal, signal: AbortSignal) => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
		const journal = this.#requireJournal();
		if (this.#questions >= maxQuestions) {
			throw new BusyError(`${maxQuestions} questions to the past are under way already; try again in a few seconds.`, 2);
		}

		this.#questions++;
		try {
			return await ask(journal, this.#orEnd(signal));
		} finally {
			this.#questions--;
		}
	}

	#requireJournal(): ValidatedJournal {
		if (!this.#journal) {
			throw new NoJournalError('This identity keeps no journal, so its past is not known. Give it a journal (journal.folder).');
		}

		return this.#journal;
	}

	/** Aborts with a signal, and with the past. */
	#orEnd(signal: AbortSignal | undefined): AbortSignal {
		return AbortSignal.any([...(signal ? [signal] : []), this.#end.signal]);
	}
}
