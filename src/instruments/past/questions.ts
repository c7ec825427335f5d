/**
 * The pool in which questions to the past run, for all identities of a program: a few at once, in threads that are reused, each for
 * a bounded time. Other questions wait in a short queue that is fair over identities.
 */
import {unrefTimers, type Timers} from '../../platform/clock.ts';
import {UnavailableError} from '../../platform/errors.ts';
import {countInEnglish} from '../../platform/phrase.ts';
import {ranges, requireOptions, whole, within, type Checks} from '../../platform/ranges.ts';
import {withSignal} from '../../platform/waiting.ts';
import type {Kernel} from '../../kernel/kernel.ts';
import {instruments, type AnswerOf, type InstrumentName} from '../instruments.ts';
import {InstrumentThreads} from './instrument-thread.ts';
import type {Job} from './job.ts';
import type {JobRecords} from './run-here.ts';
import {defaultQuestions, Turns, type TurnOptions} from './turns.ts';
import {nameOf} from '../../platform/option-names.ts';

/** Options for {@link Questions}. */
export type QuestionsOptions = {
	/** The most questions that run at once, each in a thread. @default 2 */
	maxRunning?: number;
	/** The most questions that wait; any further one is refused with `BusyError`. @default 20 */
	maxWaiting?: number;
	/** The longest that a question may run, in seconds; then it fails with `UnavailableError`. @default 60 */
	maxSeconds?: number;
	/** How long an idle thread is kept, in milliseconds. It does not keep the program alive. @default 300,000 */
	idleMs?: number;
	/** The timers for `maxSeconds` and `idleMs`. @default the global ones, which do not keep the program alive */
	timers?: Timers;
};

const checks: Checks<QuestionsOptions> = {
	maxRunning: whole(ranges.count), maxWaiting: whole(ranges.number), maxSeconds: within(ranges.seconds),
	idleMs: within(ranges.milliseconds), timers: true,
};

/**
 * A pool that runs questions to the past. All identities of a program share one, unless they are given another with
 * `openIdentity({questions})`.
 *
 * @example
 * ```ts
 * import {openIdentity, Questions} from 'processual-state';
 *
 * const questions = new Questions({maxRunning: 1, maxSeconds: 300});
 * await using identity = await openIdentity({questions});
 * ```
 */
export class Questions {
	readonly #turns: Turns;
	readonly #threads: InstrumentThreads;
	readonly #maxSeconds: number;
	readonly #timers: Timers;

	/** @throws {ConfigurationError} for an option that is unknown or has a wrong value */
	constructor(given: QuestionsOptions = {}) {
		requireOptions('A pool of questions', given, checks);
		const {
			maxRunning = defaultQuestions.maxRunning, maxWaiting = defaultQuestions.maxWaiting,
			maxSeconds = defaultQuestions.maxSeconds, idleMs = 300_000, timers = unrefTimers,
		} = given;
		this.#turns = new Turns(maxRunning, maxWaiting);
		this.#threads = new InstrumentThreads({idleMs, timers});
		this.#maxSeconds = maxSeconds;
		this.#timers = timers;
	}

	/**
	 * Runs a question when its turn comes.
	 *
	 * @param asker An asker's questions wait only behind other questions of the same asker.
	 * @param ask Runs the question. It must end when its signal aborts, after `maxSeconds` unless it `isUnbounded`.
	 * @throws {BusyError} when too many questions wait
	 * @throws {UnavailableError} when the question takes too long
	 */
	async run<Result>(
		asker: object, ask: (threads: InstrumentThreads, signal: AbortSignal) => Promise<Result>,
		{signal, isUnbounded = false, ...options}: TurnOptions & {isUnbounded?: boolean} = {},
	): Promise<Result> {
		return this.#turns.run(asker, async () => {
			const ceiling = new AbortController();
			const timer = isUnbounded ? null : this.#timers.setTimeout(() => {
				ceiling.abort(new UnavailableError(`The question took more than ${countInEnglish(this.#maxSeconds, 'second')}. Ask about a shorter `
					+ `stretch (since, from), or set ${nameOf('questions.maxSeconds')} higher.`));
			}, this.#maxSeconds * 1000);
			try {
				const either = AbortSignal.any([...(signal ? [signal] : []), ceiling.signal]);
				return await withSignal(ask(this.#threads, either), either);
			} finally {
				this.#timers.clearTimeout(timer);
			}
		}, {signal, ...options});
	}

	/** Ends the idle threads now, and the others after their questions. */
	close(): void {
		this.#threads.close();
	}
}

/** The default pool of all identities of a program. */
export const sharedQuestions = new Questions();

/**
 * Runs a job that is part of something accepted: it is never refused, and may take longer than a question. Each instrument is one
 * asker: a service that opens a thousand identities still answers questions.
 */
export const runAccepted = async <Name extends InstrumentName>(
	questions: Questions, kernel: Kernel, job: Job<Name>, records: JobRecords, signal: AbortSignal,
): Promise<AnswerOf<Name>> => questions.run(
	instruments[job.name], async (threads, either) => threads.run(kernel, job, records, either),
	{signal, isRefusable: false, isUnbounded: true},
);
