/** Many questions to many identities of a service: few threads, a fair queue, and 429 for the rest. */
import {mkdtemp, rm} from 'node:fs/promises';
import {readdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {startServer} from '../helpers/server-process.ts';

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('300 questions over 15 identities run in two threads; each identity is answered, and the rest get 429', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'field-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	await using service = startServer(folder);
	const url = await service.ready();
	const names = Array.from({length: 15}, (_, i) => `i-${i}`);
	const headers = {'content-type': 'application/json'};
	for (const name of names) {
		const created = await fetch(`${url}/identities/${name}`, {method: 'PUT', headers, body: '{}'});
		const body = '{"content": "The sea is quiet today."}';
		const cycle = await fetch(`${url}/identities/${name}/cycle`, {method: 'POST', headers, body});
		t.deepEqual([created.status, cycle.status], [201, 200]);
	}

	const threads = (): number => readdirSync(`/proc/${service.pid}/task`).length;
	const before = threads();
	let most = before;
	const counting = setInterval(() => {
		most = Math.max(most, threads());
	}, 5);
	t.teardown(() => {
		clearInterval(counting);
	});
	const answers = await Promise.all(Array.from({length: 300}, async (_, i) => {
		const name = names[i % names.length]!;
		const response = await fetch(`${url}/identities/${name}/history`);
		const body = await response.json() as {code?: string; points?: unknown[]};
		return {name, status: response.status, retryAfter: response.headers.get('retry-after'), code: body.code, points: body.points?.length};
	}));
	t.true(most <= before + 2, `${before} threads before, ${most} at most`);
	const refused = answers.filter(({status}) => status !== 200);
	t.deepEqual(new Set(answers.flatMap(({name, points}) => points === 2 ? [name] : [])), new Set(names));
	t.deepEqual(new Set(refused.map(({status, retryAfter, code}) => `${status} ${retryAfter} ${code}`)), new Set(['429 5 busy']));
	t.is((await fetch(`${url}/livez`)).status, 200);
});
