/**
 * The service under a prefix of your own Koa application, beside your own routes.
 *
 * The service is a plain handler of `node:http` that matches the path, so the prefix is removed
 * before the handler is called.
 */
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import Koa from 'koa';
import {createIdentity} from 'processual-state';
import {createClient} from 'processual-state/client';
import {createApp} from 'processual-state/http';

const identity = createIdentity();
const service = createApp(identity).callback();

const app = new Koa();
app.use(async (ctx, next) => {
	if (!ctx.path.startsWith('/identity/')) {
		await next();
		return;
	}

	ctx.req.url = ctx.req.url!.slice('/identity'.length);
	ctx.respond = false;
	await service(ctx.req, ctx.res);
});
app.use(ctx => {
	ctx.body = 'My own application.';
});

await identity.ready();
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const own = await fetch(url);
console.log('/', '→', await own.text());

const client = createClient({baseUrl: `${url}/identity`});
const {state_id} = await client.cycle({content: 'The sea is quiet today.'});
console.log('/identity/cycle', '→', `state ${state_id}`);

server.closeAllConnections();
server.close();
await identity.dispose();
