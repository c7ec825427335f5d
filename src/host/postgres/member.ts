/**
 * A node's membership: one direct session holds an advisory lock, which PostgreSQL frees when the node
 * or its session ends. The lock shows who lives; it fences nothing, since every append has a fence.
 *
 * The session reads the locks of all nodes every 250 ms. PostgreSQL ends a session that is silent for 3 s,
 * so the lock of a frozen node is free by then. A node trusts its own lock for `leaseMs` from the moment that
 * it asked. The lock may end earlier without the node's knowledge. So others take its identities over only when they
 * have not seen the lock for as long. By then the node no longer trusts itself.
 *
 * A node leaves when it finds tables of a newer version, whose identities are for newer nodes. It joins again when it
 * finds other tables than those that it joined: they were restored, and its identities may have lost records.
 */
import {leaseMs} from '../../journal/postgres/identity-rows.ts';
import type {Time, Timers} from '../../platform/clock.ts';
import {JournalError, orUndo, reasonOf, UnavailableError, type Warn} from '../../platform/errors.ts';
import type {Database, Session} from '../../platform/postgres/database.ts';
import {requireSchema, requireVersion} from '../../platform/postgres/migrate.ts';
import {lockClass, nodeLocks} from '../../platform/postgres/schema.ts';
import {wait, waitAtMost, withSignal} from '../../platform/waiting.ts';
import {Departures} from './departures.ts';
import {channelOf, requireOwnAddress} from './owners.ts';

const pollMs = 250;

/** PostgreSQL ends a session that is silent for longer. */
const sessionTimeoutMs = 3000;

/** How long requests wait while a session is lost. */
const maxWaitMs = 5000;

/** How long rows of nodes that are gone are kept; a node that comes back later has a new number. */
const keepNodes = '1 hour';

export type MemberOptions = {
	database: Database;
	/** The node's name, which differs from run to run, and the address at which other nodes reach it. */
	node: {id: string; url: string};
	time: Time;
	timers: Timers;
	/** Called with the reason why a session was lost, once per loss. */
	warn: Warn;
	/** Called when the lock is held, before the node is trusted: it closes the identities that others have taken over. */
	onJoin?(): Promise<void>;
	/** Called before each poll, and each joining. @throws the reason why the node cannot act as a member */
	requireUse?(): void;
	/** Called with an identity that another node asks for because it cannot reach this one. */
	onAsked?(name: string): void;
	/** Called after a poll in which another node has vanished, and after each joining. */
	onGone?(): void;
};

export class Member {
	readonly #options: MemberOptions;
	readonly #end = new AbortController();
	#number: number | null = null;
	#session: Session | null = null;
	/** When the last answered poll was sent. */
	#askedAt = -Infinity;
	#living: ReadonlySet<number> = new Set();
	readonly #departures = new Departures();
	/** The database's time at the zero of this node's monotonic clock. */
	#epochMs = NaN;
	#loss = 'It answers again when the database does.';
	/** Whether waiting does not help, because the tables are of another version. */
	#isOutdated = false;
	#joins = 0;
	/** Identifies the tables that it has joined. */
	#tables: string | null = null;
	#trusted = Promise.withResolvers<void>();
	#running: Promise<void> = Promise.resolve();

	constructor(options: MemberOptions) {
		this.#options = options;
		// Not every loss has a waiting request.
		this.#trusted.promise.catch(() => {});
	}

	/** The number of this node, by which identities name their owner. */
	get number(): number {
		if (this.#number === null) {
			throw new UnavailableError('This node has not joined the others yet.', {retryable: true});
		}

		return this.#number;
	}

	/** Whether no other node can own what this one owns. */
	get isTrusted(): boolean {
		return this.#session !== null && this.#options.time.elapsed() - this.#askedAt < leaseMs;
	}

	/** `ok`, or why it is not trusted. */
	get standing(): string {
		return this.isTrusted ? 'ok' : `This node has lost its session in the database. ${this.#loss}`;
	}

	/** How often it has joined. While this stays the same, no lock was lost. */
	get joins(): number {
		return this.#joins;
	}

	/** The numbers of the nodes that held their locks at the last poll. */
	get living(): ReadonlySet<number> {
		return this.#living;
	}

	/** The database's time, which all nodes share: milliseconds since 1970. */
	get now(): number {
		return this.#epochMs + this.#options.time.elapsed();
	}

	/** Resolves when a node whose lock is free no longer answers from memory. */
	async untilGone(node: number): Promise<void> {
		const {time, timers} = this.#options;
		const leftMs = this.#departures.leftMs(node, this.#living, time.elapsed());
		if (leftMs > 0) {
			await wait(leftMs, timers);
		}
	}

	/**
	 * Joins, and stays a member until `leave`.
	 *
	 * @throws {JournalError} when the database cannot be reached, or its tables are of another version
	 */
	async join(): Promise<void> {
		const session = await this.#begin();
		this.#running = this.#stay(session);
	}

	/** Waits until the node is trusted, for at most 5 s; not at all if waiting does not help. @throws {UnavailableError} */
	async trusted(signal?: AbortSignal): Promise<void> {
		if (!this.isTrusted && !this.#isOutdated) {
			await withSignal(waitAtMost(this.#untilTrusted(), maxWaitMs, this.#options.timers), signal);
		}

		if (!this.isTrusted) {
			throw new UnavailableError(this.standing, {retryable: true});
		}
	}

	/** Frees the lock, and removes the node from the table. */
	async leave(): Promise<void> {
		this.#end.abort();
		const session = this.#session;
		this.#session = null;
		this.#trusted.reject(new UnavailableError('This node is stopping.', {retryable: true}));
		// If it fails, the others remove the row later.
		await session?.query('delete from processual.node where no = $1', [this.#number]).catch(() => {});
		discard(session);
		await this.#running;
	}

	/** A session that fell silent is trusted again at its next answer. */
	async #untilTrusted(): Promise<void> {
		while (!this.isTrusted) {
			await this.#trusted.promise;
		}
	}

	async #stay(first: Session): Promise<void> {
		let session: Session | null = first;
		let isWarned = false;
		while (!this.#hasEnded) {
			try {
				this.#options.requireUse?.();
				session ??= await this.#begin();
				isWarned = false;
				await this.#pause();
				await this.#poll(session);
			} catch (error) {
				this.#distrust();
				this.#loss = reasonOf(error);
				this.#isOutdated = error instanceof JournalError && !error.retryable;
				discard(session);
				session = null;
				if (!this.#hasEnded && !isWarned) {
					isWarned = true;
					this.#options.warn(`This node is not a member at the moment: ${reasonOf(error)}`, error);
				}

				await this.#pause();
			}
		}
	}

	/** Opens a session, takes the lock, and is trusted when `onJoin` has found what was lost in between. */
	async #begin(): Promise<Session> {
		const {database, node: {id, url}, onJoin, onGone, onAsked} = this.#options;
		const session = await database.session();
		return orUndo(async () => {
			await requireSchema(session);
			await session.query(`set idle_session_timeout = ${sessionTimeoutMs}`);
			const [row] = await session.query<{no: number}>(`
				insert into processual.node (id, url) values ($1, $2)
				on conflict (id) do update set url = excluded.url, since = now() returning no`, [id, url]);
			this.#number = row!.no;
			// The server may not know yet that this node's former session is lost.
			await session.query(
				`select pg_terminate_backend(pid) from ${nodeLocks} and objid = $1 and pid <> pg_backend_pid()`,
				[this.#number],
			);
			await session.query('select pg_advisory_lock($1, $2)', [lockClass, this.#number]);
			await requireOwnAddress(session, this.#number, url);
			session.onNotice(name => onAsked?.(name));
			await session.query(`listen ${channelOf(this.#number)}`);
			this.#joins++;
			this.#tables = null;
			const asked = await this.#ask(session);
			await session.query(
				`delete from processual.node where since < now() - interval '${keepNodes}' and no <> all($1)`,
				[[...asked.living]],
			);
			await onJoin?.();
			if (this.#hasEnded) {
				throw new UnavailableError('This node is stopping.');
			}

			session.onEnd(() => {
				if (this.#session === session) {
					this.#distrust();
				}
			});
			this.#session = session;
			this.#departures.join(this.#options.time.elapsed());
			this.#take(asked);
			onGone?.();
			return session;
		}, () => discard(session));
	}

	async #poll(session: Session): Promise<void> {
		const before = this.#living;
		this.#take(await this.#ask(session));
		if ([...before].some(no => !this.#living.has(no))) {
			this.#options.onGone?.();
		}
	}

	async #ask(session: Session): Promise<{askedAt: number; living: ReadonlySet<number>}> {
		const askedAt = this.#options.time.elapsed();
		// A restored table is another table, or its row is another row.
		const [row] = await session.query<{version: number; living: number[]; tables: string; now: number}>(`
			select version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
				array(select objid::int from ${nodeLocks}) as living, concat(tableoid::oid, ' ', xmin) as tables
			from processual.version`);
		requireVersion(row?.version ?? null);
		const {tables, now} = row!;
		this.#epochMs = now - this.#options.time.elapsed();
		if ((this.#tables ??= tables) !== tables) {
			throw new JournalError('The tables of the database were replaced: a backup was restored.', {retryable: true});
		}

		return {askedAt, living: new Set(row!.living)};
	}

	#take({askedAt, living}: {askedAt: number; living: ReadonlySet<number>}): void {
		this.#askedAt = askedAt;
		this.#isOutdated = false;
		this.#departures.note(this.#living, living, this.#options.time.elapsed());
		this.#living = living;
		this.#trusted.resolve();
		this.#trusted = Promise.withResolvers<void>();
		this.#trusted.promise.catch(() => {});
	}

	#distrust(): void {
		this.#session = null;
		this.#askedAt = -Infinity;
	}

	get #hasEnded(): boolean {
		return this.#end.signal.aborted;
	}

	/** Waits until the next poll; `leave` ends the wait. */
	async #pause(): Promise<void> {
		await wait(pollMs, this.#options.timers, this.#end.signal).catch(() => {});
	}
}

/** Closes a session without waiting: its server may be gone, and never answer. */
const discard = (session: Session | null): void => {
	session?.close().catch(() => {});
};
