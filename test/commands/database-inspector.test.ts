/** INSPECTOR_URL with a database: the node that has the identity of IDENTITY tells of it. */
import {createServer} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import test from 'ava';
import {migrateDatabase} from '../../src/commands/migrate.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {startPostgres} from '../helpers/postgres.ts';
import {postCycle, startServer} from '../helpers/server-process.ts';
import {temporaryFolder} from '../journal/records.ts';

test('a node with a database connects to the inspector of INSPECTOR_URL when it has the identity', async t => {
	await using database = await startPostgres();
	const settings = {DATABASE_URL: await database.createDatabase()};
	await migrateDatabase(readSettings(settings, {}));
	const inspector = createServer().listen(0, '127.0.0.1');
	await once(inspector, 'listening');
	t.teardown(() => inspector.close());
	const connected = once(inspector, 'upgrade');

	await using model = await startFakeModel();
	await using server = startServer(await temporaryFolder(t), {...model.settings(), ...settings, INSPECTOR_URL: `ws://127.0.0.1:${(inspector.address() as AddressInfo).port}/frames`});
	t.is((await postCycle(await server.ready(), 'I am here.')).status, 200);
	const [request, socket] = await connected as [{url: string}, {destroy(): void}];
	t.is(request.url, '/frames');
	socket.destroy();
});
