/** Nodes of one database, as the command serves them: inspector, addresses, deletions and idempotency keys. */
import {createServer, request} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {migrateDatabase} from '../../src/commands/migrate.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {startPostgres} from '../helpers/postgres.ts';
import {postCycle, startServer} from '../helpers/server-process.ts';
import {temporaryFolder} from '../journal/records.ts';

const postgres = await startPostgres();
const model = await startFakeModel();
test.after.always(async () => Promise.all([postgres, model].map(async each => each[Symbol.asyncDispose]())));

/** Settings of the nodes of a new database. */
const prepare = async () => {
	const settings = {DATABASE_URL: await postgres.createDatabase(), PEER_TOKEN: 'the-token-of-all-nodes'};
	await migrateDatabase(readSettings(settings, {}));
	return settings;
};

const serve = async (t: ExecutionContext, settings: Record<string, string>): Promise<string> => {
	const server = startServer(await temporaryFolder(t), {...model.settings(), ...settings});
	t.teardown(() => server.stop());
	return server.ready();
};

const listen = async (t: ExecutionContext, server = createServer()) => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	return {server, host: `127.0.0.1:${(server.address() as AddressInfo).port}`};
};

test('the node that has the identity connects to INSPECTOR_URL', async t => {
	const {server, host} = await listen(t);
	const connected = once(server, 'upgrade');
	const url = await serve(t, {...await prepare(), INSPECTOR_URL: `ws://${host}/frames`});
	t.is((await postCycle(url, 'I am here.')).status, 200);
	const [{url: place}, socket] = await connected as [{url: string}, {destroy(): void}];
	t.is(place, '/frames');
	socket.destroy();
});

test('a node with the address of another live node is refused', async t => {
	const settings = await prepare();
	const ADVERTISED_URL = await serve(t, settings);
	const {code, errors} = await startServer(await temporaryFolder(t), {...model.settings(), ...settings, ADVERTISED_URL}).ended;
	t.is(code, 1);
	t.regex(errors, /Another live node has the address http:.*Give each node its own ADVERTISED_URL/);
});

test('a forwarded deletion whose answer is lost between two nodes is answered with 204', async t => {
	const settings = await prepare();
	/** The statuses of deletions that a proxy before the second node drops. */
	const lost: number[] = [];
	let second = '';
	const {host} = await listen(t, createServer((incoming, outgoing) => {
		const {method, url, headers} = incoming;
		incoming.pipe(request(new URL(url!, second), {method, headers}, answer => {
			if (method === 'DELETE') {
				lost.push(answer.statusCode!);
				outgoing.destroy();
			} else {
				answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers));
			}
		}));
	}));
	second = await serve(t, {...settings, ADVERTISED_URL: `http://${host}`});
	const first = await serve(t, settings);
	t.is((await fetch(`${second}/identities/ada`, {method: 'PUT'})).status, 201);
	t.is((await postCycle(`${second}/identities/ada`, 'I am Ada.')).status, 200);
	t.like(await postCycle(`${first}/identities/ada`, 'The second node has me.'), {status: 200, body: {state_id: 2}});

	t.is((await fetch(`${first}/identities/ada`, {method: 'DELETE'})).status, 204);
	t.deepEqual(lost, [204]);
	t.is((await fetch(`${first}/identities/ada`, {method: 'DELETE'})).status, 404);
});

test('an idempotency key repeats its answer, and is refused for another text, in a folder and in a database', async t => {
	const answersOf = async (url: string) => {
		const say = async (content: string) => {
			const response = await fetch(`${url}/cycle`, {
				method: 'POST', body: JSON.stringify({content}), headers: {'content-type': 'application/json', 'idempotency-key': 'message-7'},
			});
			const {state_id: stateId} = await response.json() as {state_id?: number};
			return [response.status, stateId, response.headers.get('idempotency-replayed')];
		};

		return [await say('The sea is quiet.'), await say('The sea is quiet.'), await say('It is rough.')];
	};

	const expected = [[200, 1, null], [200, 1, 'true'], [422, undefined, null]];
	t.deepEqual(await answersOf(await serve(t, {})), expected);
	t.deepEqual(await answersOf(await serve(t, await prepare())), expected);
});
