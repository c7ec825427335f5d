/**
 * What a guard's rules know. A rule that knows nothing lets every text pass: so one that comes before the watch has
 * read the past waits. After an import or a recovery the watch before answers, until the next has read it.
 */
import type {Standings} from '../actors/guard.ts';
import type {Timers} from '../platform/clock.ts';
import {BusyError} from '../platform/errors.ts';
import {waitAtMost, withSignal} from '../platform/waiting.ts';
import type {ArrivingText} from '../actors/quarantine.ts';
import type {BaselineText} from '../journal/validation.ts';
import type {Watcher} from '../instruments/watcher.ts';

/** A text, or a question, waits for so long at most: before it has digests, a long past takes a minute to read. */
export const maxWaitMs = 30_000;

export class GuardKnowledge {
	watcher: Watcher | null = null;
	/** Ends when the watch has begun, or cannot; null from then on. */
	#beginning: PromiseWithResolvers<void> | null = Promise.withResolvers();

	constructor(standings: Standings, {timers, pOf, read, isBehind, restart}: {
		timers: Timers;
		/** The p of a source that was noticed. */
		pOf: (source: string) => number | null;
		read: (text: ArrivingText) => BaselineText;
		/** Whether a watch is to begin with the next text. */
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
					throw new BusyError('The watch on drift still reads the past, which the guard’s rules ask for; try again in 10 seconds.', 10);
				}
			},
		} satisfies Partial<Standings>);
	}

	/** A watch begins, or is to. */
	begin(): void {
		this.#beginning ??= Promise.withResolvers();
	}

	/** It has begun, or cannot. */
	end(): void {
		this.#beginning?.resolve();
		this.#beginning = null;
	}
}
