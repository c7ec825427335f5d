/**
 * pgbouncer in front of a database, which pools transactions: a connection to the database is shared by all
 * clients, one transaction each.
 */
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {findFreePort} from './find-free-port.ts';

/** Whether pgbouncer is installed; Debian has it as a package. */
export const hasPooler = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0;

export type Pooler = AsyncDisposable & {
	readonly port: number;
	/** Ends it at once, and starts it again. */
	restart(): Promise<void>;
};

/** Fewer connections than clients, so that each statement of a client may use another one. */
const poolSize = 3;

/** @param url Of the database. */
export const startPooler = async (url: string): Promise<Pooler> => {
	const {hostname, port: target, username, password} = new URL(url);
	const folder = await mkdtemp(path.join(tmpdir(), 'pooler-'));
	const port = await findFreePort();
	const file = path.join(folder, 'pgbouncer.ini');
	await writeFile(file, `[databases]
* = host=${hostname} port=${target} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
`);
	let child: ChildProcess;
	const start = async (): Promise<void> => {
		// It refuses to run as root. Its file is read through an open descriptor: others may not enter the folder.
		child = spawn('pgbouncer', ['-q', ...process.getuid?.() === 0 ? ['-u', 'nobody'] : [], file], {stdio: 'ignore'});
		while (!await isListening(port)) {
			if (child.exitCode !== null) {
				throw new Error(`pgbouncer ended with ${child.exitCode}.`);
			}

			await setTimeout(20);
		}
	};

	const end = async (): Promise<void> => {
		child.kill('SIGKILL');
		if (child.exitCode === null && child.signalCode === null) {
			await once(child, 'exit');
		}
	};

	await start();
	return {
		port,
		async restart() {
			await end();
			await start();
		},
		async [Symbol.asyncDispose]() {
			await end();
			await rm(folder, {recursive: true});
		},
	};
};

const isListening = async (port: number): Promise<boolean> => {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
};
