/** The real service in a separate process, for tests and benchmarks that kill, starve and load it. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {tmpdir} from 'node:os';
import {childEnvironment} from './child-environment.ts';
import {cli} from './cli.ts';

/** How a process ended, and what it wrote to its error stream. */
export type End = {code: number | null; errors: string};

export type ServerProcess = AsyncDisposable & {
	readonly pid: number;
	readonly ended: Promise<End>;
	/** Its log until it was ready. */
	readonly output: string;

	/** Waits until the service is ready. @returns its URL @throws when the process ends before */
	ready(): Promise<string>;

	/** Sends SIGTERM, and waits for the end. */
	stop(): Promise<End>;

	/** Sends SIGKILL, and waits for the end. */
	kill(): Promise<End>;
};

/**
 * Starts `processual serve` on the loopback interface.
 *
 * @param folder DATA_DIR.
 * @param environment More settings. Those of the caller's environment do not reach the process.
 * @param port 0 takes a free one.
 * @param command The file of the command, possibly of another version.
 */
export const startServer = (folder: string, environment: Record<string, string> = {}, port = 0, command = cli): ServerProcess => {
	const child = spawn(process.execPath, [command, 'serve', '--host', '127.0.0.1', '--port', String(port), '--data-dir', folder], {
		cwd: tmpdir(),
		env: {...childEnvironment, ...environment},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	const ended = once(child, 'close').then(([code]): End => ({code: code as number | null, errors}));

	const {promise: address, resolve: found, reject: missed} = Promise.withResolvers<string>();
	let output = '';
	const look = (text: string): void => {
		output += text;
		const [, url] = /"ready at (\S+) after/.exec(output) ?? [];
		if (url) {
			// Later output is read and discarded.
			child.stdout.off('data', look).resume();
			found(url);
		}
	};

	child.stdout.setEncoding('utf8').on('data', look);
	child.once('close', code => {
		missed(new Error(`The service ended with ${code} before it was ready: ${errors}`));
	});
	// Some tests never wait for the address: they expect the end.
	address.catch(() => {});

	const end = async (signal: NodeJS.Signals): Promise<End> => {
		child.kill(signal);
		return ended;
	};

	return {
		pid: child.pid!,
		ended,
		get output() {
			return output;
		},
		ready: async () => address,
		stop: async () => end('SIGTERM'),
		kill: async () => end('SIGKILL'),
		async [Symbol.asyncDispose]() {
			await end('SIGKILL');
		},
	};
};

export type CycleAnswer = {state_id: number; delta_magnitude: number};

/** Posts a cycle. @returns the status, and the body of an acknowledged one. @throws when the connection breaks */
export const postCycle = async (
	url: string, content: string, metadata?: Record<string, string>,
): Promise<{status: number; body: CycleAnswer}> => {
	const response = await fetch(`${url}/cycle`, {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify({content, metadata}),
	});
	return {status: response.status, body: await response.json() as CycleAnswer};
};
