/**
 * The service below a path of a Fastify application, as a route. It uses the body that Fastify has
 * parsed, and keeps the headers that your hooks set on the reply.
 */
import fastify from 'fastify';
import {createIdentity} from 'processual-state';
import {createClient} from 'processual-state/client';
import {createHttp} from 'processual-state/http';

const identity = createIdentity();
const http = createHttp(identity, {prefix: '/identity'});

const app = fastify();
app.all('/identity/*', http.handler);
app.get('/', async () => 'My own application.');

await identity.ready();
const url = await app.listen({port: 0, host: '127.0.0.1'});

const own = await fetch(url);
console.log('/', '→', await own.text());

const client = createClient({baseUrl: `${url}/identity`});
const {stateId} = await client.cycle({content: 'The sea is quiet today.'});
console.log('/identity/cycle', '→', `state ${stateId}`);

http.close();
app.server.closeAllConnections();
await app.close();
await identity.dispose();
