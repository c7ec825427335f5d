/** Runs `processual` in a separate process and an empty folder, and gives its output and exit code. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import ava, {type ExecutionContext} from 'ava';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';

export type Line = {msg: string; level: number; step?: string; milliseconds?: number; port?: number; uptime?: number};

const model = await startFakeModel();
ava.after.always(async () => model[Symbol.asyncDispose]());

/** Node 22 calls its SQLite experimental. */
const quiet = {NODE_OPTIONS: '--disable-warning=ExperimentalWarning'};

/** Starts `processual` in an empty folder, without settings. Keeps its output, and kills it when the test ends. */
export const runWithDefaults = async (t: ExecutionContext, given: string[], environment: Record<string, string> = {}) => {
	const cwd = await mkdtemp(path.join(tmpdir(), 'processual-'));
	const child = spawn(process.execPath, [cli, ...given], {cwd, env: {...childEnvironment, ...quiet, ...environment}});
	t.teardown(() => child.kill('SIGKILL'));
	let output = '';
	let errors = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	const ended = once(child, 'close').then(([code]) => ({code: code as number, output, errors}));
	const lines = (): Line[] => output.split('\n').filter(Boolean).map(line => JSON.parse(line) as Line);

	return {
		child,
		ended,
		lines,
		/** Waits for the log line with the address of the service. */
		async ready(): Promise<Line> {
			for (;;) {
				const found = lines().find(({msg}) => msg.startsWith('ready at'));
				if (found) {
					return found;
				}

				const over = await Promise.race([once(child.stdout, 'data'), ended]);
				if ('code' in over) {
					throw new Error(`ended with ${over.code}: ${over.errors}`);
				}
			}
		},
	};
};

/** The same with a fake model that is ready at once, for tests that are not about the model. */
export const run = async (t: ExecutionContext, given: string[], environment: Record<string, string> = {}) =>
	runWithDefaults(t, given, {...model.settings(), ...environment});
