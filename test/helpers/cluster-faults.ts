/** Faults of a cluster's nodes, sessions, networks and database. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout} from 'node:timers/promises';
import {childEnvironment} from './child-environment.ts';
import {cli} from './cli.ts';
import type {Cluster, ClusterNode} from './cluster.ts';
import {dump} from './dump.ts';

/** A loss that the cluster reports: up to which record and state it has all, and up to which record it had. */
export type ReportedLoss = {readonly name: string; readonly kept: number; readonly keptState: number; readonly seq: number};

/** The round of a fault. */
export type Round = {
	/** An identity that the owner has. */
	readonly name: string;
	/** Resolves when each identity has acknowledged some cycles that were sent since. */
	answered(): Promise<void>;
	/** From now on acknowledged cycles may be lost, until it is called again with `false`. */
	setLosing(isLosing: boolean): void;
	/** Called before an operator accepts a loss. */
	onLoss(loss: ReportedLoss): void;
};

/** Harms the node that has an identity, or the database. @returns its repair, for when clients are answered again */
export type Fault = (cluster: Cluster, owner: ClusterNode, round: Round) => Promise<(() => Promise<void>) | void>;

/** Acts as an operator until clients are answered: reads which identities refuse, and accepts their loss with the command. */
const acceptLosses = async ({server, url}: Cluster, {answered, onLoss}: Round): Promise<void> => {
	const answering = answered().then(() => true);
	do {
		const lost = await server.queryIn<ReportedLoss>(url, `
			select id as name, (lost->>'kept')::int4 as kept, (lost->>'seq')::int4 as seq, coalesce((
				select max(state) from processual.record where identity = no and record.seq <= (lost->>'kept')::bigint
			), 0)::int4 as "keptState" from processual.identity where lost is not null and not aside`);
		for (const loss of lost) {
			onLoss(loss);
			const env = {...childEnvironment, DATABASE_URL: url};
			const child = spawn(process.execPath, [cli, 'accept-loss', loss.name], {env, stdio: 'ignore'});
			const [code] = await once(child, 'exit') as [number];
			if (code !== 0) {
				throw new Error(`The loss of “${loss.name}” was not accepted: the command ended with ${code}.`);
			}
		}
	} while (!await Promise.race([answering, setTimeout(50, false)]));
};

const frozenFor = (milliseconds: number): Fault => async (_cluster, owner) => {
	owner.freeze(true);
	await setTimeout(milliseconds);
	owner.freeze(false);
};

export const faults: Record<string, Fault> = {
	'owner killed': async (_cluster, owner) => {
		await owner.process.kill();
		return async () => owner.start();
	},
	'owner frozen for 6 s': frozenFor(6000),
	'owner frozen for 1.5 s': frozenFor(1500),
	'owner\'s session cut': async (cluster, owner) => cluster.cutSessions(owner),
	'all sessions cut': async cluster => cluster.cutSessions(),
	'owner stopped (SIGTERM)': async (_cluster, owner) => {
		const {code, errors} = await owner.process.stop();
		if (code !== 0) {
			throw new Error(`A node that was stopped ended with ${code}: ${errors}`);
		}

		return async () => owner.start();
	},
	'database killed': async ({server}) => {
		await server.kill();
		await server.start();
	},
	'owner refused to its peers': async (cluster, owner, {name}) => {
		owner.link.refuse(true);
		while (await cluster.ownerOf(name) === owner) {
			await setTimeout(20);
		}

		return async () => owner.link.refuse(false);
	},
	'older dump restored': async (cluster, _owner, round) => {
		const {server, url} = cluster;
		const restore = await dump(async (text, values) => server.queryIn(url, text, values));
		await round.answered();
		round.setLosing(true);
		await restore();
		await acceptLosses(cluster, round);
		round.setLosing(false);
	},
	'database killed, asynchronous commits': async (cluster, _owner, round) => {
		const {server} = cluster;
		const configure = async (change: string): Promise<void> => {
			for (const statement of [`synchronous_commit ${change && '= off'}`, `wal_writer_delay ${change && '= \'10s\''}`]) {
				await server.query(`alter system ${change || 'reset'} ${statement}`);
			}

			await server.query('select pg_reload_conf()');
		};

		await configure('set');
		await round.answered();
		round.setLosing(true);
		await server.kill();
		await server.start();
		await configure('');
		await acceptLosses(cluster, round);
		round.setLosing(false);
	},
};
