/** Concurrent deletions, and the maximum number of identities, of a served command. */
import test from 'ava';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {temporaryFolder} from '../journal/records.ts';
import {startServer} from '../helpers/server-process.ts';

test('of three concurrent deletions of an identity, one is answered with 204 and the others with 404', async t => {
	await using model = await startFakeModel();
	await using server = startServer(await temporaryFolder(t), model.settings());
	const url = await server.ready();
	for (let round = 0; round < 5; round++) {
		await fetch(`${url}/identities/ada`, {method: 'PUT'});
		const answers = await Promise.all([1, 2, 3].map(async () => fetch(`${url}/identities/ada`, {method: 'DELETE'})));
		t.deepEqual(answers.map(({status}) => status).toSorted(), [204, 404, 404]);
	}
});

test('MAX_IDENTITIES counts deleted identities too, and a further one is refused with 409', async t => {
	await using model = await startFakeModel();
	await using server = startServer(await temporaryFolder(t), {...model.settings(), MAX_IDENTITIES: '3'});
	const url = await server.ready();
	const create = async (name: string) => fetch(`${url}/identities/${name}`, {method: 'PUT'});
	t.deepEqual((await Promise.all(['ada', 'ben'].map(async name => create(name)))).map(({status}) => status), [201, 201]);
	await fetch(`${url}/identities/ada`, {method: 'DELETE'});
	const refused = await create('eve');
	t.is(refused.status, 409);
	t.regex(await refused.text(), /MAX_IDENTITIES/);
});
