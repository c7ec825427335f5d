/**
 * The service below a path of a Hono application. It answers web-standard requests, so it runs
 * wherever Hono does, with a server or, as here, without one.
 */
import {Hono} from 'hono';
import {createIdentity} from 'processual-state';
import {createClient} from 'processual-state/client';
import {createHttp} from 'processual-state/http';

const identity = createIdentity();
const http = createHttp(identity);

const app = new Hono();
app.mount('/identity', http.fetch);
app.get('/', context => context.text('My own application.'));

await identity.ready();
const own = await app.request('/');
console.log('/', '→', await own.text());

const client = createClient({
	baseUrl: 'http://localhost/identity',
	fetch: async (input, init) => app.fetch(new Request(input, init)),
});
const {stateId} = await client.cycle({content: 'The sea is quiet today.'});
console.log('/identity/cycle', '→', `state ${stateId}`);

http.close();
await identity.dispose();
