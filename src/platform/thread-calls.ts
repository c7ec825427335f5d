/**
 * Calls to a thread and their answers, for encoders, questions and journals. A call is data with a number. Its answer
 * is data, or the reason of its failure; answers come in any order. A thread can also send notices, which answer no
 * call.
 */
import {parentPort, Worker, workerData, type Transferable} from 'node:worker_threads';
import {reasonOf, type ErrorDetails, type ProcessualError} from './errors.ts';
import {givenNames, setOptionNames} from './option-names.ts';
import {threadModule} from './package-file.ts';

type Call<Asked> = {number: number; asked: Asked};

type Message<Answer, Notice> = {number: number; answer: Answer} | {number: number; failure: string} | {notice: Notice};

/** What a thread knows from its start. */
type ThreadData = {optionNames: ReturnType<typeof givenNames>};

type ThreadOptions<Notice> = {
	/** The class of the error of a call that fails in the thread. */
	failure: new (message: string, details: ErrorDetails) => ProcessualError;
	onNotice?: ((notice: Notice) => void) | undefined;
	/** Called when the thread has ended, with what it threw or its exit code. Calls without an answer fail after that. */
	onEnd?: (cause: unknown) => void;
	/** The error of calls that had no answer when it ended. */
	endError: (cause: unknown) => Error;
	/** The limit of V8's young generation. By default it takes up to 32 MB, and four times as much in vectors waits for a collection. */
	maxYoungMegabytes?: number;
};

/** Advice if a thread ended because too many files are open: it opens some as it starts. Empty for other causes. */
export const adviceAtEnd = (cause: unknown): string => /EMFILE|too many open files/i.test(reasonOf(cause))
	? ' Too many files are open: raise the limit of open files (ulimit -n).'
	: '';

/** A thread that answers calls. It keeps the program alive only while it is held. */
export class CalledThread<Asked, Answer, Notice = never> {
	isEnded = false;
	readonly #worker: Worker;
	readonly #calls = new Map<number, PromiseWithResolvers<Answer>>();
	#count = 0;
	#isEnding = false;

	/** @param module Its path in the source, without extension. */
	constructor(module: string, {failure: Failure, onNotice, onEnd, endError, maxYoungMegabytes}: ThreadOptions<Notice>) {
		let thrown: unknown;
		this.#worker = new Worker(threadModule(module), {
			workerData: {optionNames: givenNames()} satisfies ThreadData,
			...(maxYoungMegabytes !== undefined && {resourceLimits: {maxYoungGenerationSizeMb: maxYoungMegabytes}}),
		});
		this.#worker
			.on('message', (message: Message<Answer, Notice>) => {
				if ('notice' in message) {
					onNotice?.(message.notice);
					return;
				}

				const {resolve, reject} = this.#calls.get(message.number)!;
				this.#calls.delete(message.number);
				if ('failure' in message) {
					reject(new Failure(message.failure, {}));
				} else {
					resolve(message.answer);
				}
			})
			.on('error', error => {
				thrown = error;
			})
			.on('exit', code => {
				const cause = thrown ?? new Error(`exit code ${code}`);
				this.isEnded = true;
				onEnd?.(cause);
				for (const {reject} of this.#calls.values()) {
					reject(endError(cause));
				}
			})
			.unref();
	}

	/** @throws the error of a failure, or of the thread's end */
	async call(asked: Asked, transfer: Transferable[] = []): Promise<Answer> {
		const number = this.#count++;
		const call = Promise.withResolvers<Answer>();
		this.#calls.set(number, call);
		this.#worker.postMessage({number, asked} satisfies Call<Asked>, transfer);
		return call.promise;
	}

	/** Sets whether it keeps the program alive. While it is ending, it does. */
	hold(isHeld: boolean): void {
		if (!this.#isEnding) {
			this.#worker[isHeld ? 'ref' : 'unref']();
		}
	}

	async end(): Promise<void> {
		this.#isEnding = true;
		await this.#worker.terminate();
	}
}

/** In a thread: answers each call. @param buffersOf The buffers of an answer that are transferred instead of copied. */
export const answerCalls = <Asked, Answer>(
	answer: (asked: Asked) => Answer | Promise<Answer>, buffersOf: (answer: Answer) => ArrayBuffer[] = () => [],
): void => {
	setOptionNames((workerData as ThreadData).optionNames);
	const port = parentPort!;
	port.on('message', async ({number, asked}: Call<Asked>) => {
		try {
			const given = await answer(asked);
			port.postMessage({number, answer: given}, buffersOf(given));
		} catch (error) {
			port.postMessage({number, failure: reasonOf(error)});
		}
	});
};

/** In a thread: sends a notice, which answers no call. */
export const notify = (notice: unknown): void => parentPort!.postMessage({notice});
