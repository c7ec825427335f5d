/** How nodes authenticate requests of each other. */
import test from 'ava';
import Koa from 'koa';
import {errorHandler} from '../../src/http/middleware/error-handler.ts';
import {readBody} from '../../src/http/middleware/read-json.ts';
import {createByteBudget} from '../../src/http/middleware/share-turns.ts';
import {callerOf} from '../../src/http/caller.ts';
import {isSigned, signRequest} from '../../src/http/peer-signature.ts';
import {limitPendingBytes} from '../../src/identity/pending-limits.ts';
import {serve} from '../embedding/server.ts';

const token = 'a token of all nodes';

test('only a request whose method, path, body and time another node has signed counts as forwarded', async t => {
	let now = 1_000_000;
	const app = new Koa();
	app.use(errorHandler());
	app.use(async ctx => {
		const isForwarded = isSigned(token, ctx, now);
		now += 60_000;
		const limits = {maxBodyBytes: 1000, readBudget: createByteBudget(1e6)};
		const bytes = await readBody(ctx, limits, limitPendingBytes(1e6, 'Bodies')());
		ctx.body = `${isForwarded && isSigned(token, ctx, now)} ${bytes.length}`;
		now -= 60_000;
	});
	const url = await serve(t, app.callback());
	const sign = (method: string, path: string, body: string, by = token): string =>
		signRequest(by, {method, originalUrl: path, state: {}}, Buffer.from(body), now);
	const ask = async (path: string, body: string, signature?: string): Promise<[number, string]> => {
		const response = await fetch(`${url}${path}`, {
			method: 'POST', body, ...(signature !== undefined && {headers: {'processual-forwarded': signature}}),
		});
		return [response.status, await response.text()];
	};

	t.deepEqual(await ask('/cycle?a=1', 'text', sign('POST', '/cycle?a=1', 'text')), [200, 'true 4'], 'also if its body arrives late');
	t.deepEqual(await ask('/cycle', 'text'), [200, 'false 4']);
	for (const signature of [
		token, '', 'a.b.c', sign('GET', '/cycle', 'text'), sign('POST', '/reset', 'text'), sign('POST', '/cycle', 'text', 'another token'),
	]) {
		t.deepEqual(await ask('/cycle', 'text', signature), [200, 'false 4'], signature);
	}

	const [status, detail] = await ask('/cycle', 'other', sign('POST', '/cycle', 'text'));
	t.is(status, 400);
	t.regex(detail, /not the one that another node has signed/);
	now = 1_000_000;
	const old = sign('POST', '/cycle', 'text');
	for (const [later, expected] of [[29_000, 'true 4'], [31_000, 'false 4'], [-31_000, 'false 4']] as const) {
		now = 1_000_000 + later;
		t.is((await ask('/cycle', 'text', old))[1], expected);
	}
});

test('a signature covers the caller that it names, so a client cannot add one', async t => {
	const app = new Koa();
	app.use(ctx => {
		ctx.body = `${isSigned(token, ctx, 1_000_000)} ${callerOf(ctx)?.hint}`;
	});
	const url = await serve(t, app.callback());
	const ask = async (signature: string) =>
		(await fetch(`${url}/cycle`, {method: 'POST', headers: {'processual-forwarded': signature}})).text();
	const sign = (state: object): string => signRequest(token, {method: 'POST', originalUrl: '/cycle', state}, null, 1_000_000);
	t.is(await ask(sign({caller: {hint: 'token bot'}})), 'true token bot');
	t.is(await ask(sign({})), 'true undefined');
	t.is(await ask(`${sign({})}.${Buffer.from('{}').toString('base64url')}`), 'false undefined');
});
