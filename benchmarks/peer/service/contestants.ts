/** The servers that are compared, each in a process of its own that ends with its owner's scope, and with this process at the latest. */
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import type {Answers} from './bare.ts';

/** A server under way. */
export type Server = AsyncDisposable & {
	readonly url: string;
	readonly pid: number;
};

const place = fileURLToPath(new URL('.', import.meta.url));

/** Debian's own Python, which has Debian's packages; another one first in the path would not. */
const python = '/usr/bin/python3';

/** Where Debian keeps each BLAS, of which NumPy takes the one that the loader finds first. */
const blasFolders = {
	reference: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/blas`,
	openblas: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/openblas-pthread`,
};

export const packages = 'python3-fastapi python3-uvicorn python3-numpy python3-uvloop python3-httptools libblas3 libopenblas0-pthread';

/** Versions of what the peer runs on, or null where something of it is missing. */
export const peerVersions = (): Record<string, string> | null => {
	const script = 'import json, platform, fastapi, httptools, numpy, uvicorn, uvloop; '
		+ 'print(json.dumps({"Python": platform.python_version(), **{m.__name__: m.__version__ for m in (fastapi, uvicorn, uvloop, httptools, numpy)}}))';
	const {status, stdout} = spawnSync(python, ['-c', script], {encoding: 'utf8'});
	return status === 0 ? JSON.parse(stdout) as Record<string, string> : null;
};

/** Our service; durable where a journal's folder is given. */
export const startOurs = async (world: string, journal?: string): Promise<Server> => {
	const child = spawnNode('ours.ts', [world, ...(journal === undefined ? [] : [journal])]);
	return serverOf(child, await told(child));
};

/** A bare `node:http` server that sends the given answers. */
export const startBare = async (answers: Answers): Promise<Server> => {
	const child = spawnNode('bare.ts', []);
	child.send(answers);
	return serverOf(child, await told(child));
};

export type PeerOptions = {
	/** uvloop, httptools and OpenBLAS, rather than asyncio, h11 and the reference BLAS. */
	tuned: boolean;
	/** Whether routes answer with ready responses, which pass by FastAPI's models of answers. */
	ready: boolean;
};

/** The peer in Python, with one worker: its state is one process's. */
export const startPeer = async (world: string, {tuned, ready}: PeerOptions): Promise<Server> => {
	const child = tied(spawn(python, [
		'-m', 'uvicorn', 'app:app', '--app-dir', place, '--host', '127.0.0.1', '--port', '0', '--no-access-log',
		'--loop', tuned ? 'uvloop' : 'asyncio', '--http', tuned ? 'httptools' : 'h11',
	], {
		env: {
			WORLD: world,
			ANSWERS: ready ? 'ready' : 'modelled',
			PYTHONDONTWRITEBYTECODE: '1',
			LD_LIBRARY_PATH: tuned ? blasFolders.openblas : blasFolders.reference,
			// Its threads only cost time with vectors as short as these.
			OPENBLAS_NUM_THREADS: '1',
		},
		stdio: ['ignore', 'ignore', 'pipe'],
	}));
	const {promise, resolve, reject} = Promise.withResolvers<string>();
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
		const [, url] = /running on (http:\S+)/.exec(errors) ?? [];
		if (url) {
			resolve(url);
		}
	});
	child.once('close', code => {
		reject(new Error(`The peer ended with ${code} before it was ready: ${errors}`));
	});
	return serverOf(child, await promise);
};

/** Which BLAS a running peer has loaded: the file's name and its folder's. */
export const blasOf = ({pid}: Server): string | undefined =>
	/\S*-gnu\/(\S*libblas\S*)/.exec(readFileSync(`/proc/${pid}/maps`, 'utf8'))?.[1];

/** CPU time that a server has used so far, in all its threads, in microseconds; to 10 ms. */
export const cpuOf = ({pid}: Server): number => {
	// The fields after the program's name, which may hold anything, in hundredths of a second.
	const [user, system] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ').slice(11, 13);
	return (Number(user) + Number(system)) * 10_000;
};

const spawnNode = (entry: string, args: string[]): ChildProcess =>
	tied(spawn(process.execPath, [place + entry, ...args], {stdio: ['ignore', 'ignore', 'inherit', 'ipc']}));

/** A server that outlives its benchmark would slow down whatever is measured next. */
const tied = <Child extends ChildProcess>(child: Child): Child => {
	const kill = (): void => {
		child.kill('SIGKILL');
	};

	process.once('exit', kill);
	child.once('close', () => {
		process.off('exit', kill);
	});
	return child;
};

const told = async (child: ChildProcess): Promise<string> => {
	const ended = once(child, 'close').then(([code]) => {
		throw new Error(`A contestant ended with ${code} before it was ready.`);
	});
	const [{url}] = await Promise.race([once(child, 'message') as Promise<[{url: string}]>, ended]);
	ended.catch(() => {});
	return url;
};

const serverOf = (child: ChildProcess, url: string): Server => ({
	url,
	pid: child.pid!,
	async [Symbol.asyncDispose]() {
		const ended = once(child, 'close');
		child.kill('SIGKILL');
		await ended;
	},
});
