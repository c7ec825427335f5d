/**
 * The package in Deno and Bun: identities in memory, the kernels, the bundled model, journal and
 * store in SQLite, and the interface over HTTP give the same results as in Node, bit for bit.
 * docs/library.md lists what does not work there.
 */
import {execFile} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import {isBuilt, notBuilt} from '../helpers/built-package.ts';
import {isLongRun} from '../helpers/often.ts';
import {installRuntimes} from '../runtimes/install.ts';

type Outcomes = Record<string, unknown>;

const script = fileURLToPath(new URL('../runtimes/in-any-runtime.ts', import.meta.url));

/** Runs the script to its end, in a new folder. @throws if it does not exit by itself in time */
const runIn = async ([command, ...words]: string[]): Promise<Outcomes> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-runtime-'));
	try {
		const {PATH, HOME} = process.env;
		const {stdout} = await promisify(execFile)(command!, [...words, script, folder], {
			timeout: 600_000,
			maxBuffer: 2 ** 26,
			env: {PATH, HOME, DENO_DIR: path.join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1'},
		});
		return JSON.parse(stdout) as Outcomes;
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

const runtimes = await installRuntimes().catch((error: Error) => {
	if (process.env['CI']) {
		throw error;
	}

	console.warn(`Deno and Bun could not be installed by npm (${error.message.trim()}). Their tests are skipped.`);
	return null;
});

let inNode: Outcomes;

test.before('the script runs in Node', async t => {
	t.true(await isBuilt(), notBuilt);
	inNode = await runIn([process.execPath]);
	for (const [part, outcome] of Object.entries(inNode)) {
		t.false(Object.hasOwn(outcome as object, 'failed'), `${part}: ${JSON.stringify(outcome)}`);
	}
});

// `applications.test.ts` also runs an application in Deno.
for (const runtime of isLongRun ? ['Deno', 'Bun'] as const : ['Bun'] as const) {
	(runtimes ? test.serial : test.serial.skip)(`${runtime} gives the results of Node, part by part, and exits by itself`, async t => {
		const outcomes = await runIn(runtimes![runtime]);
		t.deepEqual(Object.keys(outcomes), Object.keys(inNode));
		for (const [part, outcome] of Object.entries(inNode)) {
			t.deepEqual(outcomes[part], outcome, part);
		}
	});
}
