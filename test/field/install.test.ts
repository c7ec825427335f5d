/** The install commands of the README, each as a reader runs it. */
import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {root} from '../helpers/built-package.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {networked} from '../helpers/registry.ts';
import {npm, pack} from './installed.ts';

const readme = await readFile(path.join(root, 'README.md'), 'utf8');
const [, block] = /^## Install\n.*?^```sh\n(.*?)^```/ms.exec(readme)!;
const [clean, start, packing, global, local] = block!.trim().split('\n').map(line => line.split(' #')[0]!.trim()) as [string, ...string[]];

const temporary = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'install-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	return folder;
};

/** A folder with the packed package, and a shell in it that may download dependencies. */
const unpacked = async (t: ExecutionContext) => {
	const folder = await temporary(t);
	const {filename} = await pack(folder);
	const npmSettings = {npm_config_prefix: path.join(folder, 'global'), npm_config_prefer_offline: 'true', npm_config_audit: 'false'};
	const env = {...childEnvironment, ...npmSettings};
	return {folder, filename, inShell: async (line: string) => (await promisify(execFile)('sh', ['-c', line], {cwd: folder, env})).stdout};
};

test('the README has five install commands, and every check begins with the first, npm ci', async t => {
	t.is(block!.trim().split('\n').length, 5);
	t.is(clean, 'npm ci');
	t.regex(await readFile(path.join(root, '.ci/run'), 'utf8'), /^npm ci /m, '.ci/run begins with it, in a fresh clone');
});

test('in a clone the start command serves, and npm pack makes the file that the next commands install', async t => {
	const [command, ...words] = start!.split(' ');
	const env = {...childEnvironment, PORT: '0', HOST: '127.0.0.1', DATA_DIR: await temporary(t)};
	const child = spawn(command!, words, {cwd: root, env, detached: true});
	const ended = once(child, 'close');
	t.teardown(async () => {
		if (child.exitCode === null) {
			process.kill(-child.pid!, 'SIGKILL');
		}

		await ended;
	});

	let said = '';
	for await (const chunk of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
		said += chunk;
		if (/ready at (http\S+) after/.test(said)) {
			break;
		}
	}

	t.regex(said, /ready at/);
	t.is((await fetch(`${/ready at (http\S+) after/.exec(said)![1]!}/readyz`)).status, 200);
	t.is(packing, 'npm pack');
	const {stdout} = await npm(root, 'pack', '--dry-run', '--json', '--ignore-scripts');
	const [{filename}] = JSON.parse(stdout) as [{filename: string}];
	t.true([global, local].every(line => line!.includes(`./${filename}`)), filename);
});

networked('the packed package installs as a command', async t => {
	const {folder, inShell} = await unpacked(t);
	await inShell(global!);
	const {version} = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {version: string};
	t.is((await inShell(`${path.join(folder, 'global/bin/processual')} --version`)).trim(), version);
});

networked('the packed package installs in a project, whose programs import it', async t => {
	const {folder, filename, inShell} = await unpacked(t);
	const project = path.join(folder, 'project');
	await mkdir(project);
	await writeFile(path.join(project, 'package.json'), '{"private": true, "type": "module"}');
	await inShell(`cd project && ${local!.replace(`./${filename}`, `../${filename}`)}`);
	const program = 'import {openIdentity} from \'processual-state\'; console.log(typeof openIdentity);';
	await writeFile(path.join(project, 'program.js'), program);
	t.is((await inShell(`cd project && "${process.execPath}" program.js`)).trim(), 'function');
});
