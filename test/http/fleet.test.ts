/** `GET /fleet` over HTTP, and the client's method. */
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {createClient} from '../../src/client/index.ts';
import {showFleet} from '../../src/commands/fleet.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {hostIn} from '../host/host-in.ts';
import {keepRows, manyRows} from '../inspector-page/many-rows.ts';
import {temporaryFolder} from '../journal/records.ts';
import {serve} from './service.ts';

const serveFleet = async (t: ExecutionContext, keepsRows = true) => {
	const folder = await temporaryFolder(t);
	const {host} = hostIn(t, folder, keepsRows ? {fleetFile: path.join(folder, 'fleet.sqlite')} : {});
	return {host, ...await serve(t, host)};
};

test('the fleet is read page by page, and filtered by name', async t => {
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

test('every page lists the sources that move many identities; the client and the command show them', async t => {
	const folder = await temporaryFolder(t);
	const {host} = hostIn(t, folder, {fleetFile: await keepRows(folder, manyRows(60, 3))});
	const {ask, url} = await serve(t, host);
	const sources = [{source: 'Viktor', identities: 3, p: 59 * 2e-7 / 2, named: true}];
	t.like((await ask('GET', '/fleet?name=identity-0001&limit=1')).body, {found: 1, sources});
	const client = createClient({baseUrl: url, identity: 'ada', fetch: async (to, init) =>
		fetch(to, {...init, headers: {...init?.headers as Record<string, string>, connection: 'close'}})});
	const fleet = await client.fleet({only: 'named'});
	const shown = await showFleet(readSettings({PROCESSUAL_URL: url}, {}), {name: 'identity-0001'});
	t.is(shown.split('\n')[1], '“Viktor” moves 3 identities (p 0.0000059).');
	t.deepEqual([fleet.sources, fleet.identities.map(({topSource}) => topSource!.explains)], [sources, [true, true, true]]);
});

test('an invalid query is refused with the name of the field', async t => {
	const {ask} = await serveFleet(t);
	for (const query of ['only=ill', 'order=size', 'limit=0', 'limit=1001', `name=${'x'.repeat(101)}`]) {
		const {status, body} = await ask('GET', `/fleet?${query}`);
		t.is(status, 422, query);
		t.like(body, {detail: [{loc: ['query', query.split('=')[0]]}]});
	}

	t.is((await ask('GET', '/fleet?after=eve')).status, 422);
	t.is((await ask('GET', '/identities/ada/fleet')).status, 404, 'it is not below an identity');
});

test('a host without a fleet file neither serves nor documents the fleet', async t => {
	const {ask} = await serveFleet(t, false);
	t.is((await ask('GET', '/fleet')).status, 404);
	t.false('/fleet' in ((await ask('GET', '/openapi.json')).body as {paths: object}).paths);
});

test('a request with the ETag of an answer gets rows only if something has changed', async t => {
	const {host, ask} = await serveFleet(t);
	await host.create('ada');
	const first = await ask('GET', '/fleet');
	const tag = first.headers.get('etag')!;
	const again = await ask('GET', '/fleet', undefined, {'if-none-match': tag});
	t.deepEqual([again.status, again.text, again.headers.get('etag'), again.headers.get('content-type')], [304, '', tag, null]);
	t.is((await ask('GET', '/fleet?order=name&limit=1', undefined, {'if-none-match': tag})).status, 304, 'the same rows');
	t.is((await ask('GET', '/fleet', undefined, {'if-none-match': '"another"'})).status, 200);
	await host.create('ben');
	const changed = await ask('GET', '/fleet', undefined, {'if-none-match': tag});
	t.like(changed, {status: 200, body: {total: 2}});
});
