/**
 * Rounds of faults: clients write to identities of a cluster through its load balancer, while faults happen to nodes,
 * networks and the database. The journals are compared with the clients' answers, with the events that streams
 * received, and with a replay of every record; reads from each node, with what was acknowledged before.
 *
 * A client sends one cycle after another, each with its own key, and repeats it until it is
 * acknowledged: so none may be missing, doubled or out of order.
 */
import {randomUUID} from 'node:crypto';
import {setTimeout} from 'node:timers/promises';
import {readPostgresJournal} from '../../src/journal/postgres/postgres-view.ts';
import {openDatabase} from '../../src/platform/postgres/database.ts';
import type {Fault, Round} from './cluster-faults.ts';
import {ReadWitness, StreamWitness, type Acknowledged} from './cluster-witnesses.ts';
import type {Cluster, ClusterNode} from './cluster.ts';
import {compareRecords, type Comparison, type Known, type Sent} from './compare-journal.ts';

export type RoundsOptions = {
	cluster: Cluster;
	/** The faults, one per round. */
	rounds: ReadonlyArray<[name: string, Fault]>;
	onRound?(name: string, gapMs: number): void;
};

/** All must be 0. `lost` does not count reported losses. */
export type Wrongs = Pick<Comparison, 'lost' | 'doubled' | 'outOfOrder' | 'misnamed' | 'replayMismatch'> & {
	/** Cycles in the journal that a stream neither received nor reported as missing. */
	unpublished: number;
	/** Reads of a state that is older than one that was acknowledged before the read began. */
	staleReads: number;
};

export type ClusterFindings = {
	wrong: Wrongs;
	acknowledged: number;
	/** Cycles that the database lost and the cluster reported. */
	reportedLost: number;
	/** Reads from each node. */
	reads: number;
	/** Cycles of the loop in the journal. */
	loopCycles: number;
	/** For each fault, the longest pause between two acknowledged cycles of an identity, in milliseconds. */
	gaps: Map<string, number[]>;
};

type Subject = {
	name: string;
	known: Known;
	latest: Acknowledged;
	stream: StreamWitness;
	/** When cycles were acknowledged. */
	acknowledgedAt: number[];
};

/** Created here; the loop of the first one runs throughout. */
const identities = ['ada', 'ben', 'cleo'];

const clients = 2;

/** Runs the rounds, stops the nodes, and compares. The cluster cannot be used again. */
export const clusterRounds = async ({cluster, rounds, onRound}: RoundsOptions): Promise<ClusterFindings> => {
	await cluster.settle();
	for (const name of identities) {
		await ask(cluster, 'PUT', `/identities/${name}`, {}, 201);
	}

	const subjects = identities.map((name): Subject => ({
		name, known: {cycles: new Map(), resets: {sent: 0, acknowledged: 0}}, latest: {newest: 0, losses: 0, isLosing: false},
		stream: new StreamWitness(`${cluster.address}/identities/${name}`), acknowledgedAt: [],
	}));
	await Promise.all(subjects.map(async ({stream}) => stream.opened));
	await ask(cluster, 'POST', `/identities/${subjects[0]!.name}/daemon/start`, undefined, 200);
	let isOver = false;
	const writing = subjects.flatMap(subject =>
		Array.from({length: clients}, async (_, client) => write(cluster, subject, client, () => isOver)));
	const readers = new ReadWitness(cluster.nodes, subjects);
	const gaps = new Map<string, number[]>();
	for (const [i, [name, fault]] of rounds.entries()) {
		await answered(subjects, performance.now());
		const victim = subjects[i % subjects.length]!;
		let owner: ClusterNode | null = null;
		while (!owner) {
			owner = await cluster.ownerOf(victim.name);
		}

		const beganAt = performance.now();
		const repair = await fault(cluster, owner, roundOf(victim.name, subjects));
		await answered(subjects, performance.now());
		await repair?.();
		await cluster.settle();
		await answered(subjects, performance.now());
		await looped(cluster, subjects[0]!.name);
		const gapMs = Math.max(...subjects.map(({acknowledgedAt}) => longestPause(acknowledgedAt, beganAt)));
		gaps.set(name, [...gaps.get(name) ?? [], gapMs]);
		onRound?.(name, gapMs);
	}

	isOver = true;
	await Promise.all(writing);
	await readers.end();
	await ask(cluster, 'POST', `/identities/${subjects[0]!.name}/daemon/stop`, undefined, 200);
	const {loopCycles, ...wrong} = await compareAll(cluster, subjects);
	await Promise.all(cluster.nodes.map(async node => node.process.stop()));
	const all = subjects.flatMap(({known}) => [...known.cycles.values()].filter(({stateId}) => stateId !== null));
	return {
		wrong: {...wrong, staleReads: readers.stale}, reads: readers.reads, loopCycles, gaps,
		acknowledged: all.length, reportedLost: all.filter(({isReportedLost}) => isReportedLost).length,
	};
};

const roundOf = (name: string, subjects: readonly Subject[]): Round => ({
	name,
	async answered() {
		// More than the cycles that were in flight.
		for (let i = 0; i < 10; i++) {
			await answered(subjects, performance.now());
		}
	},
	setLosing(isSo) {
		for (const {latest} of subjects) {
			Object.assign(latest, {isLosing: isSo, newest: 0, losses: latest.losses + 1});
		}
	},
	onLoss({name: lost, kept, keptState, seq}) {
		const {known, stream} = subjects.find(subject => subject.name === lost)!;
		stream.allowMissing(kept, seq);
		for (const sent of known.cycles.values()) {
			sent.isReportedLost ||= sent.stateId !== null && sent.stateId > keptState;
		}
	},
});

/** Resolves when the loop has made three more cycles. */
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

const write = async (
	cluster: Cluster, {name, known, latest, acknowledgedAt}: Subject, client: number, isOver: () => boolean,
): Promise<void> => {
	for (let n = 0; !isOver(); n++) {
		const content = `client ${client} of ${name}, thought ${n}`;
		const sent: Sent = {client, order: known.cycles.size, stateId: null, isRefused: false};
		known.cycles.set(content, sent);
		sent.stateId = await writeUntilKept(cluster, name, content);
		acknowledgedAt.push(performance.now());
		latest.newest = latest.isLosing ? 0 : Math.max(latest.newest, sent.stateId);
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

			// While the database is away, a node reports its journal's error as retryable.
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
const answered = async (subjects: readonly Subject[], since: number): Promise<void> => {
	while (!subjects.every(({acknowledgedAt}) => (acknowledgedAt.at(-1) ?? 0) > since)) {
		await setTimeout(10);
	}
};

/** The longest pause between two moments, the latter of which is after the fault. */
const longestPause = (moments: readonly number[], faultAt: number): number => {
	const first = moments.findIndex(moment => moment > faultAt);
	return moments.slice(first).reduce((longest, moment, i) => Math.max(longest, moment - (moments[first + i - 1] ?? faultAt)), 0);
};

const compareAll = async (cluster: Cluster, subjects: readonly Subject[]): Promise<Omit<Wrongs, 'staleReads'> & {loopCycles: number}> => {
	await using database = openDatabase({url: cluster.url});
	const sum = {lost: 0, doubled: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0, unpublished: 0, loopCycles: 0};
	for (const {name, known, stream} of subjects) {
		const {genesis, replay} = (await readPostgresJournal(database, name))!;
		const cycles: Array<{seq: number; id: string}> = [];
		const entries = async function * () {
			for await (const entry of replay()) {
				const {seq, record} = entry;
				if (record.kind === 'cycle') {
					cycles.push({seq, id: record.id});
					sum.loopCycles += Number(record.origin === 'daemon');
				}

				yield entry;
			}
		};

		const {lost, doubled, outOfOrder, misnamed, replayMismatch} = await compareRecords(genesis, entries(), known);
		for (const [key, value] of Object.entries({
			lost, doubled, outOfOrder, misnamed, replayMismatch, unpublished: await stream.countMissed(cycles),
		})) {
			sum[key as keyof typeof sum] += value;
		}
	}

	return sum;
};
