/** FORGET_KEYS: the service seals what it writes, the commands read it, and a missing key is an error. */
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdtemp, readdir, readFile, rename} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {createClient} from '../../src/client/index.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {startServer} from '../helpers/server-process.ts';

const start = async (t: ExecutionContext) => {
	const model = await startFakeModel();
	t.teardown(async () => model[Symbol.asyncDispose]());
	const root = await mkdtemp(path.join(tmpdir(), 'keys-'));
	const [folder, keys] = [path.join(root, 'data'), path.join(root, 'data-keys')];
	return {
		root, folder, keys,
		serve: (FORGET_KEYS: 'true' | 'false') => startServer(folder, {...model.settings(), FORGET_KEYS}),
		async run(settings: Record<string, string>, ...given: string[]): Promise<{code: number; output: string}> {
			const env = {...childEnvironment, ...model.settings(), DATA_DIR: folder, ...settings};
			return promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', cli, ...given], {env}).then(
				({stdout, stderr}) => ({code: 0, output: stdout + stderr}),
				({code, stdout, stderr}: {code: number; stdout: string; stderr: string}) => ({code, output: stdout + stderr}),
			);
		},
	};
};

const bytesIn = async (folder: string): Promise<Buffer> => {
	const files = (await readdir(folder, {recursive: true, withFileTypes: true})).filter(entry => entry.isFile());
	return Buffer.concat(await Promise.all(files.map(async ({parentPath, name}) => readFile(path.join(parentPath, name)))));
};

test('FORGET_KEYS seals texts with keys beside DATA_DIR, which a deletion destroys; turned off, sealed texts stay readable', async t => {
	const {folder, keys, serve, run} = await start(t);
	{
		await using server = serve('true');
		const baseUrl = await server.ready();
		await createClient({baseUrl}).cycle({content: 'Nothing is as quiet as the sea.', source: 'ada'});
		await createClient({baseUrl}).createIdentity('ben');
		await createClient({baseUrl, identity: 'ben'}).cycle({content: 'The bread is still warm.', source: 'Evangeline'});
		t.deepEqual((await readdir(keys)).toSorted(), ['ben.keys', 'default.keys']);
		await createClient({baseUrl}).putAside('ben');
		t.deepEqual(await readdir(keys), ['default.keys']);
		t.is((await server.stop()).code, 0);
	}

	const bytes = await bytesIn(folder);
	for (const said of ['quiet as the sea', 'still warm', 'Evangeline']) {
		t.false(bytes.includes(said), said);
	}

	{
		await using server = serve('false');
		const client = createClient({baseUrl: await server.ready()});
		await client.cycle({content: 'This is said in plain text.', source: 'ada'});
		t.is((await server.stop()).code, 0);
	}

	t.true((await bytesIn(folder)).includes('said in plain text'));
	t.regex((await run({}, 'ledger')).output, /ada/);
});

test('without its keys, the service does not start and the doctor reports an error; both name the file of keys', async t => {
	const {root, keys, serve, run} = await start(t);
	{
		await using server = serve('true');
		await createClient({baseUrl: await server.ready()}).cycle({content: 'The sea is quiet.', source: 'ada'});
		t.is((await server.stop()).code, 0);
	}

	await rename(keys, path.join(root, 'elsewhere'));
	await using server = serve('true');
	await t.throwsAsync(server.ready());
	const {code, errors} = await server.ended;
	t.is(code, 1);
	t.regex(errors, /1 record of the journal cannot be read, from number 1 .*default\.keys does not have the keys/);
	const found = await run({FORGET_KEYS: 'true'}, 'doctor');
	t.regex(found.output, /✗ journal: State 1 of .*default\.keys has no such key/);
	t.regex((await run({FORGET_KEYS: 'true', FORGET_KEYS_DIR: path.join(root, 'elsewhere')}, 'doctor')).output, /! journal: 1 record;/);
});

test('a backup is sealed, and can only be restored with the keys', async t => {
	const {root, keys, serve, run} = await start(t);
	const file = path.join(root, 'monday.sqlite');
	{
		await using server = serve('true');
		await createClient({baseUrl: await server.ready()}).cycle({content: 'Nothing is as quiet as the sea.', source: 'ada'});
		t.like(await run({}, 'backup', file), {code: 0});
		t.is((await server.stop()).code, 0);
	}

	t.false((await readFile(file)).includes('quiet'));
	const again = {DATA_DIR: path.join(root, 'again')};
	const restored = await run(again, 'restore', file);
	t.is(restored.code, 1);
	t.regex(restored.output, /nothing has changed: 1 record cannot be read, because .*again-keys.*does not have the keys/);
	t.false(existsSync(path.join(again.DATA_DIR, 'journal')), 'an unreadable journal is not put in place');
	t.regex((await run({...again, FORGET_KEYS_DIR: keys}, 'restore', file)).output, /with 1 record, each verified/);
	t.regex((await run({...again, FORGET_KEYS_DIR: keys}, 'ledger')).output, /ada/);
});
