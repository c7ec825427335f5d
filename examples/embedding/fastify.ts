/**
 * The service under a prefix of a Fastify application, as a plugin without body parsers: the
 * service reads bodies itself, and writes to the raw response.
 */
import fastify, {type FastifyPluginAsync} from 'fastify';
import {createIdentity} from 'processual-state';
import {createClient} from 'processual-state/client';
import {createApp} from 'processual-state/http';

const identity = createIdentity();
const service = createApp(identity).callback();

const plugin: FastifyPluginAsync = async scope => {
	scope.removeAllContentTypeParsers();
	scope.addContentTypeParser('*', (_request, _payload, done) => {
		done(null);
	});
	scope.all('/*', (request, reply) => {
		reply.hijack();
		request.raw.url = request.raw.url!.slice(scope.prefix.length);
		void service(request.raw, reply.raw);
	});
};

const app = fastify();
app.register(plugin, {prefix: '/identity'});
app.get('/', async () => 'My own application.');

await identity.ready();
const url = await app.listen({port: 0, host: '127.0.0.1'});

const own = await fetch(url);
console.log('/', '→', await own.text());

const client = createClient({baseUrl: `${url}/identity`});
const {state_id} = await client.cycle({content: 'The sea is quiet today.'});
console.log('/identity/cycle', '→', `state ${state_id}`);

app.server.closeAllConnections();
await app.close();
await identity.dispose();
