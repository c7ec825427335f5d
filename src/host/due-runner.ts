/**
 * Opens identities that are not in memory when something of theirs is due, and keeps each until that is done: the next cycle of
 * its loop, the end of a conversation. So they need no place in between. While an identity is in memory, its own timers run.
 */
import {waitFor} from 'xstate';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Timers} from '../platform/clock.ts';
import {nameOf} from '../platform/option-names.ts';
import {BusyError, MovedError, reasonOf, UnavailableError, type Warn} from '../platform/errors.ts';

/** How late it begins at most, where there is room for it. */
const pollMs = 1000;

/** An identity that could not be opened is left alone for so long. */
export const dueRetryMs = 60_000;

/** More would delay requests by the time that all these openings take. */
const maxLanes = 16;

/** Identities that are not in memory, by when something of theirs is due. */
export type DueQueue = {
	/** Takes at most so many that are due: no one else takes them. The oldest first. */
	take(limit: number): Promise<string[]>;
	/** It is due in so long; null: when it was. It can be taken again. */
	giveBack(name: string, dueMs: number | null): Promise<void>;
};

/** What is done with an identity. */
export type DueWork = {
	/** As warnings name it. */
	what: string;
	/** Resolves when it is done. */
	until(identity: LocalIdentity, signal: AbortSignal): Promise<unknown>;
};

type DueRunnerOptions = DueWork & {
	queue: DueQueue;
	/** Opens an identity where it is not in memory. */
	open(name: string): LocalIdentity | Promise<LocalIdentity>;
	/** How many may be in memory. At most half of these places are taken at once. */
	maxLive: number;
	timers: Timers;
	warn: Warn;
};

/** The next cycle of a loop. One that fails is the daemon's own affair: its loop continues after a pause. */
export const nextCycle: DueWork = {
	what: 'loop',
	async until(identity, signal) {
		const {daemon} = identity.actor.getSnapshot().children;
		await (daemon && waitFor(daemon, () => identity.untilCycle() !== 0, {signal}));
	},
};

export class DueRunner {
	readonly #options: DueRunnerOptions;
	readonly #lanes: number;
	readonly #underWay = new Set<Promise<void>>();
	readonly #over = new AbortController();
	#taking: Promise<void> | null = null;
	#timer: unknown = null;
	/** Whether more may be due than there were lanes for. */
	#hasMore = false;
	#isWarned = false;

	constructor(options: DueRunnerOptions) {
		this.#options = options;
		this.#lanes = Math.max(1, Math.min(maxLanes, Math.floor(options.maxLive / 2)));
	}

	/** Takes what is due now, and from then on looks every second. */
	wake(): void {
		const {timers} = this.#options;
		if (!this.#over.signal.aborted) {
			timers.clearTimeout(this.#timer);
			this.#timer = timers.setTimeout(() => this.wake(), pollMs);
			this.#taking ??= this.#take().finally(() => {
				this.#taking = null;
			});
		}
	}

	/** Takes nothing more, and resolves when no opening is under way. */
	async close(): Promise<void> {
		this.#over.abort();
		this.#options.timers.clearTimeout(this.#timer);
		await this.#taking;
		await Promise.all(this.#underWay);
	}

	async #take(): Promise<void> {
		const free = this.#lanes - this.#underWay.size;
		// Where the database is away, the member says so.
		const names = free > 0 ? await this.#options.queue.take(free).catch(() => []) : [];
		this.#hasMore = names.length === free;
		for (const name of names) {
			const running = this.#run(name).finally(() => {
				this.#underWay.delete(running);
				if (this.#hasMore) {
					this.wake();
				}
			});
			this.#underWay.add(running);
		}
	}

	async #run(name: string): Promise<void> {
		try {
			const identity = await this.#options.open(name);
			this.#isWarned = false;
			// What ends the identity ends the wait.
			await this.#options.until(identity, this.#over.signal).catch(() => {});
		} catch (error) {
			// Where the database is away, others take it when this node has left.
			await this.#options.queue.giveBack(name, this.#explain(name, error)).catch(() => {});
		}
	}

	/** @returns when to try again; null: as soon as there is room, here or at another node */
	#explain(name: string, error: unknown): number | null {
		const {what, warn, maxLive} = this.#options;
		if (error instanceof BusyError && !this.#isWarned) {
			this.#isWarned = true;
			warn(`The ${what} of some identities is late: all ${maxLive} places in memory are taken by event streams and requests. `
				+ `Raise ${nameOf('host.maxLive')}, or add a node.`);
		}

		// Another node was faster, or this one ends.
		if (error instanceof BusyError || error instanceof MovedError || error instanceof UnavailableError) {
			return null;
		}

		warn(`The ${what} of “${name}” cannot go on here: ${reasonOf(error)}`, error);
		return dueRetryMs;
	}
}
