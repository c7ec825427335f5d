/**
 * Opens identities that are not in memory when work for them is due, and keeps each until that is done: the next cycle of its
 * loop, or the end of a conversation. In between they need no place in memory. In memory, an identity has its own timers.
 */
import {waitFor} from 'xstate';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Timers} from '../platform/clock.ts';
import {nameOf} from '../platform/option-names.ts';
import {BusyError, MovedError, reasonOf, UnavailableError, type Warn} from '../platform/errors.ts';

/** How late due work begins at most, if there is room for it. */
const pollMs = 1000;

/** How long an identity that could not be opened is left alone. */
export const dueRetryMs = 60_000;

/** How many are open at once. More would delay requests by the time that all these openings take. */
const maxLanes = 16;

/** Identities that are not in memory, by when work for them is due. */
export type DueQueue = {
	/** Takes at most `limit` identities that are due, the longest due first. No other caller gets them. */
	take(limit: number): Promise<string[]>;
	/** Returns an identity, so that it can be taken again in `dueMs`; null leaves its time as it was. */
	giveBack(name: string, dueMs: number | null): Promise<void>;
};

/** Work that is due for an identity. */
export type DueWork = {
	/** The name of the work in warnings. */
	what: string;
	/** Resolves when it is done. */
	untilDone(identity: LocalIdentity, signal: AbortSignal): Promise<unknown>;
};

type DueRunnerOptions = DueWork & {
	queue: DueQueue;
	/** Opens an identity if it is not in memory. */
	open(name: string): LocalIdentity | Promise<LocalIdentity>;
	/** How many may be in memory. At most half of these places are taken at once. */
	maxLive: number;
	timers: Timers;
	warn: Warn;
};

/** The next cycle of a loop. If it fails, the daemon handles that: its loop continues after a pause. */
export const nextCycle: DueWork = {
	what: 'loop',
	async untilDone(identity, signal) {
		const {daemon} = identity.actor.getSnapshot().children;
		await (daemon && waitFor(daemon, () => identity.untilCycle() !== 0, {signal}));
	},
};

export class DueRunner {
	readonly #options: DueRunnerOptions;
	readonly #lanes: number;
	readonly #underWay = new Set<Promise<void>>();
	readonly #end = new AbortController();
	#taking: Promise<void> | null = null;
	#timer: unknown = null;
	/** Whether more may be due than there were lanes for. */
	#hasMore = false;
	#isWarned = false;

	constructor(options: DueRunnerOptions) {
		this.#options = options;
		this.#lanes = Math.max(1, Math.min(maxLanes, Math.floor(options.maxLive / 2)));
	}

	/** Takes what is due now, and checks every second from then on. */
	wake(): void {
		const {timers} = this.#options;
		if (!this.#end.signal.aborted) {
			timers.clearTimeout(this.#timer);
			this.#timer = timers.setTimeout(() => this.wake(), pollMs);
			this.#taking ??= this.#take().finally(() => {
				this.#taking = null;
			});
		}
	}

	/** Takes nothing more, and resolves when no opening is under way. */
	async close(): Promise<void> {
		this.#end.abort();
		this.#options.timers.clearTimeout(this.#timer);
		await this.#taking;
		await Promise.all(this.#underWay);
	}

	async #take(): Promise<void> {
		const free = this.#lanes - this.#underWay.size;
		// If the database is unreachable, the member reports it.
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
			// The end of the identity ends the wait.
			await this.#options.untilDone(identity, this.#end.signal).catch(() => {});
		} catch (error) {
			const dueMs = this.#explain(name, error);
			// Without room, it would be taken and given back again and again: the next check takes it.
			this.#hasMore &&= dueMs !== null;
			// If the database is unreachable, other nodes take it when this node has left.
			await this.#options.queue.giveBack(name, dueMs).catch(() => {});
		}
	}

	/** @returns in how many milliseconds to try again; null for as soon as there is room, here or at another node */
	#explain(name: string, error: unknown): number | null {
		const {what, warn, maxLive} = this.#options;
		if (error instanceof BusyError && !this.#isWarned) {
			this.#isWarned = true;
			warn(`The ${what} of some identities is late: all ${maxLive} places in memory are taken by event streams and requests. `
				+ `Raise ${nameOf('host.maxLive')}, or add a node.`);
		}

		// No room, another node was faster, or this one is stopping.
		if (error instanceof BusyError || error instanceof MovedError || error instanceof UnavailableError) {
			return null;
		}

		warn(`The ${what} of “${name}” cannot continue here: ${reasonOf(error)}`, error);
		return dueRetryMs;
	}
}
