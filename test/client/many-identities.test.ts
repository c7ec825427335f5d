/** Clients of a service with many identities: those of one identity by its name, and an administrator's. */
import {setTimeout} from 'node:timers/promises';
import test from 'ava';
import {connectIdentity, createClient} from '../../src/client/index.ts';
import {ConflictError, UnknownIdentityError} from '../../src/platform/errors.ts';
import {hostIn} from '../host/host-in.ts';
import {serve} from '../http/service.ts';
import {temporaryFolder} from '../journal/records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

/** Closes the connection, so that the server can close at the test's end. */
const fetchOnce: typeof fetch = async (input, init) =>
	fetch(input, {...init, headers: {...init?.headers as Record<string, string>, connection: 'close'}});

test('an administrator creates identities, lists them and puts them aside', async t => {
	const {url: baseUrl} = await serve(t, hostIn(t, await temporaryFolder(t)).host);
	const client = createClient({baseUrl, identity: 'ada', fetch: fetchOnce});
	t.deepEqual(await client.createIdentity('ada'), {id: 'ada', isLive: false});
	await client.cycle({content: 'I am Ada.'});
	t.deepEqual(await client.createIdentity('twin', {copyOf: 'ada'}), {id: 'twin', isLive: false});
	deepEqual(t, await client.createIdentity('heir', {state: await client.tensor()}), {id: 'heir', isLive: false});
	t.deepEqual(await client.identities({limit: 2}), {
		identities: [{id: 'ada', isLive: true}, {id: 'heir', isLive: false}],
		next: 'heir',
		defaultId: 'default',
	});
	await client.putAside('heir');
	t.deepEqual((await client.identities({after: 'ada'})).identities.map(({id}) => id), ['twin']);
	t.is((await client.livez()).status, 'ok');
	t.true('/identities/{id}' in (await client.openapi()).paths);
});

test('each identity is reached by its name, and its listeners receive only its events', async t => {
	const {host} = hostIn(t, await temporaryFolder(t));
	const {url: baseUrl} = await serve(t, host, {inspector: true});
	await host.create('ada');
	await using ada = connectIdentity({baseUrl, identity: 'ada', fetch: fetchOnce});
	await using other = connectIdentity({baseUrl, fetch: fetchOnce});
	await Promise.all([ada.ready(), other.ready()]);
	const received: number[] = [];
	ada.on('cycle.done', ({result}) => received.push(result.stateId));
	await ada.cycle('I am Ada.');
	await other.cycle('I am the default.');
	await ada.cycle('I am Ada still.');
	t.deepEqual([(await ada.state()).stateId, (await other.state()).stateId], [2, 1]);
	while (received.length < 2) {
		await setTimeout(5);
	}

	t.deepEqual(received, [1, 2]);
});

test('a name of dots reaches no other identity', async t => {
	const {url: baseUrl} = await serve(t, hostIn(t, await temporaryFolder(t)).host);
	for (const name of ['.', '..']) {
		const client = createClient({baseUrl, identity: name, fetch: fetchOnce});
		await t.throwsAsync(client.state(), {message: /An identity cannot be named/});
		await t.throwsAsync(client.createIdentity(name), {message: /An identity cannot be named/});
		await t.throwsAsync(client.putAside(name), {message: /An identity cannot be named/});
	}
});

test('an unknown name is an UnknownIdentityError; a taken name is refused', async t => {
	const {url: baseUrl} = await serve(t, hostIn(t, await temporaryFolder(t)).host);
	await using eve = connectIdentity({baseUrl, identity: 'eve', fetch: fetchOnce});
	await t.throwsAsync(eve.cycle('I am nobody.'), {instanceOf: UnknownIdentityError, code: 'unknown_identity'});
	const client = createClient({baseUrl, fetch: fetchOnce});
	await client.createIdentity('eve');
	await t.throwsAsync(client.createIdentity('eve'), {message: /“eve” already/});
	t.is(new ConflictError('').code, 'conflict');
	await eve.cycle('I am Eve.');
});
