/**
 * The interface as middleware of a Koa application. Its setting trustProxy, not the host's, decides
 * which address is the client's.
 */
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import Koa from 'koa';
import {createHttp} from '../../src/http/create-http.ts';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {listen} from '../../src/http/server.ts';
import {fakeIdentity} from './fake-identity.ts';
import {exchange} from './service.ts';

type Host = {isHostTrusting: boolean; seen: string[]};

/** Returns a function that sends a request as a proxy does, and returns the status and the client's address in the log. */
const mounted = async (t: ExecutionContext, {isHostTrusting, seen}: Host, options: HttpOptions) => {
	const clients: unknown[] = [];
	const logger = {debug: (fields: object) => clients.push((fields as {client: unknown}).client), info() {}, warn() {}, error() {}};
	const host = new Koa({proxy: isHostTrusting});
	host.use(async (ctx, next) => {
		await next();
		seen.push(ctx.ip);
	});
	host.use(createHttp(fakeIdentity(), {rateLimit: {requests: 1, seconds: 60}, logger, ...options}).handler);

	const {url, close} = await listen({handler: host.callback()}, {host: '127.0.0.1', port: 0});
	t.teardown(close);
	return async (forwarded: string) => {
		const answer = await fetch(`${url}/health`, {headers: {connection: 'close', 'x-forwarded-for': forwarded}});
		await answer.arrayBuffer();
		return [answer.status, clients.at(-1)];
	};
};

test('in a host’s server, pipelined requests wait for the answer before them, and too many end the connection', async (t) => {
	let begun = 0;
	const answered = Promise.withResolvers<never>();
	const {handler} = createHttp(fakeIdentity({async translate() {
		begun++;
		return answered.promise;
	}}));
	const server = createServer(handler).listen(0, '127.0.0.1');
	t.teardown(() => server.close());
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	const request = 'POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';
	const ended = exchange(port, request.repeat(34));
	t.is(await ended, '');
	t.is(begun, 1);
});

for (const isHostTrusting of [false, true]) {
	const host = isHostTrusting ? 'a host that trusts proxies' : 'a host that trusts none';
	const seenBy = (addresses: string[]) => isHostTrusting ? addresses : addresses.map(() => '127.0.0.1');

	test(`with trustProxy in ${host}, rate limit and log use the address in the proxy’s header`, async (t) => {
		const seen: string[] = [];
		const ask = await mounted(t, {isHostTrusting, seen}, {trustProxy: true});
		t.deepEqual(await ask('10.0.0.1'), [200, '10.0.0.1']);
		t.deepEqual(await ask('10.9.9.9 , 10.0.0.2'), [200, '10.0.0.2'], 'the last one is the client, as the proxy saw it');
		t.deepEqual(await ask('10.0.0.1'), [429, '10.0.0.1']);
		t.deepEqual(await ask(''), [200, '127.0.0.1'], 'without an address in the header, the proxy is the client');
		t.deepEqual(seen, seenBy(['10.0.0.1', '10.9.9.9', '10.0.0.1', '127.0.0.1']), 'the host uses its own setting');
	});

	test(`without trustProxy in ${host}, rate limit and log use the connection’s address`, async (t) => {
		const seen: string[] = [];
		const ask = await mounted(t, {isHostTrusting, seen}, {});
		t.deepEqual(await ask('10.0.0.1'), [200, '127.0.0.1']);
		t.deepEqual(await ask('10.0.0.2'), [429, '127.0.0.1']);
		t.deepEqual(seen, seenBy(['10.0.0.1', '10.0.0.2']), 'the host uses its own setting');
	});
}
