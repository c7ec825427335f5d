/**
 * Keeps the rows of a fleet up to date: those of live identities a moment after each change; and those of others whose journals
 * have newer records than the row, by opening them one after another. So nothing is opened to answer, and a kill between a
 * record and its row loses nothing.
 */
import type {Fleet, FleetRequest} from '../generated/types.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import {askFleet, nextRow, type FleetEntry, type FleetRow, type FleetWatch, type FleetStanding} from '../instruments/fleet.ts';
import type {Journal} from '../journal/journal.ts';
import type {Time, Timers} from '../platform/clock.ts';
import {reasonOf, type Warn} from '../platform/errors.ts';
import {waitAtMost} from '../platform/waiting.ts';
import {openedThen} from './beginning.ts';

/** The store of the rows. */
export type FleetStore = {
	/** The rows of some names, as they were last stored. */
	get(names: readonly string[]): Promise<ReadonlyMap<string, FleetRow>>;
	put(entries: readonly FleetEntry[]): Promise<void>;
	/** All rows; the same array as before if nothing has changed. */
	entries(): Promise<readonly FleetEntry[]>;
};

/** How long a changed row waits for further changes. */
const quietMs = 500;

/** How long an identity that was opened for its row may take to settle. */
const maxSettleMs = 60_000;

/** How long a row that could not be brought up to date waits for another attempt. */
const retryMs = 600_000;

type FleetOptions = {store: FleetStore; time: Pick<Time, 'now'>; timers: Timers; warn: Warn};

export class FleetRows {
	readonly #options: FleetOptions;
	readonly #changed = new Map<string, LocalIdentity>();
	#answered: {entries: readonly FleetEntry[]; asked: string; fleet: Fleet} | null = null;
	#timer: unknown = null;
	#writing: Promise<void> = Promise.resolve();
	#isWarned = false;
	#isClosed = false;

	constructor(options: FleetOptions) {
		this.#options = options;
	}

	/** Keeps the row of a live identity up to date, until it ends. */
	follow(name: string, identity: LocalIdentity): void {
		const note = () => {
			if (this.#isClosed) {
				return;
			}

			this.#changed.set(name, identity);
			this.#timer ??= this.#options.timers.setTimeout(() => {
				this.#timer = null;
				void this.write();
			}, quietMs);
		};

		const forget = identity.onStanding(note);
		identity.actor.subscribe({complete: forget, error: forget});
		note();
	}

	/** Writes the rows that have changed. */
	async write(): Promise<void> {
		const standings = [...this.#changed].flatMap(([name, identity]) => {
			const standing = identity.standing();
			return standing ? [[name, standing] as const] : [];
		});
		this.#changed.clear();
		this.#writing = this.#writing.then(async () => this.#put(standings));
		return this.#writing;
	}

	/** Writes the row of an identity that is about to be closed. */
	async leave(name: string, identity: LocalIdentity): Promise<void> {
		this.#changed.set(name, identity);
		return this.write();
	}

	/** In how many milliseconds to open a closed identity again, because a conversation ends or its row is behind; null for not at all. */
	dueAfter(identity: LocalIdentity): number | null {
		const standing = identity.standing();
		return standing && (standing.watch === undefined ? retryMs : this.dueIn(standing.watch));
	}

	/** In how many milliseconds the next conversation of an identity ends, while it is not in memory; null if none is open. */
	dueIn(watch: Pick<FleetWatch, 'endsAt'> | null): number | null {
		return typeof watch?.endsAt === 'number' ? Math.max(0, watch.endsAt - this.#options.time.now()) + 1 : null;
	}

	/** Waits until the watch of a live identity is known, and no conversation of it is overdue to end. */
	async settle(identity: LocalIdentity): Promise<void> {
		const isSettled = () => {
			const watch = identity.standing()?.watch;
			return watch === null || (watch !== undefined && (watch.endsAt ?? Infinity) > this.#options.time.now());
		};

		const {promise, resolve} = Promise.withResolvers<void>();
		const forget = identity.onStanding(() => {
			if (isSettled()) {
				resolve();
			}
		});
		await (isSettled() ? undefined : waitAtMost(promise, maxSettleMs, this.#options.timers));
		forget();
		await this.write();
	}

	/** The journal of an identity, whose `open` adds from its row what was already noticed, so that no alarm comes twice. */
	withNoticed(name: string, journal: Journal): Journal {
		return openedThen(journal, async restored => {
			// Without a row an alarm may come twice.
			const rows = await this.#options.store.get([name]).catch(() => null);
			const row = rows?.get(name);
			const isSame = row?.validated === restored?.validation?.timestamp && row?.revision === (restored?.revision?.id ?? null);
			// After a validation or a revision, everything is news.
			return restored && row?.watch && isSame ? {...restored, noticed: {
				endsBefore: row.records === restored.records ? row.watch.endsAt ?? Infinity : -Infinity, sources: row.watch.noticed ?? [],
			}} : restored;
		});
	}

	/** Gives the same object for the same request while nothing changes: a page asks again and again. */
	async ask(request: FleetRequest): Promise<Fleet> {
		const entries = await this.#options.store.entries();
		const asked = JSON.stringify(request);
		if (this.#answered?.entries !== entries || this.#answered.asked !== asked) {
			this.#answered = {entries, asked, fleet: askFleet(entries, request)};
		}

		return this.#answered.fleet;
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		this.#options.timers.clearTimeout(this.#timer);
		await this.write();
	}

	/** A row that cannot be written is behind, and made again at the next start. */
	async #put(standings: ReadonlyArray<readonly [string, FleetStanding]>): Promise<void> {
		const {store, warn} = this.#options;
		try {
			const before = standings.length > 0 ? await store.get(standings.map(([name]) => name)) : null;
			await (before && store.put(standings.map(([name, standing]) =>
				({name, row: nextRow(before.get(name) ?? null, standing), isCurrent: standing.watch !== undefined}))));
			this.#isWarned = false;
		} catch (error) {
			if (!this.#isWarned) {
				this.#isWarned = true;
				warn(`Rows of the fleet could not be written: ${reasonOf(error)}`, error);
			}
		}
	}
}
