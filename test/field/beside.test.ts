/** Commands on a folder that a service has open: they ask the service, and print what HTTP answers. */
import {execFile} from 'node:child_process';
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import ava, {type ExecutionContext} from 'ava';
import {loadBuiltInDirections} from '../../src/actors/packaged.ts';
import {bundledModel} from '../../src/embedding/use-lite/identifier.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {talk} from '../helpers/ordinary-talk.ts';
import {startServer} from '../helpers/server-process.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

/** Serial, since each test starts processes. */
const test = ava.serial;

const emptyFolder = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'beside-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	return folder;
};

/** A folder whose identity has enough texts for a validation. */
const folderWithTalk = async (t: ExecutionContext): Promise<string> => {
	const folder = await emptyFolder(t);
	const passport = {model: bundledModel, width: 512, pooling: 'none', prefix: '', dtype: 'q8'};
	const encoder = Object.assign(new FakeEncoder(), {passport});
	const journal = createSqliteJournal({folder: path.join(folder, 'journal')});
	const {identity} = await startIdentity({encoder, directions: loadBuiltInDirections, journal});
	await talk(identity);
	await identity.dispose();
	return folder;
};

const execute = promisify(execFile);

/** What the command prints. @throws if it fails; the error has `stderr` */
const run = async (folder: string, words: readonly string[], environment: Record<string, string> = {}): Promise<string> => {
	const env = {...childEnvironment, DATA_DIR: folder, NODE_OPTIONS: '--disable-warning=ExperimentalWarning', ...environment};
	return (await execute(process.execPath, [cli, ...words], {cwd: folder, env, maxBuffer: 2 ** 24})).stdout;
};

const json = async (...given: Parameters<typeof run>): Promise<unknown> => JSON.parse(await run(...given)) as unknown;

const get = async (url: string, headers: Record<string, string> = {}): Promise<unknown> => (await fetch(url, {headers})).json();

const post = async (url: string, body: object): Promise<unknown> =>
	(await fetch(url, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)})).json();

type Tensor = {dimensions: Record<string, number[]>};

/** The same bits, however many digits a number was written with. */
const rowsOf = ({dimensions}: Tensor): Float32Array[] => Object.values(dimensions).map(row => Float32Array.from(row));

test('commands beside a service validate its identity, and print what HTTP answers to the same questions', async t => {
	const folder = await folderWithTalk(t);
	await using service = startServer(folder);
	const url = await service.ready();
	const {id, state_id} = await json(folder, ['validate', 'As it is.', '--json']) as {id: string; state_id: number};
	t.is(state_id, 400);
	const drift = await get(`${url}/drift`) as {sentence: string; validation: {id: string}};
	t.is(drift.validation.id, id);
	t.deepEqual(await json(folder, ['drift', '--json']), drift);
	t.deepEqual(await json(folder, ['sources', '--json']), await get(`${url}/sources`));
	t.deepEqual(await json(folder, ['profile', '--json']), await get(`${url}/profile/scaled`));
	t.deepEqual(await json(folder, ['ledger', '--json']), await get(`${url}/ledger?by=source&lens=thirdness`));
	t.deepEqual(await json(folder, ['history', '--points', '5', '--json']), await get(`${url}/history?points=5`));
	t.deepEqual(await json(folder, ['diff', '--from', '100', '--json']), await get(`${url}/diff?from=100`));
	const whatIf = await post(`${url}/what-if`, {without: {sources: ['ada']}});
	t.deepEqual(await json(folder, ['what-if', '--without-source', 'ada', '--json']), whatIf);
	const {processing_time_ms: _, ...served} = await post(`${url}/dry-run`, {content: 'The sea is quiet.'}) as Record<string, unknown>;
	t.like(await json(folder, ['dry-run', 'The sea is quiet.', '--json']), served);
	const exported = await json(folder, ['export']) as Tensor & {model: string};
	deepEqual(t, rowsOf(exported), rowsOf(await get(`${url}/tensor`) as Tensor));
	t.is(exported.model, bundledModel);
	t.true((await run(folder, ['drift'])).startsWith(drift.sentence));
});

test('after a kill of the service, commands on its folder print what the service answered', async t => {
	const folder = await folderWithTalk(t);
	const service = startServer(folder);
	const url = await service.ready();
	const served = [await get(`${url}/drift`), await get(`${url}/history?points=5`)];
	await service.kill();
	t.deepEqual([await json(folder, ['drift', '--json']), await json(folder, ['history', '--points', '5', '--json'])], served);
	t.like(await json(folder, ['validate', 'As it is.', '--json']), {state_id: 400});
});

test('a command without the service’s token names AUTH_TOKEN, and no file contains the token', async t => {
	const folder = await emptyFolder(t);
	const token = 'a-token-of-this-test';
	await using service = startServer(folder, {AUTH_TOKEN: token});
	const url = await service.ready();
	const refused = await t.throwsAsync(run(folder, ['history']), {any: true}) as Error & {stderr: string};
	t.regex(refused.stderr, /requires a token: set AUTH_TOKEN\.\n$/);
	const served = await get(`${url}/history?points=20`, {authorization: `Bearer ${token}`});
	t.deepEqual(await json(folder, ['history', '--json'], {AUTH_TOKEN: token}), served);
	for (const entry of await readdir(folder, {recursive: true, withFileTypes: true})) {
		t.false(entry.isFile() && (await readFile(path.join(entry.parentPath, entry.name))).includes(token), entry.name);
	}

	const elsewhere = await emptyFolder(t);
	t.deepEqual(await json(elsewhere, ['history', '--json'], {PROCESSUAL_URL: url, PROCESSUAL_TOKEN: token}), served);
	const unasked = await t.throwsAsync(run(elsewhere, ['export'], {PROCESSUAL_URL: url}), {any: true}) as Error & {stderr: string};
	t.regex(unasked.stderr, /PROCESSUAL_URL is the address of a service elsewhere/);
});

test('a command asks for an identity by its name, even one that the service has closed', async t => {
	const folder = await emptyFolder(t);
	await using service = startServer(folder, {IDLE_SECONDS: '0.01'});
	const url = await service.ready();
	await fetch(`${url}/identities/ada`, {method: 'PUT', headers: {'content-type': 'application/json'}, body: '{}'});
	await post(`${url}/identities/ada/cycle`, {content: 'The sea is quiet.'});
	const served = await get(`${url}/identities/ada/history?points=20`);
	t.deepEqual(await json(folder, ['history', '--identity', 'ada', '--json']), served);
	const refused = await t.throwsAsync(run(folder, ['history', '--identity', 'nobody']), {any: true}) as Error & {stderr: string};
	t.regex(refused.stderr, /There is no identity “nobody”/);
});
