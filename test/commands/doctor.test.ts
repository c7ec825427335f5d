/** The doctor checks every part, and says how to solve each problem. */
import {spawn} from 'node:child_process';
import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises';
import {createServer, type AddressInfo} from 'node:net';
import {once} from 'node:events';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {text as readText} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import {readSettings} from '../../src/commands/read-settings.ts';
import {settingOf} from '../../src/commands/name-settings.ts';
import {diagnose, type Finding} from '../../src/commands/doctor/diagnose.ts';
import {setOptionNames} from '../../src/platform/option-names.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {openSqliteStore} from '../../src/sources/store/sqlite/store.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {fails, says, startModelServer} from '../language/model-server.ts';
import {postCycle, startServer} from '../helpers/server-process.ts';

const folderOf = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'doctor-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	return folder;
};

// As the command does at its start.
setOptionNames(settingOf);

const findingsByDefault = async (folder: string, settings: Record<string, string> = {}): Promise<Record<Finding['part'], Finding>> => {
	const found: Partial<Record<Finding['part'], Finding>> = {};
	for await (const finding of diagnose(readSettings({DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', ...settings}, {}, false))) {
		found[finding.part] = finding;
	}

	return found as Record<Finding['part'], Finding>;
};

const model = await startFakeModel();
test.after.always(async () => model[Symbol.asyncDispose]());

/** With a fake model that is ready at once, for tests that are not about the model. */
const findings: typeof findingsByDefault = async (folder, settings = {}) => findingsByDefault(folder, {...model.settings(), ...settings});

test('in a new folder, a missing store and language model are warnings, and nothing is created', async t => {
	const folder = await folderOf(t);
	const found = await findingsByDefault(folder);
	t.deepEqual(Object.keys(found), ['model', 'journal', 'store', 'reference', 'directions', 'language model', 'port']);
	t.deepEqual(Object.values(found).map(({state}) => state), ['ok', 'ok', 'warning', 'ok', 'ok', 'warning', 'ok']);
	t.regex(found.store.message, /random state\. Import one with “processual import state FILE”/);
	t.regex(found['language model'].message, /503\. Set ANTHROPIC_API_KEY/);
	t.deepEqual(await readdir(folder), []);
});

test('with REQUIRE_STORE, a store without a state is an error', async t => {
	t.like((await findings(await folderOf(t), {REQUIRE_STORE: 'true'})).store, {state: 'error'});
});

test('a store is reported with the id of its state', async t => {
	const folder = await folderOf(t);
	const store = openSqliteStore(path.join(folder, 'store.sqlite'));
	await store.write({states: [{stateId: 41, timestamp: '2026-01-01T00:00:00.000Z', model: null, vector: vectorOf('base')}]});
	await store.close();
	const found = await findings(folder);
	t.is(found.store.state, 'ok');
	t.regex(found.store.message, /state 41/);
});

test('an invalid address is an error of its part, and the other parts are still checked', async t => {
	const found = await findings(await folderOf(t), {WEAVIATE_URL: 'nonsense'});
	t.is(found.store.state, 'error');
	t.regex(found.store.message, /WEAVIATE_URL must be/);
	t.is(found.port.state, 'ok');
});

test('the store needs no state if there is a journal', async t => {
	const folder = await folderOf(t);
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: path.join(folder, 'journal')})});
	await identity.dispose();
	t.is((await findings(folder, {REQUIRE_STORE: 'true'})).store.state, 'ok');
});

test('a journal without a genesis, as a refused start leaves it, counts as missing', async t => {
	const folder = await folderOf(t);
	const journal = createSqliteJournal({folder: path.join(folder, 'journal')});
	await journal.open();
	await journal.close();
	const found = await findings(folder, {REQUIRE_STORE: 'true'});
	t.like(found.journal, {state: 'ok', message: 'there is none yet; the next start creates one'});
	t.is(found.store.state, 'error');
});

test('a missing model is reported, and not downloaded', async t => {
	const folder = await folderOf(t);
	const found = await findings(folder, {EMBEDDING_MODEL: 'nobody/nothing', EMBEDDING_BASE_URL: 'http://127.0.0.1:9'});
	t.is(found.model.state, 'warning');
	t.regex(found.model.message, /^(?!.*EMBEDDING_OFFLINE=false).*lacks config\.json.*the next start downloads the missing files/);
	t.is((await findings(folder, {EMBEDDING_MODEL: 'nobody/nothing', EMBEDDING_OFFLINE: 'true'})).model.state, 'error');
	t.deepEqual(await readdir(folder), []);
});

const examples = (word: string) => ['a', 'b', 'c', 'd'].map(letter => `${letter} ${word}`);

test('a custom catalogue is read, and its vectors are left to the service', async t => {
	const [folder, own] = [await folderOf(t), await folderOf(t)];
	const file = path.join(own, 'catalogue.json');
	await writeFile(file, JSON.stringify({directions: [{
		category: 'affective',
		name: 'calm',
		pole_positive: 'calm',
		pole_negative: 'wild',
		positive: examples('calm'),
		negative: examples('wild'),
	}]}));
	const found = await findings(folder, {DIRECTIONS: 'file', DIRECTIONS_FILE: file});
	t.like(found.directions, {state: 'ok', message: 'the catalogue can be read; the next start computes its vectors'});
	t.deepEqual(await readdir(folder), []);
});

test('the authority file is checked if there is one', async t => {
	const folder = await folderOf(t);
	const file = path.join(folder, 'authority.json');
	await writeFile(file, '{"articles": [{"text": "Do no harm."}]}');
	t.like((await findings(folder, {AUTHORITY_FILE: file})).authority, {state: 'ok', message: '1 articles, 0 anchors'});
});

test('each missing file that a setting names is an error of its part', async t => {
	const found = await findings(await folderOf(t), {
		PROFILE_FILE: 'no-profile.json',
		MESSAGES_FILE: 'no-messages.sqlite',
		DIRECTIONS: 'built-in',
		DIRECTIONS_FILE: 'no-directions.json',
		AUTHORITY_FILE: 'no-authority.json',
	});
	t.deepEqual([found.reference.state, found.directions.state, found.authority.state], ['error', 'error', 'error']);
	t.regex(
		found.reference.message,
		/MESSAGES_FILE is the file .*no-messages\.sqlite, which does not exist\. Correct MESSAGES_FILE, or unset it\. PROFILE_FILE is/,
	);
	t.regex(found.directions.message, /^DIRECTIONS_FILE is/);
	t.regex(found.authority.message, /^AUTHORITY_FILE is/);
});

const underProc = process.platform === 'linux' ? test : test.skip;
underProc('a folder that cannot be created is an error of the journal, and not of the store', async t => {
	const found = await findings('/proc/nothing/of/ours');
	t.is(found.journal.state, 'error');
	t.regex(found.journal.message, /^\/proc\/nothing\/of\/ours cannot be written \(ENOENT.*Set DATA_DIR/);
	t.regex(found.store.message, /has no state, so a new journal begins with/);
});

underProc('a folder of keys that cannot be created is an error of the journal, because a start would fail', async t => {
	const found = await findings(await folderOf(t), {FORGET_KEYS: 'true', FORGET_KEYS_DIR: '/proc/nothing/of/ours'});
	t.is(found.journal.state, 'error');
	t.regex(found.journal.message, /^\/proc\/nothing\/of\/ours cannot be written \(ENOENT.*Set FORGET_KEYS_DIR/);
});

test('a file in the place of the folder is an error, and is kept', async t => {
	const folder = await folderOf(t);
	await writeFile(path.join(folder, 'data'), 'a file');
	const found = await findings(path.join(folder, 'data'));
	t.is(found.journal.state, 'error');
	t.deepEqual(await readdir(folder), ['data']);
});

test('a folder that can be created is ok, and is not left behind', async t => {
	const folder = await folderOf(t);
	t.is((await findings(path.join(folder, 'one', 'two'))).journal.state, 'ok');
	t.deepEqual(await readdir(folder), []);
});

test('the check of a journal leaves no file of the doctor behind', async t => {
	const folder = await folderOf(t);
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: path.join(folder, 'journal')})});
	await identity.dispose();
	const isOurs = (name: string) => name.includes('doctor');
	t.is((await findings(folder)).journal.state, 'error', 'it is of another model');
	t.deepEqual((await readdir(folder, {recursive: true})).filter(isOurs), []);
});

test('without transformers.js, a model that needs it is an error, and the doctor says to install it', async t => {
	const folder = await folderOf(t);
	const doctor = spawn(process.execPath, [
		`--import=${new URL('../embedding/without-transformers.ts', import.meta.url).href}`,
		cli, 'doctor', '--data-dir', folder, '--port', '0', '--embedding-model', 'nobody/nothing',
	], {cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], env: childEnvironment});
	t.teardown(() => doctor.kill());
	const [line] = (await readText(doctor.stdout)).split('\n');
	t.regex(line!, /^✗ model: .*transformers\.js is not installed\. Run npm i/);
	t.notRegex(line!, /EMBEDDING_OFFLINE|the next start downloads/);
});

test('a damaged store, profile or catalogue is an error', async t => {
	const folder = await folderOf(t);
	await writeFile(path.join(folder, 'store.sqlite'), 'no database at all, and long enough to be looked at as one '.repeat(40));
	await writeFile(path.join(folder, 'profile.json'), '{"affective": {"calm": 12}}');
	await writeFile(path.join(folder, 'directions.json'), '[]');
	const found = await findings(folder, {
		PROFILE_FILE: path.join(folder, 'profile.json'),
		DIRECTIONS: 'file',
		DIRECTIONS_FILE: path.join(folder, 'directions.json'),
	});
	t.is(found.store.state, 'error');
	t.like(found.reference, {state: 'error'});
	t.regex(found.reference.message, /affective\.calm: 12 is not between -10 and 10/);
	t.is(found.directions.state, 'error');
});

test('the journal of a running service is not checked, and a journal of another model is an error', async t => {
	const folder = await folderOf(t);
	const server = startServer(folder, model.settings());
	t.teardown(async () => server.kill());
	const url = await server.ready();
	await postCycle(url, 'hello');
	const {port} = new URL(url);
	const running = await findings(folder, {PORT: port});
	t.like(running.journal, {state: 'ok', message: 'a running service has it open, so it was not checked'});
	t.like(running.port, {state: 'ok', message: `the service answers on ${port}`});
	await server.stop();
	t.like((await findings(folder)).journal, {
		state: 'warning',
		message: '1 record; the state has id 1; not validated. This identity began with a random state. To begin as somebody, '
			+ 'run “processual import state FILE”, then “processual begin --again”.',
	});
	t.is((await findings(folder, {REQUIRE_STORE: 'true'})).journal.state, 'error');
	const other = await findings(folder, {EMBEDDING_PREFIX: 'query: '});
	t.is(other.journal.state, 'error');
	t.regex(other.journal.message, /begun with prefix/);
});

test('the service at PROCESSUAL_URL is checked, with PROCESSUAL_TOKEN', async t => {
	const server = startServer(await folderOf(t), {...model.settings(), AUTH_TOKEN: 'a-secret-of-the-service'});
	t.teardown(async () => server.kill());
	const url = await server.ready();
	const serviceWith = async (settings: Record<string, string>) =>
		(await findings(await folderOf(t), {PROCESSUAL_URL: url, ...settings})).service;
	t.regex((await serviceWith({PROCESSUAL_TOKEN: 'a-secret-of-the-service'})).message, /answers; the state has id 0\./);
	t.like(await serviceWith({}), {state: 'error', message: `The service at ${url} requires a token: set PROCESSUAL_TOKEN.`});
	await server.stop();
	const away = await serviceWith({PROCESSUAL_TOKEN: 'a-secret-of-the-service'});
	t.is(away.state, 'error');
	t.regex(away.message, /cannot be reached/);
});

test('a port in use by another program is an error', async t => {
	// The doctor may reset the connection.
	const server = createServer(socket => socket.on('error', () => {}).end('hello')).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	const {port} = server.address() as AddressInfo;
	const found = await findings(await folderOf(t), {PORT: `${port}`});
	t.is(found.port.state, 'error');
	t.regex(found.port.message, /is in use/);
});

test('the language model is tested with a request', async t => {
	const folder = await folderOf(t);
	const working = await startModelServer(says('I am calm.'));
	const failing = await startModelServer(fails(401, 'unknown key', {}));
	t.teardown(async () => Promise.all([working.close(), failing.close()]));
	t.like((await findings(folder, {LLM_BASE_URL: working.url, LLM_MODEL: 'small'}))['language model'], {state: 'ok'});
	const found = (await findings(folder, {LLM_BASE_URL: failing.url, LLM_MODEL: 'small', LLM_API_KEY: 'wrong'}))['language model'];
	t.is(found.state, 'error');
	t.regex(found.message, /LLM_API_KEY/);
	t.like((await findings(folder, {TRANSLATOR: 'template'}))['language model'], {state: 'ok'});
});
