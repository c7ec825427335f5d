/**
 * The service below a path of your own Koa application, beside your own routes. As middleware it
 * answers what is below its prefix, and passes the rest on. Headers that your middleware sets stay.
 */
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import Koa from 'koa';
import {createIdentity} from 'processual-state';
import {createClient} from 'processual-state/client';
import {createHttp} from 'processual-state/http';

const identity = createIdentity();
const http = createHttp(identity, {prefix: '/identity'});

const app = new Koa();
app.use(http.handler);
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
const {stateId} = await client.cycle({content: 'The sea is quiet today.'});
console.log('/identity/cycle', '→', `state ${stateId}`);

http.close();
server.closeAllConnections();
server.close();
await identity.dispose();
