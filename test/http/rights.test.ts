/** The rights of tokens, over every question and route. */
import crypto, {createHash} from 'node:crypto';
import {syncBuiltinESMExports} from 'node:module';
import test, {type ExecutionContext} from 'ava';
import {rights, type Right} from '../../src/http/caller.ts';
import {createHttp} from '../../src/http/create-http.ts';
import type {HttpOptions, AccessToken} from '../../src/http/http-options.ts';
import {hostRoutesFor, routesFor} from '../../src/http/routes.ts';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {hostIn} from '../host/host-in.ts';
import {temporaryFolder} from '../journal/records.ts';
import {serve} from './service.ts';

/** The right that each operation needs. Public ones need no token. */
const needed: Readonly<Record<string, Right | 'public'>> = {
	'GET /health': 'read', 'POST /cycle': 'speak', 'POST /translate': 'read', 'GET /state': 'read', 'GET /vigilance': 'read',
	'GET /metrics': 'read', 'POST /reset': 'operate', 'POST /validate': 'operate', 'GET /daemon/status': 'read',
	'POST /daemon/start': 'operate', 'POST /daemon/stop': 'operate', 'GET /profile': 'read', 'GET /profile/scaled': 'read',
	'GET /ledger': 'read', 'GET /history': 'read', 'GET /diff': 'read', 'GET /drift': 'read', 'GET /sources': 'read',
	'GET /uptake': 'read', 'GET /tensor': 'read', 'POST /dry-run': 'read', 'POST /what-if': 'read', 'POST /revise': 'operate',
	'POST /forget': 'operate', 'GET /revisions': 'read', 'POST /hold': 'operate', 'GET /held': 'read',
	'POST /held/release': 'operate', 'POST /held/drop': 'operate', 'GET /livez': 'public', 'GET /readyz': 'public',
	'GET /openapi.json': 'public', 'GET /identities': 'read', 'GET /fleet': 'read',
	'PUT /identities/:id': 'operate', 'DELETE /identities/:id': 'operate',
	// Beside the table of routes.
	'GET /events': 'read', 'POST /backup': 'operate', 'GET /': 'public', 'GET /docs': 'public', 'GET /inspector': 'public',
};

const all = 'the-token-that-opens-everything';
const secrets = {read: 'a-token-that-reads', speak: 'a-token-that-speaks', operate: 'a-token-that-operates'};

const tokenOf = (secret: string, row: Omit<AccessToken, 'sha256'>): AccessToken =>
	({...row, sha256: createHash('sha256').update(secret).digest('hex')});

const bearer = (secret: string) => ({authorization: `Bearer ${secret}`});

const withTokens = (...tokens: AccessToken[]): HttpOptions => ({token: all, tokens, inspector: true});

const hostWithFleet = async (t: ExecutionContext) => {
	const folder = await temporaryFolder(t);
	return hostIn(t, folder, {fleetFile: `${folder}/fleet.sqlite`}).host;
};

const serveHost = async (t: ExecutionContext, options: HttpOptions) => {
	const host = await hostWithFleet(t);
	await host.create('ada');
	await host.create('ben');
	return serve(t, host, options);
};

const statusOf = async (url: string, method: string, secret: string): Promise<number> => {
	const response = await fetch(url, {method, headers: bearer(secret)});
	await response.body?.cancel();
	return response.status;
};

test('the table of needed rights has every question and route', async t => {
	const host = await hostWithFleet(t);
	const served = [...routesFor({isInspected: true, host}), ...hostRoutesFor(host)].map(({method, path}) => `${method} ${path}`);
	t.deepEqual(served.filter(each => !Object.hasOwn(needed, each)), []);
});

test('a token gives access to exactly what its right allows', async t => {
	const {url} = await serveHost(t, withTokens(...rights.map(right => tokenOf(secrets[right], {name: right, rights: [right]}))));
	for (const [operation, right] of Object.entries(needed)) {
		const [method, path] = operation.split(' ') as [string, string];
		for (const [has, secret] of Object.entries(secrets)) {
			const isAllowed = right === 'public' || has === 'operate' || has === right;
			const status = await statusOf(url + path.replace(':id', 'cleo'), method, secret);
			t.is(status === 403, !isAllowed, `${operation} with the right to ${has}: ${status}`);
			t.not(status, 401);
		}
	}

	t.is(await statusOf(`${url}/state`, 'GET', 'a-token-of-nobody'), 401);
});

test('a token for one identity gives no access to others, nor to endpoints about all', async t => {
	const {url} = await serveHost(t, withTokens(tokenOf(secrets.operate, {name: 'of-ada', rights: ['operate'], identities: ['ada']})));
	for (const [method, path, isAllowed] of [
		['GET', '/identities/ada/state', true], ['GET', '/identities/ben/state', false], ['GET', '/state', false],
		['POST', '/identities/ben/reset', false], ['GET', '/identities/ben/readyz', false], ['GET', '/identities', false],
		['GET', '/fleet', false],
		['DELETE', '/identities/ben', false], ['POST', '/identities/ben/mcp', false], ['GET', '/identities/ben/events', false],
		['POST', '/identities/ben/backup', false], ['GET', '/readyz', true],
	] as const) {
		t.is(await statusOf(url + path, method, secrets.operate) === 403, !isAllowed, path);
	}

	const {ask} = await serveHost(t, withTokens(tokenOf(secrets.read, {name: 'of-ada', rights: ['read'], identities: ['ada']})));
	const {body} = await ask('GET', '/identities/ada/metrics', undefined, {...bearer(secrets.read), accept: 'text/plain'});
	t.like(body, {total_cycles: 0}, 'the text would have the figures of all');
});

test('a token bound to a source cannot speak as another, not even through the MCP tools', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	const {ask} = await serve(t, identity, withTokens(tokenOf(secrets.speak, {name: 'phone', rights: ['speak'], source: 'Ada'})));
	const said = async (body: object) => ask('POST', '/cycle', {content: 'The sea is quiet.', ...body}, bearer(secrets.speak));
	t.is((await said({})).status, 200);
	t.is((await said({source: 'Ada'})).status, 200);
	for (const claim of [
		{source: 'Ben'}, {source: 'self'}, {metadata: {source: 'Ben'}}, {trigger_type: 'rumination_free'},
		{source: 'Ada', metadata: {source: 'Ben'}},
	]) {
		t.is((await said(claim)).status, 422, JSON.stringify(claim));
	}

	const accept = {'accept': 'application/json, text/event-stream', 'content-type': 'application/json', ...bearer(secrets.speak)};
	const call = async (method: string, params: object) => ask('POST', '/mcp', {jsonrpc: '2.0', id: 1, method, params}, accept);
	t.regex((await call('tools/call', {name: 'say', arguments: {text: 'Hello.', source: 'Ben'}})).text, /speaks as “Ada” alone/);
	t.is((await call('tools/call', {name: 'say', arguments: {text: 'Hello.', source: 'Ada'}})).status, 200);
	t.is((await call('tools/call', {name: 'who_am_i', arguments: {}})).status, 403);
	t.is((await call('resources/read', {uri: 'processual://profile'})).status, 403);
	t.is((await call('tools/list', {})).status, 200);
	t.is(identity.state().stateId, 3);
	const {sources} = await identity.sources();
	t.deepEqual(sources.map(({source, texts}) => [source, texts]), [['Ada', 3]]);
});

test('a token bound to the source “self” is the agent’s, and its decisions have its name', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	const token = tokenOf(secrets.operate, {name: 'agent', rights: ['operate'], source: 'self'});
	const {ask} = await serve(t, identity, {...withTokens(token), selfToken: 'the-agent-s-first-token'});
	t.is((await ask('POST', '/cycle', {content: 'I am calm.'}, bearer(secrets.operate))).status, 200);
	t.is((await ask('POST', '/cycle', {content: 'I am calm.', source: 'self'}, bearer(all))).status, 422);
	t.is((await ask('POST', '/hold', {sources: ['Ada'], note: 'Until it is clear.'}, bearer(secrets.operate))).status, 200);
	t.like((await ask('GET', '/revisions', undefined, bearer(all))).body, {revisions: [{by: 'token agent'}]});
});

test('invalid tokens are a configuration error that says what is wrong', async t => {
	const {identity} = await startIdentity();
	t.teardown(() => identity.dispose());
	const row = tokenOf(secrets.read, {name: 'reader', rights: ['read']});
	for (const [tokens, message] of [
		[[{...row, sha256: secrets.read}], /Token 1 is wrong: .*sha256/],
		[[row, {...row, name: 'other', rights: ['write']}], /Token 2 is wrong: .*rights/],
		[[{...row, rights: []}], /rights/],
		[[{...row, sorce: 'Ada'}], /sorce/],
		[[row, row], /Two tokens have the name reader. Give one of them another name/],
		[[{...row, identities: ['ada']}], /only those of a host have names/],
	] as const) {
		const create = () => createHttp(identity, {token: all, tokens: tokens as unknown as AccessToken[]});
		t.throws(create, {instanceOf: ConfigurationError, message});
	}

	t.throws(() => createHttp(identity, {tokens: [row]}), {instanceOf: ConfigurationError, message: /needs the option token too/});
});

test.serial('a request costs one hash of its token, however many tokens there are', async t => {
	const tokens = Array.from({length: 1000}, (_, i) => tokenOf(`token-${i}`, {name: `${i}`, rights: ['read']}));
	const {identity} = await startIdentity();
	const http = createHttp(identity, withTokens(...tokens));
	t.teardown(http.close);
	const original = crypto.createHash;
	let hashed = 0;
	crypto.createHash = (...given) => {
		hashed++;
		return original(...given);
	};

	syncBuiltinESMExports();
	try {
		t.is((await http.fetch(new Request('http://here/events', {headers: bearer('x'.repeat(15_000))}))).status, 401);
	} finally {
		crypto.createHash = original;
		syncBuiltinESMExports();
	}

	t.is(hashed, 1);
});
