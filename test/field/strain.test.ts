/** A served command under strain: a full or unreadable disk, a kill, a question that takes too long. */
import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {faultTest} from '../fault-injection/fault-test.ts';
import {environmentOf, readOperations} from '../fault-injection/shim.ts';
import {postCycle, startServer} from '../helpers/server-process.ts';
import {temporaryFolder} from '../journal/records.ts';

const create = async (url: string, name: string): Promise<{status: number; text: string}> => {
	const response = await fetch(`${url}/identities/${name}`, {method: 'PUT'});
	return {status: response.status, text: await response.text()};
};

const stateOf = async (url: string, name: string): Promise<number> => {
	const response = await fetch(`${url}/identities/${name}/state`);
	await response.arrayBuffer();
	return response.status;
};

const listed = async (url: string): Promise<string[]> => {
	const {identities} = await (await fetch(`${url}/identities?limit=1000`)).json() as {identities: Array<{id: string}>};
	return identities.map(({id}) => id);
};

faultTest('an identity that does not fit on a full disk is not listed, and is created once there is room', async t => {
	await using model = await startFakeModel();
	const place = await temporaryFolder(t);
	const under = path.join(place, 'data');
	const control = path.join(place, 'control');
	await mkdir(under);
	await writeFile(control, '0');
	const full = environmentOf({under, control, rules: [{operations: ['write'], fault: 'ENOSPC', when: 1}]});
	await using server = startServer(under, {...model.settings(), ...full});
	const url = await server.ready();
	t.is((await create(url, 'ada')).status, 201);

	await writeFile(control, '1', {flag: 'r+'});
	const refused = await create(url, 'ben');
	t.is(refused.status, 503);
	t.regex(refused.text, /disk is full|no space left/);
	t.deepEqual(await listed(url), ['ada', 'default']);

	await writeFile(control, '0', {flag: 'r+'});
	t.is((await create(url, 'ben')).status, 201);
	t.deepEqual(await listed(url), ['ada', 'ben', 'default']);
	t.is(await stateOf(url, 'ben'), 200);
});

faultTest('after a kill at any of four points of a creation, each listed identity answers', async t => {
	await using model = await startFakeModel();
	const place = await temporaryFolder(t);
	const killed = async (name: string, kill?: {at: number; how: 'before'}) => {
		const under = path.join(place, name);
		const log = path.join(place, `${name}.log`);
		await mkdir(under);
		const server = startServer(under, {...model.settings(), ...environmentOf({under, log, ...(kill && {kill})})});
		const url = await server.ready();
		const before = (await readOperations(log)).length;
		await create(url, 'ada').catch(() => null);
		const after = (await readOperations(log)).length;
		await server.kill();
		return {under, before, after};
	};

	const {before, after} = await killed('whole');
	t.true(after > before);
	for (const part of [0.2, 0.4, 0.6, 0.8]) {
		const {under} = await killed(`part-${part}`, {at: before + Math.round(part * (after - before)), how: 'before'});
		await using restarted = startServer(under, model.settings());
		const url = await restarted.ready();
		for (const name of await listed(url)) {
			t.is(await stateOf(url, name), 200, `${name} after ${part} of its creation`);
		}

		t.true([201, 409].includes((await create(url, 'ada')).status));
	}
});

faultTest('a durable cycle is answered even if reads of the log then fail', async t => {
	await using model = await startFakeModel();
	const place = await temporaryFolder(t);
	const under = path.join(place, 'data');
	const [control, log] = [path.join(place, 'control'), path.join(place, 'log')];
	await mkdir(under);
	await writeFile(control, '0');
	const unreadable = environmentOf({under, control, log, rules: [{operations: ['read'], file: '-wal', fault: 'EIO', when: 1}]});
	await using server = startServer(under, {...model.settings(), ...unreadable});
	const url = await server.ready();
	t.like(await postCycle(url, 'The sea is quiet.'), {status: 200, body: {state_id: 1}});

	await writeFile(control, '1', {flag: 'r+'});
	t.like(await postCycle(url, 'The sea is rough.'), {status: 200, body: {state_id: 2}});
	t.true((await readOperations(log)).some(({operation, outcome}) => operation === 'read' && outcome === 'EIO'));

	await writeFile(control, '0', {flag: 'r+'});
	t.like(await postCycle(url, 'The sea is cold.'), {status: 200, body: {state_id: 3}});
});

test('a question that takes longer than QUESTION_SECONDS is answered with a 503 that names the setting', async t => {
	await using model = await startFakeModel();
	await using server = startServer(await temporaryFolder(t), {...model.settings(), QUESTION_SECONDS: '0.001'});
	const url = await server.ready();
	const response = await fetch(`${url}/history`);
	t.is(response.status, 503);
	t.regex(await response.text(), /took more than 0\.001 seconds\. Ask about a shorter stretch .*QUESTION_SECONDS higher/);
	t.is((await fetch(`${url}/state`)).status, 200);
});
