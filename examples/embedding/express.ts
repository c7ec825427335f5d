/**
 * The service under a prefix of an Express application. Express removes the prefix from the path.
 * Behind `express.json()` the service uses the parsed body; before it, the service reads bodies
 * itself, up to its own limit.
 */
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import express from 'express';
import {createIdentity} from 'processual-state';
import {createClient} from 'processual-state/client';
import {createApp} from 'processual-state/http';

const identity = createIdentity();

const app = express();
app.use('/identity', createApp(identity).callback());
app.use(express.json());
app.get('/', (_request, response) => {
	response.send('My own application.');
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
