/** Since when the locks of other nodes are free, as this node has seen them: what lately ended may still answer from memory. */
import {leaseMs} from '../../journal/postgres/identity-rows.ts';

export class Departures {
	readonly #since = new Map<number, number>();
	#joinedAt = 0;

	/** Those that are not seen at a joining may have left just before. */
	join(now: number): void {
		this.#since.clear();
		this.#joinedAt = now;
	}

	/** @param now When the answer was there: the locks that are not in it were free by then. */
	note(before: ReadonlySet<number>, living: ReadonlySet<number>, now: number): void {
		for (const [node, since] of this.#since) {
			if (living.has(node) || now - since > leaseMs) {
				this.#since.delete(node);
			}
		}

		for (const node of before) {
			if (!living.has(node)) {
				this.#since.set(node, now);
			}
		}
	}

	/** In how long a node whose lock is free trusts itself no more; 0 or less where that is so. */
	leftMs(node: number, living: ReadonlySet<number>, now: number): number {
		// One that is thought to live has lost its lock since the last poll.
		const since = living.has(node) ? now : this.#since.get(node) ?? this.#joinedAt;
		return since + leaseMs - now;
	}
}
