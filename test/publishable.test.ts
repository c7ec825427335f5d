/** What keeps the package from being published before it says where it lives. */
import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';

const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {scripts: Record<string, string>};
const script = fileURLToPath(new URL('../scripts/check-publishable.ts', import.meta.url));

/** What the check says about a package.json; empty where it passes. */
const check = async (t: ExecutionContext, content: object): Promise<string> => {
	const cwd = await mkdtemp(path.join(tmpdir(), 'processual-publish-'));
	t.teardown(async () => rm(cwd, {recursive: true, force: true}));
	await writeFile(path.join(cwd, 'package.json'), JSON.stringify(content));
	return promisify(execFile)(process.execPath, [script], {cwd}).then(
		() => '',
		(error: {code: number; stderr: string}) => `${error.code}: ${error.stderr}`,
	);
};

const real = {
	repository: {type: 'git', url: 'git+https://forge.example/one/state.git'},
	bugs: 'https://forge.example/one/state/issues',
	homepage: 'https://forge.example/one/state',
};

test('npm runs the check and all long tests before it publishes', t => {
	t.is(manifest.scripts['prepublishOnly'], 'node scripts/check-publishable.ts && npm run test:long -- --all');
});

test('with real addresses it passes', async t => {
	t.is(await check(t, real), '');
});

for (const field of ['repository', 'bugs', 'homepage']) {
	test(`without ${field}, or with its placeholder, it fails and names it`, async t => {
		const message = new RegExp(`^1: package.json has no real ${field}\\. Write`);
		t.regex(await check(t, {...real, [field]: undefined}), message);
		t.regex(await check(t, {...real, [field]: `https://example.invalid/${field}`}), message);
	});
}
