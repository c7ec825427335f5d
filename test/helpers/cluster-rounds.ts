/**
 * Proof by faults: clients write to identities of a cluster through its load balancer, while nodes are
 * killed, frozen and stopped, sessions are cut, and the database ends. The journals are compared with
 * the answers that the clients got, and with the replay of every record.
 *
 * A client sends one cycle after another, each with a key of its own, and repeats it until it is
 * acknowledged: so none may be missing, doubled, or out of its order.
 */
import {randomUUID} from 'node:crypto';
import {setTimeout} from 'node:timers/promises';
import {openDatabase} from '../../src/platform/postgres/database.ts';
import {createPostgresJournal} from '../../src/journal/postgres/postgres-journal.ts';
import {readPages} from '../../src/journal/read-pages.ts';
import type {Cluster, ClusterNode} from './cluster.ts';
import {compareRecords, type Comparison, type Known, type Sent} from './compare-journal.ts';

/** What happens to the node that has an identity, or to the database. @returns what repairs it, when clients are answered again */
export type Fault = (cluster: Cluster, owner: ClusterNode) => Promise<(() => Promise<void>) | void>;

export const faults: Record<string, Fault> = {
	'owner killed': async (_cluster: Cluster, owner: ClusterNode) => {
		await owner.process.kill();
		return async () => owner.start();
	},
	'owner frozen for 6 s': async (_cluster: Cluster, owner: ClusterNode) => {
		owner.freeze(true);
		await setTimeout(6000);
		owner.freeze(false);
	},
	'owner frozen for 1.5 s': async (_cluster: Cluster, owner: ClusterNode) => {
		owner.freeze(true);
		await setTimeout(1500);
		owner.freeze(false);
	},
	'owner\'s session cut': async (cluster: Cluster, owner: ClusterNode) => {
		await cluster.cutSessions(owner);
	},
	'all sessions cut': async (cluster: Cluster) => {
		await cluster.cutSessions();
	},
	'owner stopped (SIGTERM)': async (_cluster: Cluster, owner: ClusterNode) => {
		const {code, errors} = await owner.process.stop();
		if (code !== 0) {
			throw new Error(`A node that was stopped ended with ${code}: ${errors}`);
		}

		return async () => owner.start();
	},
	'database killed': async ({server}: Cluster) => {
		await server.kill();
		await server.start();
	},
};

export type RoundsOptions = {
	cluster: Cluster;
	/** Their kinds, one a round, in turns. */
	rounds: ReadonlyArray<[name: string, Fault]>;
	/** Created here; the loop of the first one runs throughout. */
	identities?: readonly string[];
	clients?: number;
	onRound?(name: string, gapMs: number): void;
};

/** Everything from `lost` on must be 0. */
export type ClusterFindings = Pick<Comparison, 'acknowledged' | 'lost' | 'doubled' | 'outOfOrder' | 'misnamed' | 'replayMismatch'> & {
	/** Cycles of the loop in the journal. */
	loopCycles: number;
	/** For each fault, the longest pause between two acknowledged cycles of an identity, in milliseconds. */
	gaps: Map<string, number[]>;
};

type Life = {name: string; known: Known; /** When cycles were acknowledged. */ acknowledgedAt: number[]};

/** Runs the rounds, stops the nodes, and compares. The cluster is used up. */
export const clusterRounds = async ({
	cluster,
	rounds,
	identities = ['ada', 'ben', 'cleo'],
	clients = 2,
	onRound,
}: RoundsOptions): Promise<ClusterFindings> => {
	await cluster.settle();
	const lives = identities.map(
		(name): Life => ({name, known: {cycles: new Map(), resets: {sent: 0, acknowledged: 0}}, acknowledgedAt: []}),
	);
	for (const {name} of lives) {
		await ask(cluster, 'PUT', `/identities/${name}`, {}, 201);
	}

	await ask(cluster, 'POST', `/identities/${lives[0]!.name}/daemon/start`, undefined, 200);
	let isOver = false;
	const writing = lives.flatMap(life => Array.from({length: clients}, async (_, client) => write(cluster, life, client, () => isOver)));
	const gaps = new Map<string, number[]>();
	for (const [i, [name, fault]] of rounds.entries()) {
		await answered(lives, performance.now());
		const victim = lives[i % lives.length]!;
		let owner: ClusterNode | null = null;
		while (!owner) {
			owner = await cluster.ownerOf(victim.name);
		}

		const beganAt = performance.now();
		const repair = await fault(cluster, owner);
		await answered(lives, performance.now());
		await repair?.();
		await cluster.settle();
		await answered(lives, performance.now());
		await looped(cluster, lives[0]!.name);
		const gapMs = Math.max(...lives.map(({acknowledgedAt}) => longestPause(acknowledgedAt, beganAt)));
		gaps.set(name, [...gaps.get(name) ?? [], gapMs]);
		onRound?.(name, gapMs);
	}

	isOver = true;
	await Promise.all(writing);
	await Promise.all(cluster.nodes.map(async node => node.process.stop()));
	return {...await compareAll(cluster, lives), gaps};
};

/** Resolves when the loop has made three more cycles, however slow the machine is. */
const looped = async (cluster: Cluster, name: string): Promise<void> => {
	for (let first: number | undefined, made = 0; made < 3; await setTimeout(50)) {
		const response = await fetch(`${cluster.address}/identities/${name}/daemon/status`);
		if (response.ok) {
			const {cycles_since_last_user: now} = await response.json() as {cycles_since_last_user: number};
			first ??= now;
			made = now - first;
		} else {
			await response.body?.cancel();
		}
	}
};

const ask = async (cluster: Cluster, method: string, path: string, body: object | undefined, status: number): Promise<void> => {
	for (;;) {
		const response = await fetch(`${cluster.address}${path}`, {
			method,
			...(body && {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
		});
		const text = await response.text();
		if (response.status === status) {
			return;
		}

		if (response.status !== 503) {
			throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
		}

		await setTimeout(100);
	}
};

const write = async (cluster: Cluster, {name, known, acknowledgedAt}: Life, client: number, isOver: () => boolean): Promise<void> => {
	for (let n = 0; !isOver(); n++) {
		const content = `client ${client} of ${name}, thought ${n}`;
		const sent: Sent = {client, order: known.cycles.size, stateId: null, isRefused: false};
		known.cycles.set(content, sent);
		sent.stateId = await writeUntilKept(cluster, name, content);
		acknowledgedAt.push(performance.now());
		// The fault is the subject, not the load: other processes share the processors.
		await setTimeout(5);
	}
};

const writeUntilKept = async (cluster: Cluster, name: string, content: string): Promise<number> => {
	const key = randomUUID();
	for (;;) {
		try {
			const response = await fetch(`${cluster.address}/identities/${name}/cycle`, {
				method: 'POST',
				headers: {'content-type': 'application/json', 'idempotency-key': key},
				body: JSON.stringify({content}),
				signal: AbortSignal.timeout(20_000),
			});
			const body = await response.json() as {state_id: number; retryable?: boolean};
			if (response.status === 200) {
				return body.state_id;
			}

			// While the database is away, a node says of its journal's error that another try can help.
			if (![429, 502, 503, 504].includes(response.status) && !body.retryable) {
				throw new TypeError(`A cycle was answered with ${response.status}: ${JSON.stringify(body)}`);
			}
		} catch (error) {
			if (error instanceof TypeError && error.message.startsWith('A cycle')) {
				throw error;
			}
		}

		await setTimeout(20);
	}
};

/** Resolves when every identity has acknowledged a cycle since. */
const answered = async (lives: readonly Life[], since: number): Promise<void> => {
	while (!lives.every(({acknowledgedAt}) => (acknowledgedAt.at(-1) ?? 0) > since)) {
		await setTimeout(10);
	}
};

/** The longest pause between two moments, the latter of which is after the fault. */
const longestPause = (moments: readonly number[], faultAt: number): number => {
	const first = moments.findIndex(moment => moment > faultAt);
	return moments.slice(first).reduce((longest, moment, i) => Math.max(longest, moment - (moments[first + i - 1] ?? faultAt)), 0);
};

const compareAll = async (cluster: Cluster, lives: readonly Life[]): Promise<Omit<ClusterFindings, 'gaps'>> => {
	await using database = openDatabase({url: cluster.url});
	const sum = {acknowledged: 0, lost: 0, doubled: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0, loopCycles: 0};
	for (const {name, known} of lives) {
		const journal = createPostgresJournal({database, name});
		const {genesis, records} = (await journal.open())!;
		const entries = async function * () {
			for await (const page of readPages({read: async (from, count) => journal.read(from, count), records}, 0, records)) {
				sum.loopCycles += page.filter(({record}) => record.kind === 'cycle' && record.origin === 'daemon').length;
				yield * page;
			}
		};

		const {acknowledged, lost, doubled, outOfOrder, misnamed, replayMismatch} = await compareRecords(genesis, entries(), known);
		await journal.close();
		for (const [key, value] of Object.entries({acknowledged, lost, doubled, outOfOrder, misnamed, replayMismatch})) {
			sum[key as keyof typeof sum] += value;
		}
	}

	return sum;
};
