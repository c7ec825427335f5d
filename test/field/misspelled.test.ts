/** Sources of cycles, and misspelled fields, parameters and settings, at the served command. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {startServer} from '../helpers/server-process.ts';
import {temporaryFolder} from '../journal/records.ts';

const serve = async (t: ExecutionContext, environment: Record<string, string> = {}) => {
	const server = startServer(await temporaryFolder(t), environment);
	t.teardown(() => server.stop());
	const url = await server.ready();
	return {
		server,
		async post(path: string, body: object, headers: Record<string, string> = {}) {
			const response = await fetch(url + path, {
				method: 'POST',
				headers: {'content-type': 'application/json', ...headers},
				body: JSON.stringify(body),
			});
			const {detail} = await response.json() as {detail?: Array<{loc: string[]; msg: string}>};
			return {status: response.status, ignored: response.headers.get('Ignored-Fields'), detail};
		},
		async get(path: string) {
			const response = await fetch(url + path);
			return {status: response.status, ignored: response.headers.get('Ignored-Fields'), text: await response.text()};
		},
		async sources() {
			const {entries} = await (await fetch(`${url}/ledger?by=source`)).json() as {entries: Array<{kind: string; key: string}>};
			return entries.filter(({kind}) => kind === 'texts').map(({key}) => key);
		},
	};
};

test('the ledger has the source of each cycle, at most 200 characters; the source in the metadata wins', async t => {
	const {post, sources} = await serve(t);
	t.like(await post('/cycle', {content: 'The sea is quiet today.', source: 'Ada', conversation: 'tea'}), {status: 200, ignored: null});
	t.like(await post('/cycle', {content: 'The sea is rough.', source: 'Ada', metadata: {source: 'Ben'}}), {status: 200});
	t.like(await post('/cycle', {content: 'The sea is cold.', metadata: {source: 'x'.repeat(60_000)}}), {status: 200});
	t.deepEqual((await sources()).toSorted(), ['Ada', 'Ben', 'x'.repeat(200)]);
});

test('an idempotency key is refused for another source or conversation', async t => {
	const {post} = await serve(t);
	const ask = async (names: object) => post('/cycle', {content: 'The sea is quiet today.', ...names}, {'Idempotency-Key': 'message-7'});
	const statuses = [];
	for (const names of [{source: 'Ada'}, {source: 'Ada'}, {source: 'Ben'}, {source: 'Ada', conversation: 'tea'}]) {
		statuses.push((await ask(names)).status);
	}

	t.deepEqual(statuses, [200, 200, 422, 422]);
});

test('a cycle names a misspelled field in Ignored-Fields; the instruments refuse it with the nearest name', async t => {
	const {post} = await serve(t);
	t.like(await post('/cycle', {content: 'The sea.', sorce: 'Ada', 'metadät\n': {}}), {status: 200, ignored: 'sorce, metad%C3%A4t%0A'});
	for (const [path, body, loc, nearest] of [
		['/dry-run', {content: 'The sea.', sorce: 'Ada'}, ['body', 'sorce'], 'source'],
		['/what-if', {witout: {}}, ['body', 'witout'], 'without'],
		['/what-if', {without: {source: ['Ada']}}, ['body', 'without', 'source'], 'sources'],
		['/validate', {note: 'Who it is.', noet: ''}, ['body', 'noet'], 'note'],
	] as const) {
		t.like(await post(path, body), {
			status: 422,
			detail: [{loc: [...loc], msg: `Extra inputs are not permitted; the nearest is “${nearest}”`}],
		});
	}
});

test('most endpoints refuse a misspelled parameter with the nearest name; /state, /vigilance and /profile ignore and name it', async t => {
	const {get} = await serve(t);
	for (const [path, nearest] of [
		['/history?pionts=4', 'points'],
		['/ledger?sinc=0', 'since'],
		['/drift?sicne=0', 'since'],
		['/diff?form=0', 'from'],
		['/tensor?ta=0', 'at'],
		['/identities?lmit=1', 'limit'],
		['/events?tpyes=state', 'types'],
	] as const) {
		const {status, text} = await get(path);
		t.is(status, 422, path);
		t.regex(text, new RegExp(`the nearest is “${nearest}”`), path);
	}

	for (const path of ['/state?att=0', '/vigilance?att=0', '/profile?att=0']) {
		t.like(await get(path), {status: 200, ignored: 'att'}, path);
	}
});

test('a misspelled setting is named at the start', async t => {
	const {server} = await serve(t, {EMBEDING_MODEL: 'openai:bge-m3'});
	t.regex(server.output, /EMBEDING_MODEL is not a setting and has no effect; the closest setting is EMBEDDING_MODEL/);
});

test('a command names a misspelled setting in its first line', async t => {
	const folder = await temporaryFolder(t);
	const refused = await t.throwsAsync<Error & {stderr: string}>(
		promisify(execFile)(process.execPath, [cli, 'say', 'The sea is quiet.', '--data-dir', folder], {
			cwd: folder, env: {...childEnvironment, PROCESUAL_URL: 'http://127.0.0.1:9'},
		}),
	);
	t.regex(refused.stderr, /^PROCESUAL_URL is not a setting and has no effect; the closest setting is PROCESSUAL_URL\.\n/);
});
