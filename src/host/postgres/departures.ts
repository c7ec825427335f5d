/** How long the locks of other nodes have been free, as this node saw them: a node that just ended may still answer from memory. */
import {leaseMs} from '../../journal/postgres/identity-rows.ts';

export class Departures {
	readonly #since = new Map<number, number>();
	#joinedAt = 0;

	/** Nodes that are not seen when this one joins may have left just before. */
	join(now: number): void {
		this.#since.clear();
		this.#joinedAt = now;
	}

	/** @param now When the answer arrived: the locks that are not in it were free by then. */
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

	/** In how many milliseconds a node whose lock is free no longer trusts itself; 0 or less if it already does not. */
	leftMs(node: number, living: ReadonlySet<number>, now: number): number {
		// A node that is thought to live has lost its lock since the last poll.
		const since = living.has(node) ? now : this.#since.get(node) ?? this.#joinedAt;
		return since + leaseMs - now;
	}
}
