/**
 * Limits how much work runs at once. Other work waits in a short queue, which serves the askers in turn, so that each waits only behind
 * its own earlier work. If the queue is full, the newest work of the asker with most in it is refused ("longest queue drop"): a heavy
 * asker is refused before a light one.
 */
import {BusyError} from '../../platform/errors.ts';

/** The default limits of questions to the past. */
export const defaultQuestions = {maxRunning: 2, maxWaiting: 20, maxSeconds: 60} as const;

type Waiting = {readonly isRefusable: boolean; readonly begin: () => void; readonly refuse: (reason: unknown) => void};

export type TurnOptions = {
	/** Leaves the queue when aborted. */
	signal?: AbortSignal | undefined;
	/** Whether a full queue refuses it. Work that belongs to something already accepted waits in any case. @default true */
	isRefusable?: boolean;
};

export class Turns {
	readonly #maxRunning: number;
	readonly #maxWaiting: number;
	#running = 0;
	/** The queue by asker; the first asker has the next turn. */
	readonly #lines = new Map<object, Waiting[]>();

	constructor(maxRunning: number, maxWaiting: number) {
		this.#maxRunning = maxRunning;
		this.#maxWaiting = maxWaiting;
	}

	/** Runs work when its turn comes. @throws {BusyError} when the queue is full; the signal's reason */
	async run<Result>(asker: object, work: () => Promise<Result>, {signal, isRefusable = true}: TurnOptions = {}): Promise<Result> {
		signal?.throwIfAborted();
		if (this.#running < this.#maxRunning) {
			this.#running++;
		} else {
			await this.#wait(asker, isRefusable, signal);
		}

		try {
			return await work();
		} finally {
			this.#passOn();
		}
	}

	async #wait(asker: object, isRefusable: boolean, signal: AbortSignal | undefined): Promise<void> {
		const {promise, resolve: begin, reject: refuse} = Promise.withResolvers<void>();
		const waiting: Waiting = {isRefusable, begin, refuse};
		this.#lines.set(asker, [...this.#lines.get(asker) ?? [], waiting]);
		const leave = (): void => {
			if (this.#remove(asker, waiting)) {
				refuse(signal!.reason);
			}
		};

		signal?.addEventListener('abort', leave);
		this.#refuseTooMany();
		try {
			await promise;
		} finally {
			signal?.removeEventListener('abort', leave);
		}
	}

	#passOn(): void {
		const [next] = this.#lines;
		if (!next) {
			this.#running--;
			return;
		}

		const [asker, [first, ...others]] = next;
		this.#lines.delete(asker);
		this.#keep(asker, others);
		first!.begin();
	}

	#refuseTooMany(): void {
		const lines = [...this.#lines].map(([asker, line]) => ({asker, refusable: line.filter(({isRefusable}) => isRefusable)}));
		if (lines.reduce((sum, {refusable}) => sum + refusable.length, 0) <= this.#maxWaiting) {
			return;
		}

		// Of two equally long ones, that of the later asker.
		const {asker, refusable} = lines.reduce((longest, line) => line.refusable.length >= longest.refusable.length ? line : longest);
		const newest = refusable.at(-1)!;
		this.#remove(asker, newest);
		newest.refuse(new BusyError(
			`Too many questions about the past: ${this.#maxRunning} under way, and ${this.#maxWaiting} waiting. Try again in a few seconds.`, 5,
		));
	}

	/** @returns whether it was still waiting */
	#remove(asker: object, waiting: Waiting): boolean {
		const line = this.#lines.get(asker) ?? [];
		this.#keep(asker, line.filter(other => other !== waiting));
		return line.includes(waiting);
	}

	#keep(asker: object, line: Waiting[]): void {
		if (line.length > 0) {
			this.#lines.set(asker, line);
		} else {
			this.#lines.delete(asker);
		}
	}
}
