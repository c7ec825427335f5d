/**
 * The knowledge behind a guard's rules. A rule without knowledge would let every text pass, so a text that arrives before
 * the watch has read the past waits. After an import or a recovery the previous watch answers until the next is ready.
 */
import type {Standings} from '../actors/guard.ts';
import type {Timers} from '../platform/clock.ts';
import {BusyError} from '../platform/errors.ts';
import {waitAtMost, withSignal} from '../platform/waiting.ts';
import type {ArrivingText} from '../actors/quarantine.ts';
import type {BaselineText} from '../journal/validation.ts';
import type {Watcher} from '../instruments/watcher.ts';

/** The longest that a text or a question waits. A long past without digests takes a minute to read. */
export const maxWaitMs = 30_000;

export class GuardKnowledge {
	watcher: Watcher | null = null;
	/** Resolves when the watch has begun or failed to; null from then on. */
	#beginning: PromiseWithResolvers<void> | null = Promise.withResolvers();

	constructor(standings: Standings, {timers, pOf, read, isBehind, restart}: {
		timers: Timers;
		/** The p of a source that was noticed; null for any other. */
		pOf: (source: string) => number | null;
		read: (text: ArrivingText) => BaselineText;
		/** Whether the watch must restart with the next text. */
		isBehind: () => boolean;
		restart: () => void;
	}) {
		Object.assign(standings, {
			of: source => this.watcher && {noticedP: pOf(source), ...this.watcher.standing(source)},
			strangenessOf: text => this.watcher?.strangenessOf(read(text)) ?? null,
			isUnknown: () => !this.watcher && (this.#beginning !== null || isBehind()),
			whenKnown: async signal => {
				if (isBehind()) {
					restart();
				}

				await withSignal(waitAtMost(this.#beginning?.promise ?? Promise.resolve(), maxWaitMs, timers), signal);
				if (this.#beginning) {
					throw new BusyError('The watch on drift is still reading the past, which the guard’s rules need; try again in 10 seconds.', 10);
				}
			},
		} satisfies Partial<Standings>);
	}

	/** A watch begins. */
	begin(): void {
		this.#beginning ??= Promise.withResolvers();
	}

	/** The watch has begun, failed to, or is not needed. */
	end(): void {
		this.#beginning?.resolve();
		this.#beginning = null;
	}
}
