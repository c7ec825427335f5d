/** Work that several wait for: it ends with the last of them who leaves. */
import {withSignal} from './with-signal.ts';

export class SharedWork<Value> {
	readonly #end = new AbortController();
	readonly #value: Promise<Value>;
	#waiters = 0;

	/** Starts the work. @param work Its signal aborts when the last waiter has left. */
	constructor(work: (signal: AbortSignal) => Promise<Value>) {
		this.#value = work(this.#end.signal);
		this.#value.catch(() => {});
	}

	/** Whether the last waiter left: a later one starts the work again. */
	get isAbandoned(): boolean {
		return this.#end.signal.aborted;
	}

	/** Waits for it, until the signal aborts. @throws the signal's reason, and what the work throws */
	async wait(signal?: AbortSignal): Promise<Value> {
		this.#waiters++;
		try {
			return await withSignal(this.#value, signal);
		} finally {
			// What is done keeps its value.
			if (--this.#waiters === 0 && signal?.aborted) {
				this.#end.abort(signal.reason);
			}
		}
	}
}
