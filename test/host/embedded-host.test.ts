/** Many identities in one program, in the real journals of one folder: found, created, listed and put aside by their names. */
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {
	BusyError, ConfigurationError, ConflictError, InputError, JournalError, UnavailableError, UnknownIdentityError,
} from '../../src/platform/errors.ts';
import type {EmbeddedHostOptions} from '../../src/host/embedded-host.ts';
import {openIdentity} from '../../src/identity/create-identity.ts';
import type {Journal} from '../../src/journal/journal.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {openSqliteRows} from '../../src/journal/sqlite/sqlite-rows.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {FakeEncoder, mulberry32, startIdentity} from '../actors/fixtures.ts';
import {temporaryFolder} from '../journal/records.ts';
import {hostIn, kernel} from './host-in.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const begun = '2026-01-01T00:00:00.000Z';

test('the default identity begins at its first request, and others only when they are created', async t => {
	const folder = await temporaryFolder(t);
	const {host, find} = hostIn(t, folder);
	t.deepEqual(await host.list(null, 10), []);
	t.is((await find('default')).health().stateId, 0);
	await t.throwsAsync(async () => host.place('ada'), {
		instanceOf: UnknownIdentityError,
		message: 'There is no identity “ada”. Create it first.',
	});
	await host.create('ada');
	await (await find('ada')).cycle('I am Ada.');
	t.deepEqual(await host.list(null, 10), [{name: 'ada', isLive: true}, {name: 'default', isLive: true}]);
	t.deepEqual((await readdir(folder)).toSorted(), ['identities', 'journal']);
	t.deepEqual(await readdir(path.join(folder, 'identities')), ['.begun', 'ada']);
});

test('a live identity is placed without a promise', async t => {
	const {host, find} = hostIn(t, await temporaryFolder(t));
	const identity = await find('default');
	t.deepEqual(host.place('default'), {here: identity});
});

test('each identity continues with its state in the next program', async t => {
	const folder = await temporaryFolder(t);
	const first = hostIn(t, folder);
	for (const name of ['ada', 'ben']) {
		await first.host.create(name);
		await (await first.find(name)).cycle(`I am ${name}.`);
	}

	const states = await Promise.all(['ada', 'ben'].map(async name => (await first.find(name)).tensor()));
	t.notDeepEqual(states[0]!.dimensions.thirdness, states[1]!.dimensions.thirdness);
	await first.host[Symbol.asyncDispose]();
	const next = hostIn(t, folder);
	t.deepEqual(await next.host.list(null, 10), [{name: 'ada', isLive: false}, {name: 'ben', isLive: false}]);
	deepEqual(t, await Promise.all(['ada', 'ben'].map(async name => (await next.find(name)).tensor())), states);
});

test('the journal of every identity keeps digests', async t => {
	const given = new Map<string, boolean>();
	const open: EmbeddedHostOptions['open'] = async (name, journal) => {
		given.set(name, journal.digests !== undefined);
		return openIdentity({kernel, encoder: new FakeEncoder(), journal, warn() {}});
	};

	const folder = await temporaryFolder(t);
	for (const options of [{open}, {open, fleetFile: path.join(folder, 'fleet.sqlite')}]) {
		const {host, find} = hostIn(t, await temporaryFolder(t), options);
		await host.create('ada');
		await find('ada');
		await find('default');
		t.deepEqual([...given].toSorted(), [['ada', true], ['default', true]]);
		given.clear();
	}
});

test('concurrent calls create a name only once', async t => {
	const {host, find} = hostIn(t, await temporaryFolder(t));
	const outcomes = await Promise.allSettled([host.create('ada'), host.create('ada'), host.create('ada')]);
	t.is(outcomes.filter(({status}) => status === 'fulfilled').length, 1);
	t.true(outcomes.every(outcome => outcome.status === 'fulfilled' || outcome.reason instanceof ConflictError));
	await (await find('ada')).cycle('I am Ada.');
	await t.throwsAsync(host.create('ada'), {instanceOf: ConflictError, message: 'The identity “ada” already exists.'});
	t.is((await find('ada')).health().stateId, 1);
});

test('an identity can begin with a given state, or with the present state of another one', async t => {
	const {host, find} = hostIn(t, await temporaryFolder(t));
	const state = randomState(mulberry32(3), begun).withId(41);
	await host.create('given', {state});
	const given = await find('given');
	t.is(given.health().stateId, 41);
	await given.cycle('It moves.');

	await host.create('copy', {copyOf: 'given'});
	const copy = await find('copy');
	deepEqual(t, copy.tensor(), given.tensor());
	await copy.cycle('It is another one now.');
	t.is(given.health().stateId, 42);
	t.is((await copy.history()).points.length, 2);
	deepEqual(t, (await copy.stateAt('beginning')).dimensions, given.tensor().dimensions);
	await t.throwsAsync(host.create('late', {copyOf: 'unknown'}), {instanceOf: UnknownIdentityError});
});

test('a failed creation leaves the name free, and begins nothing later', async t => {
	let isBroken = true;
	const {host, find} = hostIn(t, await temporaryFolder(t), {
		async open(_name, journal) {
			return openIdentity({kernel, journal, encoder: new FakeEncoder(), themes: {rumination: ['r'], corpus: isBroken ? [] : ['c']}});
		},
	});
	await t.throwsAsync(host.create('ada'));
	isBroken = false;
	await t.throwsAsync(async () => host.place('ada'), {instanceOf: UnknownIdentityError});
	await host.create('ada');
	t.is((await find('ada')).health().stateId, 0);
});

test('an interrupted creation leaves the name free, and no name in the list', async t => {
	const folder = await temporaryFolder(t);
	const opened = Promise.withResolvers<void>();
	const cutOff = Promise.withResolvers<never>();
	const cut = hostIn(t, folder, {
		async open(_name, journal) {
			await journal.open();
			opened.resolve();
			return cutOff.promise;
		},
	});
	t.teardown(() => {
		cutOff.reject(new Error('It was cut off.'));
	});
	void cut.host.create('ada').catch(() => {});
	await opened.promise;
	const next = hostIn(t, folder);
	t.deepEqual(await next.host.list(null, 10), []);
	await next.host.create('ada');
	t.is((await next.find('ada')).health().stateId, 0);
});

test('files left by an earlier version\'s creation are put aside by the next creation', async t => {
	const folder = await temporaryFolder(t);
	const place = path.join(folder, 'identities', 'ada');
	const left = createSqliteJournal({folder: place});
	await left.open();
	await left.close();
	const {host, find} = hostIn(t, folder);
	await host.create('ada');
	t.is((await find('ada')).health().stateId, 0);
	t.deepEqual(await readdir(path.join(folder, 'identities', '.aside')), ['ada~1']);
});

test('of two concurrent calls to put an identity aside, one fails because it is gone', async t => {
	const {host} = hostIn(t, await temporaryFolder(t));
	await host.create('ada');
	const outcomes = await Promise.allSettled([host.putAside('ada'), host.putAside('ada')]);
	t.deepEqual(outcomes.map(({status}) => status).toSorted(), ['fulfilled', 'rejected']);
	t.true(outcomes.some(outcome => outcome.status === 'rejected' && outcome.reason instanceof UnknownIdentityError));
});

test('concurrent calls create at most maxIdentities identities, and the error names the setting', async t => {
	const {host} = hostIn(t, await temporaryFolder(t), {maxIdentities: 3});
	const outcomes = await Promise.allSettled(['ada', 'ben', 'eve', 'max'].map(async name => host.create(name)));
	const refused = outcomes.flatMap(outcome => outcome.status === 'rejected' ? [outcome.reason as Error] : []);
	t.is(outcomes.length - refused.length, 2, 'in addition to the default one');
	t.true(refused.every(error => error instanceof ConflictError && /Raise host\.maxIdentities/.test(error.message)));
	const [listed] = await host.list(null, 10);
	await host.putAside(listed!.name);
	await t.throwsAsync(host.create('kim'), {instanceOf: ConflictError});
});

test('a creation that finds a journal in use leaves it where it is', async t => {
	const folder = await temporaryFolder(t);
	const living = hostIn(t, folder);
	await living.host.create('ada');
	await (await living.find('ada')).cycle('She lives in the first program.');
	const other = hostIn(t, folder);
	await t.throwsAsync(other.host.create('ada'), {instanceOf: JournalError, message: /in use/});
	t.deepEqual(await living.host.list(null, 10), [{name: 'ada', isLive: true}]);
	t.deepEqual(await readdir(path.join(folder, 'identities')), ['.begun', 'ada']);
});

test('an identity that is put aside is no longer found, its journal is kept, and its name is free', async t => {
	const folder = await temporaryFolder(t);
	const {host, find} = hostIn(t, folder);
	await host.create('ada');
	const cycle = (await find('ada')).cycle('The last words.');
	await host.putAside('ada');
	await t.notThrowsAsync(cycle);
	await t.throwsAsync(async () => host.place('ada'), {instanceOf: UnknownIdentityError});
	await t.throwsAsync(host.putAside('ada'), {instanceOf: UnknownIdentityError});
	t.deepEqual(await host.list(null, 10), []);
	await host.create('ada');
	await host.putAside('ada');
	const aside = path.join(folder, 'identities', '.aside');
	t.deepEqual((await readdir(aside)).toSorted(), ['ada~1', 'ada~2']);
	t.true((await readFile(path.join(aside, 'ada~1', 'journal.sqlite'))).includes('The last words.'));
	await t.throwsAsync(host.putAside('default'), {instanceOf: ConflictError, message: /for requests that name none/});
});

test('a request while an identity is being put aside begins nothing', async t => {
	const folder = await temporaryFolder(t);
	const {host, find} = hostIn(t, folder);
	await host.create('ada');
	await find('ada');
	const aside = host.putAside('ada');
	await t.throwsAsync(async () => host.place('ada'), {instanceOf: UnknownIdentityError});
	await aside;
	t.deepEqual(await readdir(path.join(folder, 'identities')), ['.aside', '.begun']);
});

test('the list is read page by page', async t => {
	const {host} = hostIn(t, await temporaryFolder(t));
	for (const name of ['c', 'a', 'b', 'd']) {
		await host.create(name);
	}

	const namesOf = async (after: string | null, limit: number) => (await host.list(after, limit)).map(({name}) => name);
	t.deepEqual(await namesOf(null, 2), ['a', 'b']);
	t.deepEqual(await namesOf('b', 2), ['c', 'd']);
	t.deepEqual(await namesOf('d', 2), []);
});

test('identities that are being created count among the live ones', async t => {
	const {host} = hostIn(t, await temporaryFolder(t), {maxLive: 2});
	const names = ['a', 'b', 'c', 'd'];
	// The disk decides which of them are first.
	const outcomes = (await Promise.allSettled(names.map(async name => host.create(name))))
		.map(outcome => outcome.status === 'fulfilled' ? 'done' : (outcome.reason as BusyError).code);
	t.deepEqual(outcomes.toSorted(), ['busy', 'busy', 'done', 'done']);
	await host.create(names[outcomes.indexOf('busy')]!);
	const created = names.filter((_, i) => outcomes[i] === 'done' || i === outcomes.indexOf('busy'));
	t.deepEqual((await host.list(null, 10)).map(({name}) => name), created);
});

test('invalid names are refused', async t => {
	const {host} = hostIn(t, await temporaryFolder(t));
	for (const name of ['', '..', 'A', '.aside', 'a/b', 'x'.repeat(101)]) {
		await t.throwsAsync(async () => host.place(name), {instanceOf: InputError}, name);
		await t.throwsAsync(host.create(name), {instanceOf: InputError}, name);
		await t.throwsAsync(host.putAside(name), {instanceOf: InputError}, name);
	}
});

test('a caller that leaves does not end the opening', async t => {
	const folder = await temporaryFolder(t);
	const {host, find} = hostIn(t, folder);
	await host.create('ada');
	const leaving = new AbortController();
	const placed = Promise.resolve(host.place('ada', leaving.signal));
	leaving.abort(new Error('gone'));
	await t.throwsAsync(placed, {message: 'gone'});
	t.is((await find('ada')).health().stateId, 0);
});

test('more identities than maxLive can be used in turn', async t => {
	const {host, find} = hostIn(t, await temporaryFolder(t), {maxLive: 3});
	const names = Array.from({length: 8}, (_, i) => `tenant-${i}`);
	for (const name of names) {
		await host.create(name);
	}

	for (let round = 1; round <= 3; round++) {
		for (const name of names) {
			t.is((await (await find(name)).cycle(`Round ${round}.`)).stateId, round);
		}
	}

	t.true((await host.list(null, 100)).filter(({isLive}) => isLive).length <= 3);
});

/** A host with a backup that waits, until the test makes it fail. */
const withFailingBackup = async (t: ExecutionContext, options: Partial<EmbeddedHostOptions> = {}) => {
	const folder = await temporaryFolder(t);
	const copied = Promise.withResolvers<never>();
	const asked = Promise.withResolvers<void>();
	const journals = openJournals({folder: path.join(folder, 'identities'), elsewhere: {default: path.join(folder, 'journal')}});
	const {host, find} = hostIn(t, folder, {maxLive: 1, ...options, journals: {...journals, backup: async () => {
		asked.resolve();
		return copied.promise;
	}}});
	await host.create('ada');
	const backup = host.backup!('ada');
	await asked.promise;
	return {host, find, backup, fail: () => copied.reject(new JournalError('The journal is closed, or it has failed.'))};
};

test('a backup whose identity is closed during it fails, and can be retried', async t => {
	const {host, backup, fail} = await withFailingBackup(t);
	await host.putAside('ada');
	fail();
	const error = await t.throwsAsync(backup, {instanceOf: UnavailableError});
	t.is(error.message, 'The identity “ada” was closed before its backup was done; try again in a moment.');
	t.true(error.retryable);
});

test('a backup while the journal cannot be written fails, and can be retried', async t => {
	let isFull = false;
	const open = async (_name: string, whole: Journal) => {
		const journal = new Proxy(whole, {get(target, name) {
			const member: unknown = Reflect.get(target, name, target);
			return isFull && (name === 'append' || name === 'open')
				? async () => Promise.reject(new JournalError('the disk is full'))
				: typeof member === 'function' ? member.bind(target) as unknown : member;
		}});
		return (await startIdentity({kernel, journal})).identity;
	};
	const {find, backup, fail} = await withFailingBackup(t, {open});
	isFull = true;
	await t.throwsAsync((await find('ada')).cycle('It is not kept.'), {instanceOf: JournalError});
	fail();
	const error = await t.throwsAsync(backup, {instanceOf: UnavailableError});
	t.is(error.message, 'There is no backup while the journal cannot be written: the disk is full');
	t.true(error.retryable);
});

test('an identity that cannot be opened with this configuration can be backed up', async t => {
	const folder = await temporaryFolder(t);
	{
		const {host, find} = hostIn(t, folder);
		await host.create('ada');
		await (await find('ada')).cycle('The sea is quiet today.');
		await host[Symbol.asyncDispose]();
	}

	const {host, find} = hostIn(t, folder, {async open() {
		throw new ConfigurationError('It was begun with another model.');
	}});
	for (const _ of ['first', 'again']) {
		await using backup = await host.backup!('ada');
		await using rows = openSqliteRows(path.dirname(backup.file));
		t.is(rows.last, 1);
	}

	await t.throwsAsync(find('ada'), {message: 'It was begun with another model.'});
	await t.throwsAsync(host.backup!('bob'), {instanceOf: UnknownIdentityError});
});

test('an identity stays live during its backup, and a failed backup says why', async t => {
	const {find, backup, fail} = await withFailingBackup(t);
	await t.throwsAsync(find('default'), {instanceOf: BusyError});
	fail();
	await t.throwsAsync(backup, {instanceOf: JournalError, message: 'The journal is closed, or it has failed.'});
	t.is((await find('default')).health().stateId, 0);
});
