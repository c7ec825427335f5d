/**
 * A cluster of this machine: a real PostgreSQL, nodes that are processes of the built command, and
 * optionally a balancer in front of them: haproxy with the configuration of the example, or ours if it is not installed.
 */
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {startNodeBalancer, type Balancer} from './balancer.ts';
import {root} from './built-package.ts';
import {childEnvironment} from './child-environment.ts';
import {cli} from './cli.ts';
import {findFreePort} from './find-free-port.ts';
import {openLink, type Link} from './link.ts';
import {startPostgres, type PostgresOptions, type PostgresServer} from './postgres.ts';
import {startServer, type ServerProcess} from './server-process.ts';

export type ClusterNode = {
	readonly url: string;
	/** The only link by which its peers reach it. */
	readonly link: Link;
	readonly process: ServerProcess;
	/** Starts it again on its port. */
	start(): Promise<void>;
	/** Whether it says that it is ready, within a second. */
	isReady(): Promise<boolean>;
	/** SIGSTOP until it is called again with `false`. */
	freeze(isFrozen: boolean): void;
};

export type Cluster = AsyncDisposable & {
	readonly server: PostgresServer;
	/** The URL of the database. */
	readonly url: string;
	readonly nodes: readonly ClusterNode[];
	/** The URL for clients: that of the balancer, or without it of the first node. */
	readonly address: string;
	/** The live node that has an identity. */
	ownerOf(name: string): Promise<ClusterNode | null>;
	/** Resolves when every node is ready, and the balancer sees all of them. */
	settle(): Promise<void>;
	/** Ends the sessions of one node, or of all. */
	cutSessions(node?: ClusterNode): Promise<void>;
};

export type ClusterOptions = {
	nodes?: number;
	/** Puts a balancer in front: haproxy if it is installed, or always ours. */
	isBalanced?: boolean | 'ours';
	/** Settings of all nodes. */
	settings?: Record<string, string>;
	/** Settings of one node, counted from 0, over a database. */
	settingsOf?(node: number, url: string): Record<string, string> | Promise<Record<string, string>>;
	postgres?: PostgresOptions;
};

/** The token with which nodes authenticate each other. */
export const peerToken = 'the-token-of-all-nodes';

export const startCluster = async ({
	nodes: count = 3,
	isBalanced = false,
	settings = {},
	settingsOf,
	postgres,
}: ClusterOptions = {}): Promise<Cluster> => {
	await using stack = new AsyncDisposableStack();
	const folder = await mkdtemp(path.join(tmpdir(), 'cluster-'));
	stack.defer(async () => rm(folder, {recursive: true, force: true}));
	const server = stack.use(await startPostgres({settings: {max_connections: 100}, ...postgres}));
	const model = stack.use(await startFakeModel());
	const url = await server.createDatabase();
	const environment = {...model.settings(), DATABASE_URL: url, DATABASE_POOL: '6', PEER_TOKEN: peerToken, ...settings};
	const {status, stderr} = spawnSync(process.execPath, [cli, 'migrate'], {env: {...childEnvironment, ...environment}, encoding: 'utf8'});
	if (status !== 0) {
		throw new Error(`The database could not be prepared: ${stderr}`);
	}

	const nodes = await Promise.all(Array.from({length: count}, async (_, i) => {
		const port = await findFreePort();
		const link = stack.use(await openLink(port));
		const node = startNode(path.join(folder, `node-${i + 1}`), port, link, {...environment, ...await settingsOf?.(i, url)});
		stack.defer(async () => {
			node.freeze(false);
			await node.process.kill();
		});
		return node;
	}));
	await Promise.all(nodes.map(async node => node.process.ready()));
	const isOurs = isBalanced === 'ours' || !hasHaproxy();
	const balancer = isBalanced ? stack.use(await (isOurs ? startNodeBalancer(nodes) : startHaproxy(nodes, folder))) : null;
	const moved = stack.move();

	const ask = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => server.queryIn(url, text, values);
	return {
		server,
		url,
		nodes,
		address: balancer?.url ?? nodes[0]!.url,

		async ownerOf(name) {
			const [row] = await ask<{url: string | null}>(`
				select node.url from processual.identity join processual.node on node.no = identity.node
				where identity.id = $1 and not aside and exists (
					select from pg_locks where locktype = 'advisory' and objid::int8 = node.no and objsubid = 2
				)`, [name]);
			return nodes.find(({link}) => addressOf(link) === row?.url) ?? null;
		},

		async settle() {
			while (!(await Promise.all(nodes.map(async node => node.isReady()))).every(Boolean) || !(await balancer?.seesAll() ?? true)) {
				await setTimeout(20);
			}
		},

		async cutSessions(node) {
			await ask(node
				? 'select pg_terminate_backend(pid) from pg_locks where locktype = \'advisory\' and objid::int8 = (select no from '
					+ 'processual.node where url = $1 order by no desc limit 1)'
				: 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()', node
					? [addressOf(node.link)]
					: []);
		},

		[Symbol.asyncDispose]: async () => moved.disposeAsync(),
	};
};

const addressOf = ({port}: Pick<Link, 'port'>): string => `http://127.0.0.1:${port}`;

const startNode = (folder: string, port: number, link: Link, environment: Record<string, string>): ClusterNode => {
	const url = addressOf({port});
	const run = (): ServerProcess => startServer(folder, {...environment, ADVERTISED_URL: addressOf(link)}, port);
	let current = run();
	return {
		url,
		link,
		get process() {
			return current;
		},
		async start() {
			current = run();
			await current.ready();
		},
		async isReady() {
			try {
				return (await fetch(`${url}/readyz`, {signal: AbortSignal.timeout(1000)})).ok;
			} catch {
				return false;
			}
		},
		freeze(isFrozen) {
			try {
				process.kill(current.pid, isFrozen ? 'SIGSTOP' : 'SIGCONT');
			} catch {
				// It has ended.
			}
		},
	};
};

/** Whether haproxy is installed; Debian has it as a package. */
const hasHaproxy = (): boolean => spawnSync('haproxy', ['-v']).status === 0;

const startHaproxy = async (nodes: readonly ClusterNode[], folder: string): Promise<Balancer> => {
	const port = await findFreePort();
	const addresses = Object.fromEntries(nodes.map(({url}, i) => [`NODE_${i + 1}`, new URL(url).host]));
	const statistics = await findFreePort();
	const extra = path.join(folder, 'statistics.cfg');
	await writeFile(
		extra,
		`frontend statistics\n\tmode http\n\tbind 127.0.0.1:${statistics}\n\thttp-request return status 200 content-type `
			+ 'text/plain lf-string "%[nbsrv(nodes)]"\n',
	);
	const child = spawn('haproxy', ['-db', '-f', path.join(root, 'examples/cluster/haproxy.cfg'), '-f', extra], {
		env: {...childEnvironment, LISTEN: `127.0.0.1:${port}`, ...addresses},
		stdio: 'ignore',
	});
	const url = `http://127.0.0.1:${port}`;
	const seesAll = async (): Promise<boolean> => {
		try {
			return await (await fetch(`http://127.0.0.1:${statistics}/`)).text() === String(nodes.length);
		} catch {
			return false;
		}
	};

	while (!await seesAll()) {
		if (child.exitCode !== null) {
			throw new Error(`haproxy ended with ${child.exitCode}.`);
		}

		await setTimeout(20);
	}

	return {
		url,
		seesAll,
		async [Symbol.asyncDispose]() {
			if (child.exitCode === null && child.signalCode === null) {
				child.kill('SIGKILL');
				await once(child, 'exit');
			}
		},
	};
};
