/**
 * When work is due for identities that are not in memory, such as cycles of their loops, in one program: a timing wheel with a
 * slot for each second, so that neither a change nor a check depends on how many there are.
 */
import type {Time} from '../platform/clock.ts';
import type {DueQueue} from './due-runner.ts';

export class DueTimes implements DueQueue {
	readonly #time: Pick<Time, 'elapsed'>;
	readonly #dueAt = new Map<string, number>();
	/** Names by second. An entry is stale if the name is due at another second by now. */
	readonly #places = new Map<number, string[]>();
	/** Nothing is due before this second. */
	#second: number;

	constructor(time: Pick<Time, 'elapsed'>) {
		this.#time = time;
		this.#second = this.#toSecond(time.elapsed());
	}

	async take(limit: number): Promise<string[]> {
		const taken: string[] = [];
		const now = Math.floor(this.#time.elapsed() / 1000);
		for (; this.#second <= now; this.#second++) {
			const place = this.#places.get(this.#second) ?? [];
			while (place.length > 0) {
				if (taken.length === limit) {
					return taken;
				}

				const name = place.shift()!;
				const dueAt = this.#dueAt.get(name);
				if (dueAt !== undefined && this.#toSecond(dueAt) <= this.#second) {
					taken.push(name);
				}
			}

			this.#places.delete(this.#second);
		}

		return taken;
	}

	async giveBack(name: string, dueMs: number | null): Promise<void> {
		if (this.#dueAt.has(name)) {
			this.add(name, dueMs ?? 0);
		}
	}

	/** Adds a name that is due in `dueMs`. */
	add(name: string, dueMs: number): void {
		const dueAt = this.#time.elapsed() + dueMs;
		const second = Math.max(this.#second, this.#toSecond(dueAt));
		this.#dueAt.set(name, dueAt);
		const place = this.#places.get(second) ?? [];
		place.push(name);
		this.#places.set(second, place);
	}

	/** Removes a name, which is in memory or put aside. @returns in how many milliseconds it is due; null if it was not there */
	remove(name: string): number | null {
		const dueAt = this.#dueAt.get(name);
		this.#dueAt.delete(name);
		return dueAt === undefined ? null : Math.max(0, dueAt - this.#time.elapsed());
	}

	#toSecond(milliseconds: number): number {
		return Math.ceil(milliseconds / 1000);
	}
}
