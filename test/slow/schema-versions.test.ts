/** Nodes of one version over tables of another: they report it, and write nothing. */
import {setTimeout} from 'node:timers/promises';
import test from 'ava';
import {migrate} from '../../src/platform/postgres/migrate.ts';
import {migrations, schemaVersion} from '../../src/platform/postgres/schema.ts';
import {startCluster} from '../helpers/cluster.ts';
import {openPatiently} from '../journal/postgres/places.ts';

test('nodes keep running when their own version migrates, and refuse cycles after a newer one does', async t => {
	t.timeout(600_000);
	await using cluster = await startCluster({nodes: 2});
	await using database = openPatiently(cluster.url);
	await cluster.settle();
	const cycle = async () => {
		const response = await fetch(`${cluster.address}/cycle`, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: '{"content": "a thought"}',
		});
		return {status: response.status, ...await response.json() as {state_id?: number; detail?: string}};
	};

	t.is((await cycle()).state_id, 1);
	await migrate(database);
	t.is((await cycle()).state_id, 2);

	await migrate(database, [...migrations, 'alter table processual.record add later text not null default \'\'']);
	const refused = await cycle();
	t.not(refused.status, 200, 'at once');
	for (const node of cluster.nodes) {
		while (await node.isReady()) {
			await setTimeout(20);
		}

		const {parts} = await (await fetch(`${node.url}/readyz`)).json() as {parts: {node: string}};
		t.regex(parts.node, new RegExp(`have version ${schemaVersion + 1}, made by a newer version of this software; .* Install `
			+ 'the newer version'));
	}

	const {status, detail} = await cycle();
	t.is(status, 503);
	t.regex(detail!, /made by a newer version of this software/);
	t.deepEqual(
		await database.query('select seq, (select max(seq) from processual.record) as last from processual.identity where id = \'default\''),
		[{seq: 2, last: 2}],
	);

	const [node] = cluster.nodes;
	await node!.process.stop();
	await t.throwsAsync(node!.start(), {message: /ended with 1 before it was ready: .*made by a newer version of this software/s});
	await database.query('update processual.version set version = 0');
	await t.throwsAsync(
		node!.start(),
		{message: /ended with 1 before it was ready: .*have version 0, and this software needs \d+\. Run “processual migrate”/s},
	);
});
