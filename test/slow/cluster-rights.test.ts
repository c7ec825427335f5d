/** Rights in a real cluster: a token has the same ones at the node that has the identity and at one that forwards. */
import {createHash} from 'node:crypto';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {rights, type Caller} from '../../src/http/caller.ts';
import type {AccessToken} from '../../src/http/http-options.ts';
import {forwardedHeader, signRequest} from '../../src/http/peer-signature.ts';
import {peerToken, startCluster} from '../helpers/cluster.ts';
import {temporaryFolder} from '../journal/records.ts';

const all = 'the-token-that-opens-everything';

/** Each token’s row, under its secret. */
const rows: Readonly<Record<string, Omit<AccessToken, 'name' | 'sha256'>>> = {
	'reads': {rights: ['read']},
	'speaks': {rights: ['speak']},
	'operates': {rights: ['operate']},
	'of-ben': {rights: ['operate'], identities: ['ben']},
	'phone': {rights: ['speak'], source: 'Ada'},
};

const json = {'content-type': 'application/json'};
const mcp = {...json, accept: 'application/json, text/event-stream'};
const call = (name: string, given: object) => ({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name, arguments: given}});
const said = {text: 'The sea is quiet.', source: 'Ada', conversation: 'Monday'};

/** Requests about the identity, with the status for each token. An allowed one may be refused for a reason other than a right. */
const asked: ReadonlyArray<readonly [method: string, path: string, body: object | undefined, statuses: Record<string, number>]> = [
	['GET', '/state', undefined, {'reads': 200, 'speaks': 403, 'operates': 200, 'of-ben': 403, 'phone': 403}],
	['GET', '/ledger?by=source', undefined, {'reads': 200, 'speaks': 403, 'operates': 200, 'of-ben': 403, 'phone': 403}],
	['POST', '/cycle', {content: 'The sea.', source: 'Ada'}, {'reads': 403, 'speaks': 200, 'operates': 200, 'of-ben': 403, 'phone': 200}],
	['POST', '/cycle', {content: 'The sea.', source: 'Ben'}, {'reads': 403, 'speaks': 200, 'operates': 200, 'of-ben': 403, 'phone': 422}],
	['POST', '/dry-run', {content: 'The sea is quiet.'}, {'reads': 200, 'speaks': 403, 'operates': 200, 'of-ben': 403, 'phone': 403}],
	['POST', '/validate', {note: 'Too early.'}, {'reads': 403, 'speaks': 403, 'operates': 409, 'of-ben': 403, 'phone': 403}],
	['POST', '/daemon/stop', undefined, {'reads': 403, 'speaks': 403, 'operates': 200, 'of-ben': 403, 'phone': 403}],
	['POST', '/mcp', call('who_am_i', {}), {'reads': 200, 'speaks': 403, 'operates': 200, 'of-ben': 403, 'phone': 403}],
	['POST', '/mcp', call('say', said), {'reads': 403, 'speaks': 200, 'operates': 200, 'of-ben': 403, 'phone': 200}],
];

const ask = async (url: string, method: string, body: object | undefined, headers: Record<string, string>) => {
	const answer = await fetch(url, {method, headers: {...mcp, ...headers}, ...(body && {body: JSON.stringify(body)})});
	return {status: answer.status, text: await answer.text()};
};

const bearer = (secret: string) => ({authorization: `Bearer ${secret}`});

test('a token has the same rights at the node that has the identity and at one that forwards; forged forwarding is refused', async t => {
	t.timeout(300_000);
	const file = path.join(await temporaryFolder(t), 'tokens.jsonl');
	const lines = Object.entries(rows).map(([secret, row]) =>
		JSON.stringify({...row, name: secret, sha256: createHash('sha256').update(secret).digest('hex')}));
	await writeFile(file, lines.join('\n'));
	await using cluster = await startCluster({nodes: 2, settings: {AUTH_TOKEN: all, TOKENS_FILE: file}});
	await cluster.settle();
	const [owner, other] = cluster.nodes.map(({url}) => `${url}/identities/ada`) as [string, string];
	for (const name of ['ada', 'ben']) {
		t.is((await ask(`${cluster.nodes[0]!.url}/identities/${name}`, 'PUT', {}, bearer(all))).status, 201);
	}

	t.is((await ask(`${owner}/state`, 'GET', undefined, bearer(all))).status, 200);
	t.is(await cluster.ownerOf('ada'), cluster.nodes[0]!);

	for (const [method, place, body, statuses] of asked) {
		for (const [secret, expected] of Object.entries(statuses)) {
			for (const at of [owner, other]) {
				const {status, text} = await ask(at + place, method, body, bearer(secret));
				t.is(status, expected, `${method} ${place} with ${secret} at ${at === owner ? 'the owner' : 'the other'}: ${text.slice(0, 300)}`);
			}
		}
	}

	// The other node forwards what it allows itself, and refuses what no right of the token allows.
	const {text: figures} = await ask(`${cluster.nodes[1]!.url}/metrics`, 'GET', undefined, {...bearer(all), accept: 'text/plain'});
	t.true(Number(/^processual_node_forwarded_total\{outcome="answered"\} (\d+)$/m.exec(figures)?.[1]) >= 20, 'it has forwarded');
	t.regex(figures, /^processual_ready 1$/m);
	t.regex(figures, /^processual_part_ok\{part="journal"\} 1$/m);

	t.is((await ask(`${other}/state`, 'GET', undefined, bearer('a-token-of-nobody'))).status, 401);
	t.is(await cluster.ownerOf('ada'), cluster.nodes[0]!, 'the identity has not moved');

	// A token that may not put an identity aside may not do so by another node either.
	for (const secret of ['reads', 'speaks', 'of-ben', 'phone']) {
		t.is((await ask(other, 'DELETE', undefined, bearer(secret))).status, 403, secret);
	}

	// A node signs the caller, and the owner applies the rights of that caller.
	const [{now}] = await cluster.server.queryIn<{now: number}>(
		cluster.url, 'select extract(epoch from now())::float8 * 1000 as now',
	) as [{now: number}];
	const content = Buffer.from(JSON.stringify({content: 'The sea is quiet.'}));
	const callerWith = (right: typeof rights[number]): Caller =>
		({hint: 'token forged', rights: [right], identities: null, source: null, isAgent: false});
	const sign = (token: string, caller: Caller | null, originalUrl = '/identities/ada/cycle'): string =>
		signRequest(token, {method: 'POST', originalUrl, state: {caller}}, content, now);
	const forward = async (signature: string, headers: Record<string, string> = {}): Promise<number> => (await fetch(`${owner}/cycle`, {
		method: 'POST', headers: {...json, ...headers, [forwardedHeader]: signature}, body: content,
	})).status;
	t.is(await forward(sign(peerToken, callerWith('speak'))), 200, 'as a node does');
	t.is(await forward(sign(peerToken, callerWith('read'))), 403, 'its caller may only read');

	const raised = Buffer.from(JSON.stringify(callerWith('operate'))).toString('base64url');
	for (const [forged, what] of [
		[sign(all, callerWith('operate')), 'signed with the token of clients'],
		[sign('reads', null), 'signed with a client’s own token'],
		[sign(peerToken, callerWith('read')).replace(/[^.]*$/, raised), 'its caller has been given another right'],
		[sign(peerToken, callerWith('read')).replace(/\.[^.]*$/, ''), 'its caller has been left out'],
		[sign(peerToken, callerWith('speak'), '/identities/ben/cycle'), 'signed for another identity'],
	] as const) {
		t.is(await forward(forged), 401, what);
		t.is(await forward(forged, bearer('reads')), 403, `${what}, beside a token that may read`);
	}

	const {text} = await ask(`${other}/ledger?by=source`, 'GET', undefined, bearer('reads'));
	const {entries} = JSON.parse(text) as {entries: {key: string}[]};
	t.deepEqual(entries.map(({key}) => key).filter(key => key === 'Ada' || key === 'Ben').toSorted(), ['Ada', 'Ben']);
});
