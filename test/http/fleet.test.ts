/** `GET /fleet` over HTTP, and the client's method. */
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {createClient} from '../../src/client/index.ts';
import {hostIn} from '../host/host-in.ts';
import {temporaryFolder} from '../journal/records.ts';
import {serve} from './service.ts';

const serveFleet = async (t: ExecutionContext, keepsRows = true) => {
	const folder = await temporaryFolder(t);
	const {host} = hostIn(t, folder, keepsRows ? {fleetFile: path.join(folder, 'fleet.sqlite')} : {});
	return {host, ...await serve(t, host)};
};

test('a fleet is read page by page, and chosen by name', async t => {
	const {host, ask, url} = await serveFleet(t);
	for (const name of ['ada', 'ben', 'bess']) {
		await host.create(name);
	}

	const {status, body} = await ask('GET', '/fleet?limit=2');
	t.is(status, 200);
	t.like(body, {total: 3, found: 3, next: 'ben', alarms: 0, unusual: 0, behind: 0});
	t.deepEqual((body as {identities: object[]}).identities[0], {
		id: 'ada', texts: 0, last_text: null, level: 'ok', held: 0, revision: null, validated: null, conversations: null, alarm: false,
		p: null, tail_p: null, named: false, distance: null, top_source: null, unread_share: null, readings: [], is_current: true,
	});
	t.like((await ask('GET', '/fleet?limit=2&after=ben')).body, {identities: [{id: 'bess'}], next: null});
	const client = createClient({baseUrl: url, identity: 'ada', fetch: async (to, init) =>
		fetch(to, {...init, headers: {...init?.headers as Record<string, string>, connection: 'close'}})});
	const {identities} = await client.fleet({name: 'be', order: 'name'});
	t.deepEqual(identities.map(({id, lastText}) => [id, lastText]), [['ben', null], ['bess', null]]);
	t.true('/fleet' in (await client.openapi()).paths);
});

test('what no fleet can be asked is refused, with the field', async t => {
	const {ask} = await serveFleet(t);
	for (const query of ['only=ill', 'order=size', 'limit=0', 'limit=1001', `name=${'x'.repeat(101)}`]) {
		const {status, body} = await ask('GET', `/fleet?${query}`);
		t.is(status, 422, query);
		t.like(body, {detail: [{loc: ['query', query.split('=')[0]]}]});
	}

	t.is((await ask('GET', '/fleet?after=eve')).status, 422);
	t.is((await ask('GET', '/identities/ada/fleet')).status, 404, 'it is about no identity');
});

test('a host that keeps no rows has no fleet', async t => {
	const {ask} = await serveFleet(t, false);
	t.is((await ask('GET', '/fleet')).status, 404);
	t.false('/fleet' in ((await ask('GET', '/openapi.json')).body as {paths: object}).paths);
});
