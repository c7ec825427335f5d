/** Starts the compared servers, each in its own process, which ends with its scope and at the latest with this process. */
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import type {Answers} from './bare.ts';

/** A running server. */
export type Server = AsyncDisposable & {
	readonly url: string;
	readonly pid: number;
};

const place = fileURLToPath(new URL('.', import.meta.url));

/** Debian's Python, which has Debian's packages. Another one may come first in the path. */
const python = '/usr/bin/python3';

/** Debian's folder of each BLAS. NumPy loads the first one in the library path. */
const blasFolders = {
	reference: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/blas`,
	openblas: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/openblas-pthread`,
};

export const packages = 'python3-fastapi python3-uvicorn python3-numpy python3-uvloop python3-httptools libblas3 libopenblas0-pthread';

/** Versions of the peer's packages, or null where one is missing. */
export const peerVersions = (): Record<string, string> | null => {
	const script = 'import json, platform, fastapi, httptools, numpy, uvicorn, uvloop; '
		+ 'print(json.dumps({"Python": platform.python_version(), **{m.__name__: m.__version__ for m in (fastapi, uvicorn, uvloop, httptools, numpy)}}))';
	const {status, stdout} = spawnSync(python, ['-c', script], {encoding: 'utf8'});
	return status === 0 ? JSON.parse(stdout) as Record<string, string> : null;
};

/** Our service; durable with a journal's folder. */
export const startOurs = async (world: string, journal?: string): Promise<Server> => {
	const child = spawnNode('ours.ts', [world, ...(journal === undefined ? [] : [journal])]);
	return serverOf(child, await readUrl(child));
};

/** A bare `node:http` server that sends the given responses. */
export const startBare = async (answers: Answers): Promise<Server> => {
	const child = spawnNode('bare.ts', []);
	child.send(answers);
	return serverOf(child, await readUrl(child));
};

export type PeerOptions = {
	/** uvloop, httptools and OpenBLAS instead of asyncio, h11 and the reference BLAS. */
	tuned: boolean;
	/** Whether routes return ready responses, which bypass FastAPI's response models. */
	ready: boolean;
};

/** The peer in Python, with one worker, because its state is in memory. */
export const startPeer = async (world: string, {tuned, ready}: PeerOptions): Promise<Server> => {
	const child = killOnExit(spawn(python, [
		'-m', 'uvicorn', 'app:app', '--app-dir', place, '--host', '127.0.0.1', '--port', '0', '--no-access-log',
		'--loop', tuned ? 'uvloop' : 'asyncio', '--http', tuned ? 'httptools' : 'h11',
	], {
		env: {
			WORLD: world,
			ANSWERS: ready ? 'ready' : 'modelled',
			PYTHONDONTWRITEBYTECODE: '1',
			LD_LIBRARY_PATH: tuned ? blasFolders.openblas : blasFolders.reference,
			// More threads are slower with vectors as short as these.
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

/** The BLAS that a running peer has loaded: folder and file. */
export const blasOf = ({pid}: Server): string | undefined =>
	/\S*-gnu\/(\S*libblas\S*)/.exec(readFileSync(`/proc/${pid}/maps`, 'utf8'))?.[1];

const spawnNode = (entry: string, args: string[]): ChildProcess =>
	killOnExit(spawn(process.execPath, [place + entry, ...args], {stdio: ['ignore', 'ignore', 'inherit', 'ipc']}));

/** Kills a child when this process exits: a leftover server would slow down later measurements. */
const killOnExit = <Child extends ChildProcess>(child: Child): Child => {
	const kill = (): void => {
		child.kill('SIGKILL');
	};

	process.once('exit', kill);
	child.once('close', () => {
		process.off('exit', kill);
	});
	return child;
};

const readUrl = async (child: ChildProcess): Promise<string> => {
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
