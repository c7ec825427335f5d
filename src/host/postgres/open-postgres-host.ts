/**
 * Many identities on many nodes: each is owned by one node at a time, which has it in memory; the others forward to it.
 * The database knows who owns what. A node that is asked for an identity takes it over if no living node has it.
 *
 * Nothing here protects writing: every append has a fence. Reading is protected: a node answers from memory only while it
 * is a trusted member, and after a lapse it closes what it lost.
 */
import {destroyKeysWith} from '../../journal/postgres/key-table.ts';
import {ensureIdentityRow, putAside, takeOver} from '../../journal/postgres/identity-rows.ts';
import {findLosses} from '../../journal/postgres/lost-history.ts';
import {orUndo} from '../../platform/errors.ts';
import {nameOf} from '../../platform/option-names.ts';
import {requireIdentityName} from '../../platform/identity-name.ts';
import {findWeakSettings} from '../../platform/postgres/acknowledged.ts';
import type {Timers} from '../../platform/clock.ts';
import {wait} from '../../platform/waiting.ts';
import type {Database} from '../../platform/postgres/database.ts';
import {defaultError, genesisOf, takenError} from '../beginning.ts';
import type {Host} from '../host.ts';
import {LiveIdentities, type LiveIdentitiesOptions} from '../live-identities.ts';
import {DueRunner, nextCycle, type DueWork} from '../due-runner.ts';
import {FleetRows} from '../fleet.ts';
import {Directory, readPresent} from './directory.ts';
import {FleetTable} from './fleet-table.ts';
import {Member} from './member.ts';
import {askNode, Owners} from './owners.ts';
import {Whereabouts} from './whereabouts.ts';
import {TakeOver, takerOf, type TakeOverOptions} from './take-over.ts';
import {WriteHealth} from './write-health.ts';

export type PostgresHostOptions = TakeOverOptions & Omit<LiveIdentitiesOptions, 'open' | 'kept' | 'drain'> & {
	/** The caller closes it, after the host. */
	database: Database;
	/** The node's name, which differs from run to run, and the address at which others reach it. */
	node: {id: string; url: string};
	/** How many identities the database may have, including those put aside. No more are created. */
	maxIdentities: number;
	/** The languages that the encoder understands, for probes. */
	languages?: readonly string[] | undefined;
};

/** The host of one node. */
export type PostgresHost = Host & Pick<Whereabouts, 'findOwner'> & Pick<Owners, 'lifeOf'> & {
	/** The database's time, in milliseconds since 1970. */
	now(): number;
	/** Asks the owner of an identity to release it, because it does not answer at its address. */
	askHandOver(name: string, url: string): Promise<void>;
	readonly isMember: boolean;
	readonly owned: number;
	/** How many identities it has opened, how many others took over from it, and how many it found to have lost records. */
	readonly counts: Readonly<TakeOver['counts'] & {lost: number}>;
};

/** How long a node leaves an identity to the nodes that asked for it, and how often it checks whether one has it. */
const [leftForMs, lookMs] = [1000, 50];

/** Resolves when another node has an identity, or none took it. Without this, clients of this node would take it back at once. */
const leaveToOthers = async (name: string, owners: Owners, ownNumber: number, timers: Timers): Promise<void> => {
	for (let waited = 0; waited < leftForMs; waited += lookMs) {
		const owner = await owners.ask(name);
		if (owner && owner.number !== ownNumber) {
			return;
		}

		await wait(lookMs, timers);
	}
};

/** The parts of a node, each with what it knows: who lives, who owns what, what is open here, where to ask, whose loop is due. */
const createParts = ({database, node, ...options}: PostgresHostOptions) => {
	const {warn, time, timers} = options;
	const directory = new Directory(database.query, options.cycleIntervalMs);
	const owners = new Owners(database);
	const member: Member = new Member({
		database, node, time, timers, warn,
		async onJoin() {
			writes.noteAnswer();
			for (const weakness of await findWeakSettings(database.query)) {
				warn(weakness);
			}

			for (const error of await findLosses(database)) {
				warn(error.message, error);
			}

			await takeOvers.closeLost(live);
		},
		onAsked(name) {
			if (live.find(name)) {
				warn(`Another node cannot reach this one at ${node.url}, and asked for “${name}”, which is handed over. `
					+ `Check ${nameOf('node.url')} and the network between them.`);
				live.handOver(name, async () => leaveToOthers(name, owners, member.number, timers)).catch(() => {});
			}
		},
		requireUse() {
			// No other node could take over from one that is alone, and its identities can still be read from memory.
			if (member.living.size > 1) {
				writes.requireAnswer();
			}
		},
		onGone() {
			owners.end(member.living);
			loops.wake();
		},
	});
	const table = new FleetTable(database.query, () => member.number, time);
	const fleet = new FleetRows({store: table, time: {now: () => member.now}, timers, warn});
	const writes = new WriteHealth(time, async () => database.query('select 1'));
	const takeOvers = new TakeOver({
		...options, journalOf: (name, number) => fleet.withNoticed(name, writes.watch(options.journalOf(name, number))),
	}, directory, member);
	const live = new LiveIdentities({
		...options,
		async open(name) {
			const identity = await takeOvers.open(name);
			owners.forget(name);
			fleet.follow(name, identity);
			return identity;
		},
		// While its row is not written, no node may take the identity for that.
		onEvict: async (name, identity) => fleet.leave(name, identity),
		// The loop stays on in the journal: the next owner resumes it.
		async drain(identity) {
			await identity.drain({keepsLoop: true});
			await identity.dispose();
		},
	});
	const runnerOf = (due: DueWork, take: (limit: number) => Promise<string[]>) => new DueRunner({
		...due,
		queue: {
			async take(limit) {
				await member.trusted();
				// A node that owns nothing writes nothing by which it could learn that the database is away. One that does stays readable.
				return live.names().length === 0 ? writes.noteRead(take(limit)) : take(limit);
			},
			giveBack: async (name, dueMs) => directory.putLoopOff(name, member.number, dueMs, {frees: true}),
		},
		open: async name => live.get(name),
		maxLive: options.maxLive, timers, warn,
	});
	const loops = runnerOf(nextCycle, async limit => directory.takeDueLoops(member.number, limit, live.placed()));
	const looks = runnerOf(
		{what: 'row in the fleet', untilDone: async identity => fleet.settle(identity)}, async limit => table.take(limit),
	);
	const whereabouts = new Whereabouts({url: node.url, member, owners, live});
	return {directory, owners, member, takeOvers, live, runners: [loops, looks], fleet, writes, whereabouts};
};

/**
 * Joins the other nodes, and hosts identities with them.
 *
 * @throws {JournalError} when the database cannot be reached, or its tables are of another version
 */
export const openPostgresHost = async (options: PostgresHostOptions): Promise<PostgresHost> => {
	const {database, defaultName} = options;
	const parts = createParts(options);
	const {member, runners} = parts;
	await member.join();
	await orUndo(async () => ensureIdentityRow(database, defaultName), async () => member.leave());
	for (const runner of runners) {
		runner.wake();
	}

	return hostOf(parts, options);
};

const closeAll = async (runners: readonly DueRunner[]) => Promise.all(runners.map(async runner => runner.close()));

const hostOf = (
	{directory, owners, member, takeOvers, live, runners, fleet, writes, whereabouts}: ReturnType<typeof createParts>,
	{database, node, defaultName, maxIdentities, maxLive, languages}: PostgresHostOptions,
): PostgresHost => ({
	defaultName, maxLive,
	place: (name, signal) => whereabouts.place(name, signal),

	async create(name, beginning = {}) {
		requireIdentityName(name);
		const {copyOf} = beginning;
		const original = copyOf === undefined ? null : await whereabouts.place(copyOf);
		const genesis = original && ('here' in original ? genesisOf(original.here) : await readPresent(database, copyOf!));
		await member.trusted();
		if (await directory.hasBegun(name)) {
			throw takenError(name);
		}

		await directory.requireRoom(name, maxIdentities);
		await ensureIdentityRow(database, name);
		owners.forget(name);
		// A request for it at this node waits, and takes nothing over.
		await live.close(name, async () => live.withPlace(async () => takeOvers.begin(name, genesis, beginning)));
	},

	async putAside(name) {
		if (name === defaultName) {
			throw defaultError(name);
		}

		await owners.ask(requireIdentityName(name));
		await live.close(name, async () => {
			// If another node has it, that node must put it aside: else it would still answer from memory.
			const head = await takeOver(database, name, takerOf(member));
			await destroyKeysWith(database, name, async query => putAside(query, head));
		});
		owners.forget(name);
	},

	list: async (after, limit) => directory.list(after, limit),
	fleet: async request => fleet.ask(request),
	findOwner: async (name, notAt) => whereabouts.findOwner(name, notAt),
	now: () => member.now,
	async askHandOver(name, url) {
		const owner = owners.find(name);
		if (owner?.url === url && member.living.has(owner.number)) {
			await askNode(database.query, owner.number, name);
		}
	},
	lifeOf: url => url === node.url ? new AbortController().signal : owners.lifeOf(url),

	get isMember() {
		return member.isTrusted;
	},
	get owned() {
		return live.names().length;
	},
	get counts() {
		return {...takeOvers.counts, lost: database.acknowledged.losses};
	},
	readiness: () => ({
		ready: !whereabouts.isStopping && member.isTrusted && writes.standing === 'ok',
		isTemporary: !whereabouts.isStopping,
		parts: {model: 'ok', node: whereabouts.isStopping ? 'stopping' : member.standing, journal: writes.standing},
		...(languages && {languages}),
	}),

	async drain() {
		whereabouts.isStopping = true;
		await closeAll(runners);
		await fleet.write();
		await live.drain();
	},

	async [Symbol.asyncDispose]() {
		await closeAll(runners);
		await fleet.close();
		await live.dispose();
		await member.leave();
	},
});
