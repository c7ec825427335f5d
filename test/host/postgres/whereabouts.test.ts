/** Where a node says that an identity is, without a database. */
import test from 'ava';
import {Whereabouts, type Neighbourhood} from '../../../src/host/postgres/whereabouts.ts';
import type {LocalIdentity} from '../../../src/identity/identity.ts';
import {JournalError, MovedError, UnavailableError} from '../../../src/platform/errors.ts';

const identity = {} as LocalIdentity;
const other = {number: 2, url: 'http://other'};

/** A trusted node 1 with nothing, which can take everything over. */
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

test('what is live here is here, without a promise', t => {
	t.deepEqual(nodeOf({live: {find: () => identity}}).place('ada'), {here: identity});
});

test('what a living node has is there, without a question', t => {
	t.deepEqual(nodeOf({owners: {find: () => other}}).place('ada'), {elsewhere: 'http://other'});
});

test('a node that lost its membership asks before it answers from memory', async t => {
	const node = nodeOf({member: {isTrusted: false}, live: {find: () => identity}, owners: {find: () => other}});
	t.deepEqual(await node.place('ada'), {here: identity});
});

test('what a node had that is gone is taken over here', async t => {
	t.deepEqual(await nodeOf({member: {living: new Set([1])}, owners: {find: () => other}}).place('ada'), {here: identity});
});

test('where another node is faster, it is asked again who has it', async t => {
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

test('a node that stops takes nothing over, and says so', async t => {
	const node = nodeOf({live: {find: () => identity}});
	node.stop();
	await t.throwsAsync(async () => node.place('ada'), {instanceOf: MovedError, message: /handing over “ada”/});
});

test('an owner that did not answer is asked for again', async t => {
	const forgotten: string[] = [];
	const owners = {find: () => forgotten.length === 0 ? other : null, forget: (name: string) => forgotten.push(name) && undefined};
	t.is(await nodeOf({owners}).findOwner('ada', 'http://other'), 'http://here');
	t.deepEqual(forgotten, ['ada']);
});

test('a database that is away for a moment is no fault of the journal', async t => {
	const ask = async (): Promise<never> => {
		throw new JournalError('The database cannot be reached.', {retryable: true});
	};

	await t.throwsAsync(async () => nodeOf({owners: {ask}}).place('ada'), {
		instanceOf: UnavailableError,
		message: 'The database cannot be reached.',
	});
});
