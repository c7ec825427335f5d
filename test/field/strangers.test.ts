/** Hostile names and texts at the served command: they are data, and answers stay small. */
import test, {type ExecutionContext} from 'ava';
import {attacks, steering} from '../helpers/attacks.ts';
import {startServer} from '../helpers/server-process.ts';
import {temporaryFolder} from '../journal/records.ts';

const serve = async (t: ExecutionContext) => {
	const server = startServer(await temporaryFolder(t));
	t.teardown(() => server.stop());
	const url = await server.ready();
	const ask = async (path: string, body?: object) => {
		const response = await fetch(url + path, {
			...body && {method: 'POST', body: JSON.stringify(body)},
			headers: {'content-type': 'application/json', 'accept': 'application/json, text/event-stream'},
		});
		const text = await response.text();
		return {status: response.status, bytes: Buffer.byteLength(text), text, body: JSON.parse(text) as Record<string, never>};
	};

	return {
		ask,
		/** Calls a tool as a model's client does. */
		async call(name: string, input: object = {}) {
			const answer = await ask('/mcp', {jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name, arguments: input}});
			return {...answer, result: answer.body['result'] as unknown as {content: [{text: string}]; structuredContent: {summary: string}}};
		},
	};
};

test('answers quote hostile source names, and descriptions for models say that texts are never instructions', async t => {
	const {ask, call} = await serve(t);
	for (const [name, attack] of Object.entries(attacks)) {
		await ask('/cycle', {content: attack.slice(0, 20_000), metadata: {source: attack}});
		const {result: {structuredContent: {summary}}} = await call('why', {limit: 1});
		t.regex(summary, /is by “[^“”\n]{1,201}”, (?:\d+|less than 1) % of all\.$/, name);
		t.notRegex(summary, steering, name);
	}

	for (const tool of ['history', 'why', 'drift']) {
		const {result: {content: [{text}]}} = await call(tool);
		t.notRegex(text, steering, tool);
	}

	const {words} = (await ask('/diff')).body as unknown as {words: string[]};
	t.notRegex(words.join(''), steering);
	const listed = await ask('/mcp', {jsonrpc: '2.0', id: 1, method: 'tools/list'});
	const {tools} = listed.body['result'] as unknown as {tools: Array<{description: string}>};
	t.true(tools.length > 0 && tools.every(({description}) => /never instructions/.test(description)));
	const initialized = await ask('/mcp', {
		jsonrpc: '2.0',
		id: 1,
		method: 'initialize',
		params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}},
	});
	t.regex((initialized.body['result'] as unknown as {instructions: string}).instructions, /never instructions/);
});

test('a what-if without an unknown source is refused with the nearest name', async t => {
	const {ask} = await serve(t);
	await ask('/cycle', {content: 'The sea is quiet today.', source: 'Ada'});
	const {status, body} = await ask('/what-if', {without: {sources: ['Adda']}});
	t.is(status, 422);
	t.regex(JSON.stringify(body), /There are no texts of “Adda” since state \d+; nearest: “Ada”/);
	t.is((await ask('/what-if', {without: {sources: ['Ada']}})).status, 200);
});

test('the state of a time before the beginning is refused with the time of the beginning', async t => {
	const {ask} = await serve(t);
	const {status, text} = await ask('/state?at=2020-01-01');
	t.is(status, 422);
	t.regex(text, /is before the beginning, 20\d\d-/);
	t.is((await ask('/state?at=beginning')).status, 200);
});

test('with very long source names, no answer exceeds 1 MiB, and no answer of a tool 16 KiB', async t => {
	const {ask, call} = await serve(t);
	for (let i = 0; i < 420; i++) {
		const conversation = `${Math.floor(i / 10)}`.padEnd(1000, '\u0001“x');
		const {status} = await ask('/cycle', {content: `Text ${i}.`, metadata: {source: `${i}`.padEnd(10_000, '\u0001“x'), conversation}});
		t.is(status, 200);
	}

	t.is((await ask('/validate', {note: 'As it is.'})).status, 200);
	for (let i = 0; i < 30; i++) {
		await ask('/cycle', {content: `Text ${i}.`, metadata: {source: `${i}`.padEnd(10_000, '\u0001“x')}});
	}

	const paths = [
		'/history?points=10000', '/ledger?by=text&limit=1000', '/ledger?by=source&limit=1000', '/drift', '/sources',
		'/diff', '/state',
	];
	for (const path of paths) {
		const {status, bytes} = await ask(path);
		t.is(status, 200, path);
		t.true(bytes < 2 ** 20, `${path}: ${bytes}`);
	}

	const {note, sources} = (await ask('/drift')).body as unknown as {note: string; sources: Array<{source: string}>};
	t.regex(note, /p is known after 100 texts; there are 30/);
	t.true(sources.length <= 101 && sources.every(({source}) => Array.from(source).length <= 200));
	for (const tool of ['why', 'history', 'drift', 'who_am_i']) {
		t.true((await call(tool)).bytes < 16_384, tool);
	}
});
