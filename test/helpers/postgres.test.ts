import test from 'ava';
import {startPostgres} from './postgres.ts';

test('a killed server keeps what was committed', async t => {
	await using server = await startPostgres();
	await server.query('create table kept as select 1 as number');
	await server.kill();
	await t.throwsAsync(server.query('select 1'));
	await server.start();
	t.deepEqual(await server.query('select number from kept'), [{number: 1}]);
});
