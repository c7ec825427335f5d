/**
 * Where the questions to the past of all identities of a program run: a few at once, in threads that are kept and
 * used again, each for a bounded time. Who has no place waits in a short line that is fair over identities.
 */
import {unrefTimers, type Timers} from '../../platform/clock.ts';
import {UnavailableError} from '../../platform/errors.ts';
import {countInEnglish} from '../../platform/phrase.ts';
import {ranges, requireOptions, whole, within, type Checks} from '../../platform/ranges.ts';
import {withSignal} from '../../platform/waiting.ts';
import {InstrumentThreads} from './instrument-thread.ts';
import {defaultQuestions, Turns, type TurnOptions} from './turns.ts';
import {nameOf} from '../../platform/option-names.ts';

/** How many questions run at once, and for how long. */
export type QuestionsOptions = {
	/** How many run at once, each in a thread. @default 2 */
	maxRunning?: number;
	/** How many more wait; one beyond them is refused with {@link BusyError}. @default 20 */
	maxWaiting?: number;
	/** How long one may run, in seconds; then it fails with `UnavailableError`. @default 60 */
	maxSeconds?: number;
	/** How long an idle thread is kept, in milliseconds. It keeps no program alive. @default 300,000 */
	idleMs?: number;
	/** The timers of both. @default the global ones, which do not keep the program alive */
	timers?: Timers;
};

const checks: Checks<QuestionsOptions> = {
	maxRunning: whole(ranges.count), maxWaiting: whole(ranges.number), maxSeconds: within(ranges.seconds),
	idleMs: within(ranges.milliseconds), timers: true,
};

/**
 * The places for questions to the past. All identities of a program share one unless they are given another: `openIdentity({questions})`.
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
	 * @param asker Each asker's questions wait behind their own alone.
	 * @param ask Ends with its signal. It may take as long as it needs where it `isUnbounded`.
	 * @throws {BusyError} when too many wait
	 * @throws {UnavailableError} when it takes too long
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

	/** Forgets what threads keep of journals. */
	forget(): void {
		this.#threads.forget();
	}

	/** Ends the threads that are idle; the others end with their questions. */
	close(): void {
		this.#threads.close();
	}
}

/** What the identities of a program share. */
export const sharedQuestions = new Questions();
