/**
 * The identities in memory, by name. Each is opened at the first request for it, and closed when it
 * has been idle for long, or when another needs its place.
 *
 * An identity is chosen for closing, or closed, at the beginning of a turn of the event loop. So one that
 * was handed out has been called by then, and is no longer idle.
 */
import {setTimeout as nextTurn} from 'node:timers/promises';
import type {Time, Timers} from '../platform/clock.ts';
import {BusyError, reasonOf, UnavailableError, type Warn} from '../platform/errors.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import {waitAtMost} from '../platform/waiting.ts';

/** How identities are opened, and how many stay open. */
export type LiveIdentitiesOptions = {
	open(name: string): Promise<LocalIdentity>;
	maxLive: number;
	idleMs: number;
	/** Drains an identity when all are drained; by default, its `drain`. */
	drain?(identity: LocalIdentity): Promise<void>;
	/**
	 * Called before an identity is closed that was idle, or whose place is needed: a request or its loop opens it again.
	 * It is closed when what this returns is settled, which must not reject.
	 */
	onEvict?(name: string, identity: LocalIdentity): unknown;
	/** The identity that stays live, whether idle or not. */
	kept?: string;
	time: Time;
	timers: Timers;
	warn: Warn;
};

type Live = {readonly identity: LocalIdentity; readonly openedAt: number; usedAt: number};

/** How long an identity that always has work keeps its place while others wait for one. */
const turnMs = 1000;

/** How long an identity that makes room may take to finish what it accepted. */
const maxDrainMs = 10_000;

/** An idle identity is closed at most a quarter of `idleMs` late. */
const sweepsPerIdleTime = 4;

export class LiveIdentities {
	readonly #options: LiveIdentitiesOptions;
	readonly #live = new Map<string, Live>();
	readonly #opening = new Map<string, Promise<LocalIdentity>>();
	readonly #closing = new Map<string, Promise<unknown>>();
	/** How many identities have a place while they are being opened or created. */
	#placed = 0;
	#isStopping = false;
	#timer: unknown = null;

	constructor(options: LiveIdentitiesOptions) {
		this.#options = options;
	}

	/**
	 * The identity of a name; a promise only if it is not live. Concurrent calls share one opening.
	 *
	 * @throws {BusyError} when `maxLive` are live, and none of them is idle
	 * @throws {UnavailableError} while stopping; and the errors of `open`
	 */
	get(name: string): LocalIdentity | Promise<LocalIdentity> {
		const live = this.find(name);
		if (live) {
			return live;
		}

		const opening = this.#opening.get(name);
		if (opening) {
			return opening;
		}

		this.#requireRunning();
		const opened = this.#open(name).finally(() => this.#opening.delete(name));
		this.#opening.set(name, opened);
		return opened;
	}

	/** The identity of a name if it is live; it counts as used. */
	find(name: string): LocalIdentity | null {
		const live = this.#live.get(name);
		if (!live) {
			return null;
		}

		live.usedAt = this.#options.time.elapsed();
		return live.identity;
	}

	names(): string[] {
		return [...this.#live.keys()];
	}

	/** The names of identities in memory, and of those being opened or closed. */
	placed(): string[] {
		return [this.#live, this.#opening, this.#closing].flatMap(names => [...names.keys()]);
	}

	/**
	 * Closes an identity, if it is live, when everything it accepted is done. Requests for it wait until `whenClosed` is done.
	 *
	 * @throws {UnavailableError} while stopping; and the errors of `whenClosed`
	 */
	async close<Result>(name: string, whenClosed: () => Promise<Result>): Promise<Result> {
		this.#requireRunning();
		const opened = this.#live.get(name)?.identity ?? this.#opening.get(name)?.catch(() => null);
		return this.#closeWith(name, async () => {
			const identity = await opened;
			this.#live.delete(name);
			await nextTurn();
			await (identity && this.#dispose(name, identity));
			return whenClosed();
		});
	}

	/** Closes a live identity for another node; its loop stays on. Requests for it wait until `whenClosed` is done. */
	async handOver(name: string, whenClosed: () => Promise<void>): Promise<void> {
		const live = this.#live.get(name);
		await (live && this.#release(name, live, whenClosed));
	}

	/** Runs work that has one more identity in memory. @throws {BusyError} as `get` does */
	async withPlace<Result>(run: () => Promise<Result>): Promise<Result> {
		await this.#takePlace();
		try {
			return await run();
		} finally {
			this.#placed--;
		}
	}

	/** Opens nothing more, and resolves when everything that live identities accepted is done and durable. */
	async drain(): Promise<void> {
		const {drain = async (identity: LocalIdentity) => identity.drain()} = this.#options;
		await this.#stop();
		await Promise.all([...this.#live].map(async ([name, {identity}]) => {
			try {
				await drain(identity);
			} catch (error) {
				// The others are still waited for.
				this.#options.warn(`The identity “${name}” could not be drained: ${reasonOf(error)}`, error);
			}
		}));
	}

	/** Closes all of them, without waiting for the work that they accepted. */
	async dispose(): Promise<void> {
		await this.#stop();
		for (const [name, {identity}] of this.#live) {
			void this.#closeWith(name, async () => this.#dispose(name, identity, true));
		}

		await Promise.allSettled(this.#closing.values());
	}

	/** Opens nothing more. An opening under way schedules a sweep, so the timer is cleared after it. */
	async #stop(): Promise<void> {
		this.#isStopping = true;
		await Promise.allSettled(this.#opening.values());
		this.#options.timers.clearTimeout(this.#timer);
	}

	#requireRunning(): void {
		if (this.#isStopping) {
			throw new UnavailableError('The service is stopping.');
		}
	}

	async #open(name: string): Promise<LocalIdentity> {
		await this.#closing.get(name)?.catch(() => {});
		return this.withPlace(async () => {
			const identity = await this.#options.open(name);
			const now = this.#options.time.elapsed();
			this.#live.set(name, {identity, openedAt: now, usedAt: now});
			const forget = () => this.#forget(name, identity);

			identity.actor.subscribe({complete: forget, error: forget});
			this.#timer ??= this.#scheduleSweep();
			return identity;
		});
	}

	async #takePlace(): Promise<void> {
		if (this.#isFull) {
			await nextTurn();
		}

		const freed = this.#isFull ? this.#makeRoom() : null;
		this.#placed++;
		await freed;
	}

	get #isFull(): boolean {
		return this.#live.size + this.#placed >= this.#options.maxLive;
	}

	/**
	 * Closes the identity that has been idle longest. If none is idle, the one that has been live longest makes room when
	 * everything it accepted is done: steady requests to one identity keep no other out.
	 *
	 * @throws {BusyError} if none is idle, and none has had its turn
	 */
	#makeRoom(): Promise<void> | null {
		const [longest] = this.#idle().toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
		if (longest) {
			this.#evict(...longest);
			return null;
		}

		const now = this.#options.time.elapsed();
		const [busy] = [...this.#live]
			.filter(([name, {identity, openedAt}]) => name !== this.#options.kept && !identity.isHeld() && now - openedAt >= turnMs)
			.toSorted(([, a], [, b]) => a.openedAt - b.openedAt);
		if (!busy) {
			const limit = this.#options.maxLive;
			throw new BusyError(`The limit of live identities (${limit}) is reached, and none is idle; try again in a moment.`, 1);
		}

		return this.#release(...busy);
	}

	#idle(): Array<[string, Live]> {
		return [...this.#live].filter(([name, {identity}]) => name !== this.#options.kept && identity.isIdle());
	}

	#scheduleSweep(): unknown {
		return this.#options.timers.setTimeout(() => {
			const {time, idleMs} = this.#options;
			const now = time.elapsed();
			for (const [name, live] of this.#idle()) {
				if (now - live.usedAt >= idleMs) {
					this.#evict(name, live);
				}
			}

			this.#timer = this.#live.size > 0 ? this.#scheduleSweep() : null;
		}, this.#options.idleMs / sweepsPerIdleTime);
	}

	/** Closes a busy identity when everything it accepted is done. Its loop stays on. */
	async #release(name: string, {identity}: Live, whenClosed?: () => Promise<void>): Promise<void> {
		const {timers, onEvict} = this.#options;
		return this.#closeWith(name, async () => {
			await nextTurn();
			// A drain fails if the process ends during it. The identity is closed all the same.
			await waitAtMost(identity.drain({keepsLoop: true}).catch(() => {}), maxDrainMs, timers);
			await onEvict?.(name, identity);
			await this.#dispose(name, identity, true);
			await whenClosed?.();
		});
	}

	#evict(name: string, {identity}: Pick<Live, 'identity'>): void {
		const noted = this.#options.onEvict?.(name, identity);
		void this.#closeWith(name, async () => {
			await noted;
			await this.#dispose(name, identity, true);
		});
	}

	/** An identity that failed, or was disposed of elsewhere, is opened again at the next request. */
	#forget(name: string, identity: LocalIdentity): void {
		if (this.#live.get(name)?.identity === identity) {
			this.#evict(name, {identity});
		}
	}

	/** From now on the name is not live; it is opened again when the work is done. */
	async #closeWith<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
		this.#live.delete(name);
		const before = this.#closing.get(name);
		const closing = (async () => {
			await before?.catch(() => {});
			return work();
		})();
		this.#closing.set(name, closing);
		try {
			return await closing;
		} finally {
			if (this.#closing.get(name) === closing) {
				this.#closing.delete(name);
			}
		}
	}

	async #dispose(name: string, identity: LocalIdentity, isAtOnce = false): Promise<void> {
		try {
			await (isAtOnce ? identity.dispose() : identity[Symbol.asyncDispose]());
		} catch (error) {
			this.#options.warn(`The identity “${name}” could not be closed: ${reasonOf(error)}`, error);
		}
	}
}
