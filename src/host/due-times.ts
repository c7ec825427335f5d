/** When work is due for identities that are not in memory, such as cycles of their loops, in one program. */
import type {Time} from '../platform/clock.ts';
import type {DueQueue} from './due-runner.ts';

type Due = {readonly name: string; readonly dueAt: number};

export class DueTimes implements DueQueue {
	readonly #time: Pick<Time, 'elapsed'>;
	readonly #due = new Map<string, Due>();
	/** Those that were not taken. */
	readonly #waiting: Due[] = [];

	constructor(time: Pick<Time, 'elapsed'>) {
		this.#time = time;
	}

	async take(limit: number): Promise<string[]> {
		const now = this.#time.elapsed();
		// Fast, because few were added since the last call.
		this.#waiting.sort((one, other) => one.dueAt - other.dueAt);
		const due = this.#waiting.slice(0, limit).filter(({dueAt}) => dueAt <= now);
		this.#waiting.splice(0, due.length);
		return due.map(({name}) => name);
	}

	async giveBack(name: string, dueMs: number | null): Promise<void> {
		if (this.#due.has(name)) {
			this.add(name, dueMs ?? 0);
		}
	}

	/** Adds a name that is due in `dueMs`. */
	add(name: string, dueMs: number): void {
		this.remove(name);
		const due = {name, dueAt: this.#time.elapsed() + dueMs};
		this.#due.set(name, due);
		this.#waiting.push(due);
	}

	/** Removes a name, which is in memory or put aside. @returns in how many milliseconds it is due; null if it was not there */
	remove(name: string): number | null {
		const due = this.#due.get(name);
		if (!due) {
			return null;
		}

		this.#due.delete(name);
		const place = this.#waiting.indexOf(due);
		this.#waiting.splice(place, place === -1 ? 0 : 1);
		return Math.max(0, due.dueAt - this.#time.elapsed());
	}
}
