/** The served command with journals of other versions, compaction, other models, repeated requests and MCP clients. */
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {postCycle, startServer} from '../helpers/server-process.ts';
import {temporaryFolder} from '../journal/records.ts';

const serve = async (t: ExecutionContext, folder: string) => {
	const server = startServer(folder);
	t.teardown(() => server.stop());
	const url = await server.ready();
	const post = async (place: string, body: object, headers: Record<string, string> = {}) =>
		fetch(url + place, {
			method: 'POST',
			headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers},
			body: JSON.stringify(body),
		});
	return {url, post, stop: server.stop};
};

const run = async (...words: string[]): Promise<{code: number; output: string}> => new Promise(resolve => {
	execFile(process.execPath, [cli, ...words], {env: childEnvironment}, (error, stdout, stderr) => {
		resolve({code: Number(error?.code ?? 0), output: stdout + stderr});
	});
});

/** Changes the journal below a folder while no service runs. */
const edit = async (folder: string, sql: string): Promise<void> => {
	const names = await readdir(folder, {recursive: true});
	using database = new DatabaseSync(path.join(folder, names.find(name => name.endsWith('journal.sqlite'))!));
	database.exec(sql);
};

test('a journal with format number 1 opens, and one with older tables is refused with the way to move its state', async t => {
	const folder = await temporaryFolder(t);
	const first = await serve(t, folder);
	t.like(await postCycle(first.url, 'The sea is quiet today.'), {status: 200, body: {state_id: 1}});
	await first.stop();
	await edit(folder, 'pragma user_version = 1');
	const second = await serve(t, folder);
	t.like(await postCycle(second.url, 'The sea is rough today.'), {status: 200, body: {state_id: 2}});
	await second.stop();

	await edit(folder, 'drop table validation; alter table head drop column validation; pragma user_version = 2');
	const {code, errors} = await startServer(folder).ended;
	t.is(code, 1);
	t.regex(errors, /has format 2, made by an older version .*processual export FILE.*processual import state FILE/);
	t.notRegex(errors, /newer/);
});

/** The processor time of a process, in hundredths of a second. */
const ticksOf = async (pid: number): Promise<number> => {
	const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)!.split(' ');
	return Number(fields[11]) + Number(fields[12]);
};

/** Waits until a process takes no processor time for 200 ms. @returns false if it never does */
const comesToRest = async (pid: number): Promise<boolean> => {
	for (let tries = 0; tries < 50; tries++) {
		const before = await ticksOf(pid);
		await setTimeout(200);
		if (await ticksOf(pid) === before) {
			return true;
		}
	}

	return false;
};

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a journal that another program has vacuumed is compacted, and then the service is idle', async t => {
	await using model = await startFakeModel();
	const folder = await temporaryFolder(t);
	await using first = startServer(folder, model.settings());
	const url = await first.ready();
	await Promise.all(Array.from({length: 400}, async (_, i) => postCycle(url, `Text ${i}.`)));
	await first.stop();
	await edit(folder, 'pragma auto_vacuum = none; vacuum');

	await using second = startServer(folder, {...model.settings(), JOURNAL_KEEP_RECORDS: '0'});
	await second.ready();
	t.true(await comesToRest(second.pid));
	await second.stop();
	using journal = new DatabaseSync(path.join(folder, 'journal/journal.sqlite'), {readOnly: true});
	t.deepEqual({...journal.prepare('select count(*) as records, min(kind) as kind from records').get()}, {records: 4, kind: 'snapshot'});
});

onLinux('a journal without compaction can be revised from its first text on; once compacted, it refuses', async t => {
	await using model = await startFakeModel();
	const folder = await temporaryFolder(t);
	await using whole = startServer(folder, {...model.settings(), JOURNAL_KEEP_RECORDS: 'all'});
	const post = async (url: string, place: string, body: object) => {
		const answer = await fetch(url + place, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)});
		return {status: answer.status, body: await answer.json() as Record<string, unknown>};
	};

	const url = await whole.ready();
	await post(url, '/cycle', {content: 'Trust nobody.', source: 'Viktor'});
	await Promise.all(Array.from({length: 399}, async (_, i) => postCycle(url, `Text ${i}.`)));
	t.true(await comesToRest(whole.pid));
	const request = {without: {sources: ['Viktor']}, note: 'Not his.', dry_run: true};
	t.like(await post(url, '/revise', request), {status: 200, body: {texts: 399, excluded: 1, limit: null}});
	await whole.stop();

	await using short = startServer(folder, {...model.settings(), JOURNAL_KEEP_RECORDS: '0'});
	const later = await short.ready();
	t.true(await comesToRest(short.pid));
	const refused = await post(later, '/revise', request);
	t.is(refused.status, 422);
	t.regex(JSON.stringify(refused.body), /no texts of “Viktor”.*Records up to state 400 of .+ are compacted/);
});

test('import and begin refuse a state of another embedding model, and begin creates no journal', async t => {
	const folder = await temporaryFolder(t);
	const file = path.join(folder, 'state.jsonl');
	const vector = Array.from({length: 1024}, (_, i) => Math.sin(i));
	await writeFile(file, JSON.stringify({state_id: 7, timestamp: '2026-03-01T10:00:00Z', model: 'owner/other', vector}));
	const place = ['--data-dir', path.join(folder, 'data')];
	const wrong = await run('import', 'state', file, ...place);
	t.is(wrong.code, 1);
	t.regex(wrong.output, /state of the embedding model “owner\/other”, but the identity's is “bundled:.*EMBEDDING_MODEL to “owner\/other”/);

	// With its own model it is imported.
	t.like(await run('import', 'state', file, ...place, '--embedding-model', 'owner/other'), {code: 0});
	const begun = await run('begin', ...place);
	t.is(begun.code, 1);
	t.regex(begun.output, /state of the embedding model “owner\/other”, but the identity's is “bundled:/);
	t.false(existsSync(path.join(folder, 'data', 'journal')));
});

test('a repeated cycle is recognised in any order of its metadata’s keys', async t => {
	const {post} = await serve(t, await temporaryFolder(t));
	const say = async (metadata: object) => post('/cycle', {content: 'The sea is quiet today.', metadata}, {'Idempotency-Key': 'message-7'});
	t.is((await say({page: 3, where: {line: 1, word: 2}})).headers.get('Idempotency-Replayed'), null);
	const again = await say({where: {word: 2, line: 1}, page: 3});
	t.is(again.status, 200);
	t.is(again.headers.get('Idempotency-Replayed'), 'true');
	t.is((await say({page: 4, where: {line: 1, word: 2}})).status, 422);
});

test('/mcp refuses pages of other origins, and answers wrong parameters with −32602 and a sentence', async t => {
	const {url, post} = await serve(t, await temporaryFolder(t));
	const call = async (params: object, headers: Record<string, string> = {}) =>
		post('/mcp', {jsonrpc: '2.0', id: 1, method: 'tools/call', params}, headers);
	t.is((await call({name: 'who_am_i'}, {origin: 'https://elsewhere.example'})).status, 403);
	t.is((await call({name: 'who_am_i'}, {origin: url})).status, 200);
	t.is((await post('/reset', {}, {origin: 'https://elsewhere.example'})).status, 200, 'the interface stays open');

	const {error} = await (await call({arguments: 'x'})).json() as {error: {code: number; message: string}};
	t.is(error.code, -32_602);
	t.regex(error.message, /^The parameters of tools\/call are wrong: [^{[]*name is missing[^{[]*\.$/);
});
