/** Where a node places an identity, tested without a database. */
import test from 'ava';
import {Whereabouts, type Neighbourhood} from '../../../src/host/postgres/whereabouts.ts';
import type {LocalIdentity} from '../../../src/identity/identity.ts';
import {JournalError, MovedError, UnavailableError} from '../../../src/platform/errors.ts';

const identity = {} as LocalIdentity;
const other = {number: 2, url: 'http://other'};

/** A trusted node 1 without identities, which can take over any. */
const nodeOf = ({
	member,
	owners,
	live,
}: {[Part in 'member' | 'owners' | 'live']?: Partial<Neighbourhood[Part]>} = {}): Whereabouts => new Whereabouts({
	url: 'http://here',
	member: {isTrusted: true, number: 1, living: new Set([1, 2]), trusted: async () => {}, ...member},
	owners: {find: () => null, ask: async () => null, forget() {}, ...owners},
	live: {find: () => null, get: async () => identity, ...live},
});

test('an identity that is live here is placed here, without a promise', t => {
	t.deepEqual(nodeOf({live: {find: () => identity}}).place('ada'), {here: identity});
});

test('an identity of another living node is placed there, without a query', t => {
	t.deepEqual(nodeOf({owners: {find: () => other}}).place('ada'), {elsewhere: 'http://other'});
});

test('a node that lost its membership waits for it before it answers from memory', async t => {
	let isJoined = false;
	const trusted = async () => void (isJoined = true);
	const node = nodeOf({member: {isTrusted: false, trusted}, live: {find: () => identity}, owners: {find: () => other}});
	t.deepEqual([await node.place('ada'), isJoined], [{here: identity}, true]);
});

test('an identity of a node that is gone is taken over here', async t => {
	t.deepEqual(await nodeOf({member: {living: new Set([1])}, owners: {find: () => other}}).place('ada'), {here: identity});
});

test('if another node is faster, the owner is looked up again', async t => {
	let owner: typeof other | null = null;
	const node = nodeOf({
		owners: {ask: async () => owner},
		live: {
			async get() {
				owner = other;
				throw new MovedError('Another node was faster.');
			},
		},
	});
	t.deepEqual(await node.place('ada'), {elsewhere: 'http://other'});
});

test('a stopping node places no identity here, and the error says so', async t => {
	const node = nodeOf({live: {find: () => identity}});
	node.isStopping = true;
	await t.throwsAsync(async () => node.place('ada'), {instanceOf: MovedError, message: /handing over “ada”/});
});

test('an owner that did not answer is forgotten, and looked up again', async t => {
	const forgotten: string[] = [];
	const owners = {find: () => forgotten.length === 0 ? other : null, forget: (name: string) => forgotten.push(name) && undefined};
	t.is(await nodeOf({owners}).findOwner('ada', 'http://other'), 'http://here');
	t.deepEqual(forgotten, ['ada']);
});

test('while the database cannot be reached, an identity is unavailable', async t => {
	const ask = async (): Promise<never> => {
		throw new JournalError('The database cannot be reached.', {retryable: true});
	};

	await t.throwsAsync(async () => nodeOf({owners: {ask}}).place('ada'), {
		instanceOf: UnavailableError,
		message: 'The database cannot be reached.',
	});
});
