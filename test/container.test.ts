/** The container's files: they name what is there. No engine runs here, so the image itself is not built. */
import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {promisify} from 'node:util';
import test from 'ava';
import {fakeIdentity} from './http/fake-identity.ts';
import {serve} from './http/service.ts';

const read = async (name: string): Promise<string> => readFile(new URL(`../${name}`, import.meta.url), 'utf8');

const dockerfile = await read('Dockerfile');
const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
const manifest = JSON.parse(await read('package.json')) as {name: string; bin: Record<string, string>; engines: {node: string}};

const listAfter = (instruction: string): string[] =>
	JSON.parse(new RegExp(String.raw`^${instruction}.*?(\[.*\])$`, 'm').exec(last)![1]!) as string[];

test('the image runs the command of the package, on a Node that the package takes, and not as root', async t => {
	t.deepEqual(listAfter('ENTRYPOINT'), ['node', `node_modules/${manifest.name}/${manifest.bin['processual']}`]);
	t.deepEqual(listAfter('CMD'), ['serve']);
	t.regex(last, /^USER node$/m);
	t.deepEqual([...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => Number(major)), [24, 24]);
});

test('its data is in the volume, which the user of the service owns', async t => {
	const [folder] = listAfter('VOLUME');
	t.true(last.includes(`DATA_DIR=${folder}`));
	t.true(last.includes(`install -d -o node -g node -m 700 ${folder}`));
	t.regex(await read('compose.yaml'), new RegExp(String.raw`- identity:${folder}$`, 'm'));
});

test('the health check tells a service that lives from one that does not', async t => {
	const {port, close} = await serve(t, fakeIdentity());
	const [, ...args] = listAfter('HEALTHCHECK');
	const check = async () =>
		promisify(execFile)(process.execPath, args, {env: {PORT: String(port)}}).then(() => 0, ({code}: {code: number}) => code);
	t.is(await check(), 0);
	await close();
	t.is(await check(), 1);
});

test('what the package is built from is not left out', async t => {
	const ignored = (await read('.dockerignore')).trim().split('\n');
	for (const needed of [
		'src', 'assembly', 'scripts', 'data', 'inspector', 'docs', 'examples', 'package.json', 'package-lock.json',
		'tsconfig.json', 'tsconfig.build.json', 'asconfig.json',
	]) {
		t.false(ignored.includes(needed), needed);
	}
});

test('no image takes the package from a registry that has it not', async t => {
	const isPublished = !(await read('README.md')).includes('not in the npm registry yet');
	const images = await Promise.all(['Dockerfile', 'examples/cluster/Dockerfile'].map(read));
	for (const image of images) {
		t.true(isPublished || !new RegExp(String.raw`^RUN npm install.* ${manifest.name}(?:\s|$)`, 'm').test(image));
	}
});

test('what the example of a cluster has its reader write, secrets and a package, is in no commit and in no package', async t => {
	const guide = await read('examples/cluster/README.md');
	t.regex(guide, /^done > \.env$/m);
	t.regex(guide, /npm pack --pack-destination examples\/cluster/);
	// The ignored names at the root do not hold for the folders that `files` lists.
	const ignored = (await read('examples/cluster/.gitignore')).trim().split('\n');
	t.deepEqual(ignored, ['.env', '*.tgz']);
});
