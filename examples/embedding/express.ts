/**
 * The service below a path of an Express application, which removes the path. Behind
 * `express.json()` the service uses the parsed body; before it, the service reads bodies itself,
 * up to its own limit.
 */
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import express from 'express';
import {createIdentity} from 'processual-state';
import {createClient} from 'processual-state/client';
import {createHttp} from 'processual-state/http';

const identity = createIdentity();
const http = createHttp(identity);

const app = express();
app.use('/identity', http.handler);
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
const {stateId} = await client.cycle({content: 'The sea is quiet today.'});
console.log('/identity/cycle', '→', `state ${stateId}`);

http.close();
server.closeAllConnections();
server.close();
await identity.dispose();
