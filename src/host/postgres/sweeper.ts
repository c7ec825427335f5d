/**
 * Takes up identities whose loop is on while their node is gone. Nodes share them by chance: each takes
 * them in another order, and the first to open one has it.
 */
import type {Random, Time, Timers} from '../../platform/clock.ts';
import {BusyError, MovedError, reasonOf, UnavailableError, type Warn} from '../../platform/errors.ts';

/** A sweep at other times follows the loss of a node; this one finds what was missed. */
const intervalMs = 2000;

/** An identity that could not be opened is left alone for so long. */
const retryMs = 60_000;

const lanes = 4;

export type SweeperOptions = {
	/** Some names of identities whose loop is on and whose node is gone, without those that are left alone. */
	findLoops(leftAlone: string[]): Promise<string[]>;
	/** Opens one here, where no other node was faster. */
	takeUp(name: string): Promise<unknown>;
	random: Random;
	time: Time;
	timers: Timers;
	warn: Warn;
};

export class Sweeper {
	readonly #options: SweeperOptions;
	/** When those that could not be opened may be tried again. */
	readonly #retryAt = new Map<string, number>();
	#timer: unknown = null;
	#sweeping: Promise<void> | null = null;
	#isDue = false;
	#isClosed = false;

	constructor(options: SweeperOptions) {
		this.#options = options;
	}

	/** Sweeps soon, and from then on every 2 s. Of calls during a sweep, one more sweep comes. */
	sweep(): void {
		if (this.#isClosed) {
			return;
		}

		this.#isDue = true;
		this.#sweeping ??= this.#run().finally(() => {
			this.#sweeping = null;
		});
	}

	/** Takes nothing more up, and resolves when what is under way has ended. */
	async close(): Promise<void> {
		this.#isClosed = true;
		this.#options.timers.clearTimeout(this.#timer);
		await this.#sweeping;
	}

	async #run(): Promise<void> {
		const {timers} = this.#options;
		timers.clearTimeout(this.#timer);
		while (this.#isDue && !this.#isClosed) {
			this.#isDue = false;
			await this.#sweepOnce();
		}

		if (!this.#isClosed) {
			this.#timer = timers.setTimeout(() => this.sweep(), intervalMs);
		}
	}

	async #sweepOnce(): Promise<void> {
		const {findLoops, random, time} = this.#options;
		const now = time.elapsed();
		let names: string[];
		try {
			names = await findLoops([...this.#retryAt].filter(([, retryAt]) => retryAt > now).map(([name]) => name));
		} catch {
			// The member says that the database is away.
			return;
		}

		const left = names.map(name => ({name, place: random()})).toSorted((a, b) => a.place - b.place).map(({name}) => name);
		const takeNext = async (): Promise<void> => {
			for (let name = left.pop(); name !== undefined && !this.#isClosed; name = left.pop()) {
				await this.#takeUp(name);
			}
		};

		await Promise.all(Array.from({length: lanes}, takeNext));
	}

	async #takeUp(name: string): Promise<void> {
		const {takeUp, time, warn} = this.#options;
		try {
			await takeUp(name);
			this.#retryAt.delete(name);
		} catch (error) {
			// Another node was faster; this one is full, or ends: others take it up.
			if (!(error instanceof MovedError || error instanceof BusyError || error instanceof UnavailableError)) {
				this.#retryAt.set(name, time.elapsed() + retryMs);
				warn(`The loop of “${name}” cannot go on here: ${reasonOf(error)}`, error);
			}
		}
	}
}
