/**
 * Many identities over many nodes: each is owned by one node at a time, which holds it in memory; the
 * others forward to it. Who owns what is in the database. A node takes an identity over when it is asked
 * for one that no living node has.
 *
 * Nothing here guards the record: an append is fenced by itself. What is guarded is reading: a node
 * answers from memory only while it is a trusted member, and after a lapse it closes what it lost.
 */
import type {Random} from '../../platform/clock.ts';
import {ConflictError, JournalError, MovedError, UnavailableError} from '../../platform/errors.ts';
import {requireIdentityName} from '../../platform/identity-name.ts';
import type {LocalIdentity} from '../../identity/identity.ts';
import type {Genesis, Journal} from '../../journal/journal.ts';
import type {Database} from '../../platform/postgres/database.ts';
import {ensureIdentityRow, putAside, takeOver} from '../../journal/postgres/identity-rows.ts';
import {lockClass} from '../../platform/postgres/schema.ts';
import {withSignal} from '../../platform/with-signal.ts';
import {fullError, requireBegun, requireNew, takenError} from '../guarded-journal.ts';
import {beginWith, genesisOf} from '../genesis-of.ts';
import type {Beginning, Host, IdentityInfo, Placement} from '../host.ts';
import {LiveIdentities, type LiveIdentitiesOptions} from '../live-identities.ts';
import {lockOfNode} from './lock-of-node.ts';
import {Member} from './member.ts';
import {Owners} from './owners.ts';
import {readPresent} from './read-present.ts';
import {Sweeper} from './sweeper.ts';

/** What a node's host is made of. */
export type PostgresHostOptions = Omit<LiveIdentitiesOptions, 'open' | 'kept' | 'drain'> & {
	/** Lent: its owner closes it after the host. */
	database: Database;
	/** The node's name, which differs from run to run, and the address at which others reach it. */
	node: {id: string; url: string};
	defaultName: string;
	/** How many identities the database may have, those that were put aside among them. A further one is not created. */
	maxIdentities: number;
	/** The wait between two cycles of a loop. */
	cycleIntervalMs: number;
	random: Random;
	/** The journal of an identity, as the node with this number takes it over. */
	journalOf(name: string, node: number): Journal;
	/** Opens an identity over its journal; a new one begins with the state, where there is one. Resolves when it is ready. */
	open(name: string, journal: Journal, beginning?: Pick<Beginning, 'state'>): Promise<LocalIdentity>;
	/** What the encoder understands, for probes. */
	languages?: readonly string[] | undefined;
};

/** The host of one node. */
export type PostgresHost = Host & {
	/** Whether this node may answer from memory. */
	readonly isMember: boolean;
	/** How many identities it has. */
	readonly owned: number;
	/** How many it has opened, and how many others took over from it. */
	readonly counts: {readonly takeOvers: number; readonly fenced: number};
	/** The address of an identity's owner, after the one at `notAt` did not answer as its owner; this node's own where it is here. */
	findOwner(name: string, notAt: string): Promise<string>;
	/** Aborts when the node at an address is gone. */
	lifeOf(url: string): AbortSignal;
};

/** How often an identity is placed again that other nodes take at the same time. */
const maxTries = 5;

/**
 * Joins the other nodes, and hosts identities with them.
 *
 * @throws {JournalError} when the database cannot be reached, or its tables are of another version
 */
export const openPostgresHost = async ({database, node, defaultName, maxIdentities, cycleIntervalMs, random, journalOf, open, languages, ...options}: PostgresHostOptions): Promise<PostgresHost> => {
	const {warn, time, timers} = options;
	let takeOvers = 0;
	let fenced = 0;
	const owners = new Owners(database);
	const member: Member = new Member({
		database, node, time, timers, warn,
		onJoin: async () => closeLost(),
		onGone() {
			owners.end(member.living);
			sweeper.sweep();
		},
	});

	/** What is known of an identity that was opened just now: it is here, and when its loop's next cycle is due; null without a loop. */
	const settle = async (name: string): Promise<number | null> => {
		for (;;) {
			const {joins} = member;
			const [row] = await database.query<{node: number | null; due_ms: number | null}>(`
				select node, case when loop_on then least($2, greatest(0, $2 - 1000 * extract(epoch from now() - loop_at)))::float8 end as due_ms
				from processual.identity where id = $1 and not aside`, [name, cycleIntervalMs]);
			if (row?.node !== member.number) {
				throw new MovedError(`Another node took “${name}” over while it was opened here.`);
			}

			// A lock that was lost in between may have let another node in.
			if (joins === member.joins) {
				return row.due_ms;
			}
		}
	};

	const live = new LiveIdentities({
		...options,
		async open(name) {
			const journal = journalOf(name, member.number);
			const identity = await open(name, name === defaultName ? journal : requireBegun(journal, name));
			try {
				const dueMs = await settle(name);
				if (dueMs !== null) {
					identity.actor.send({type: 'daemon.resume', dueMs});
				}

				owners.forget(name);
				takeOvers++;
				identity.on('moved', () => {
					fenced++;
				});
				return identity;
			} catch (error) {
				await identity.dispose();
				throw error;
			}
		},
		// The loop stays on in the journal: the next owner resumes it.
		async drain(identity) {
			await identity.drain({keepsLoop: true});
			await identity.dispose();
		},
	});

	/** Closes what other nodes have taken over. */
	const closeLost = async (): Promise<void> => {
		const names = live.names();
		if (names.length === 0) {
			return;
		}

		const kept = new Set((await database.query<{id: string}>('select id from processual.identity where node = $1 and id = any($2) and not aside', [member.number, names])).map(({id}) => id));
		await Promise.all(names.filter(name => !kept.has(name)).map(async name => live.find(name)?.dispose()));
	};

	const sweeper = new Sweeper({
		random, time, timers, warn,
		async findLoops(leftAlone) {
			await member.trusted();
			const rows = await database.query<{id: string}>(`
				select id from processual.identity
				where loop_on and not aside and (node is null or node <> all($1)) and id <> all($2)
				order by no limit 200`, [[...member.living], leftAlone]);
			return rows.map(({id}) => id);
		},
		takeUp: async name => live.get(name),
	});

	/** From then on this node takes nothing on, so that what it has can go to others. */
	let isStopping = false;

	const place = (name: string, signal?: AbortSignal): Placement | Promise<Placement> => {
		if (member.isTrusted) {
			const here = isStopping ? null : live.find(name);
			if (here) {
				return {here};
			}

			const owner = owners.find(name);
			if (owner && owner.number !== member.number && member.living.has(owner.number)) {
				return {elsewhere: owner.url};
			}
		}

		return withSignal(search(requireIdentityName(name)).catch((error: unknown) => {
			// A database that is away for a moment is no fault of this program.
			throw error instanceof JournalError && !(error instanceof MovedError) && error.retryable ? new UnavailableError(error.message, {cause: error, retryable: true}) : error;
		}), signal);
	};

	const search = async (name: string): Promise<Placement> => {
		for (let tries = 1; ; tries++) {
			await member.trusted();
			const here = isStopping ? null : live.find(name);
			if (here) {
				return {here};
			}

			const owner = await owners.ask(name);
			if (owner && owner.number !== member.number) {
				return {elsewhere: owner.url};
			}

			if (isStopping) {
				throw new MovedError(`This node is stopping and hands “${name}” over. Try again: another node will answer.`);
			}

			try {
				return {here: await live.get(name)};
			} catch (error) {
				if (!(error instanceof MovedError) || tries === maxTries) {
					throw error;
				}
			}
		}
	};

	/** Its row alone says nothing: it is there before the beginning, and stays where that fails. */
	const isBegun = async (name: string): Promise<boolean> =>
		(await database.query('select 1 from processual.genesis join processual.identity on no = identity where id = $1 and not aside', [name])).length > 0;

	/** What nodes create at the same time may exceed the limit by as many. @throws {ConflictError} */
	const requireRoom = async (name: string): Promise<void> => {
		const [row] = await database.query<{isFull: boolean}>('select count(*) >= $2 and not coalesce(bool_or(id = $1 and not aside), false) as "isFull" from processual.identity', [name, maxIdentities]);
		if (row!.isFull) {
			throw fullError(maxIdentities);
		}
	};

	const copyOf = async (name: string): Promise<Genesis> => {
		const placement = await place(name);
		return 'here' in placement ? genesisOf(placement.here) : readPresent(database, name);
	};

	const begin = async (name: string, genesis: Genesis | null, {state}: Beginning): Promise<void> => {
		const journal = requireNew(journalOf(name, member.number), name);
		await (genesis ? beginWith(journal, genesis) : (await open(name, journal, {...(state && {state})})).dispose());
	};

	await member.join();
	try {
		await ensureIdentityRow(database, defaultName);
	} catch (error) {
		await member.leave();
		throw error;
	}

	sweeper.sweep();

	return {
		defaultName,
		place,

		async create(name, beginning = {}) {
			requireIdentityName(name);
			const genesis = beginning.copyOf === undefined ? null : await copyOf(beginning.copyOf);
			await member.trusted();
			if (await isBegun(name)) {
				throw takenError(name);
			}

			await requireRoom(name);
			await ensureIdentityRow(database, name);
			owners.forget(name);
			// A request for it that comes to this node waits, and takes nothing over.
			await live.close(name, async () => live.withPlace(async () => begin(name, genesis, beginning)));
		},

		async putAside(name) {
			if (name === defaultName) {
				throw new ConflictError(`“${name}” is the identity of requests without a name, so it cannot be put aside.`);
			}

			await owners.ask(requireIdentityName(name));
			await live.close(name, async () => {
				// Where another node has it, that one puts it aside: from its memory it would be read on.
				await putAside(database.query, await takeOver(database.query, name, member.number));
			});
			owners.forget(name);
		},

		async list(after, limit): Promise<IdentityInfo[]> {
			return database.query<IdentityInfo>(`
				select id as name, coalesce(node in (select objid::int8 from pg_locks where ${lockOfNode}), false) as "isLive"
				from processual.identity
				where not aside and id collate "C" > $2 and exists (select from processual.genesis where genesis.identity = no) order by id collate "C" limit $3`, [lockClass, after ?? '', limit]);
		},

		get isMember() {
			return member.isTrusted;
		},
		get counts() {
			return {takeOvers, fenced};
		},
		readiness() {
			const ready = !isStopping && member.isTrusted;
			return {
				ready,
				isTemporary: !isStopping,
				parts: {model: 'ok', node: isStopping ? 'stopping' : member.standing},
				...(languages && {languages}),
			};
		},
		get owned() {
			return live.names().length;
		},

		async findOwner(name, notAt) {
			if (owners.find(name)?.url === notAt) {
				owners.forget(name);
			}

			const placement = await place(name);
			return 'here' in placement ? node.url : placement.elsewhere;
		},
		lifeOf: url => url === node.url ? new AbortController().signal : owners.lifeOf(url),

		async drain() {
			isStopping = true;
			await sweeper.close();
			await live.drain();
		},

		async [Symbol.asyncDispose]() {
			await sweeper.close();
			await live.dispose();
			await member.leave();
		},
	};
};
