/** When work is due for identities that are not in memory, such as cycles of their loops, in one program. */
import type {Time} from '../platform/clock.ts';
import type {DueQueue} from './due-runner.ts';

type Due = {readonly name: string; readonly dueAt: number};

export class DueTimes implements DueQueue {
	readonly #time: Pick<Time, 'elapsed'>;
	readonly #due = new Map<string, Due>();
	/** The times that were not taken. One that its name no longer has is skipped. */
	readonly #waiting: Due[] = [];

	constructor(time: Pick<Time, 'elapsed'>) {
		this.#time = time;
	}

	async take(limit: number): Promise<string[]> {
		const now = this.#time.elapsed();
		const taken: string[] = [];
		// The next one is last. Sorting is fast, because few were added since the last call.
		this.#waiting.sort((one, other) => other.dueAt - one.dueAt);
		while (taken.length < limit && (this.#waiting.at(-1)?.dueAt ?? Infinity) <= now) {
			const due = this.#waiting.pop()!;
			if (this.#due.get(due.name) === due) {
				taken.push(due.name);
			}
		}

		return taken;
	}

	async giveBack(name: string, dueMs: number | null): Promise<void> {
		if (this.#due.has(name)) {
			this.add(name, dueMs ?? 0);
		}
	}

	/** Adds a name that is due in `dueMs`. */
	add(name: string, dueMs: number): void {
		const due = {name, dueAt: this.#time.elapsed() + dueMs};
		this.#due.set(name, due);
		this.#waiting.push(due);
	}

	/** Removes a name, which is in memory or put aside. @returns in how many milliseconds it is due; null if it was not there */
	remove(name: string): number | null {
		const due = this.#due.get(name);
		this.#due.delete(name);
		return due ? Math.max(0, due.dueAt - this.#time.elapsed()) : null;
	}
}
