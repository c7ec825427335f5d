/** How a node takes over an identity, tested without a database. */
import test from 'ava';
import {TakeOver} from '../../../src/host/postgres/take-over.ts';
import type {LocalIdentity} from '../../../src/identity/identity.ts';
import type {Journal} from '../../../src/journal/journal.ts';
import {MovedError} from '../../../src/platform/errors.ts';

/** Node 1 opens an identity for which the database gives these standings, one after another. */
const takeOverOf = ({standings, joins = () => 1}: {standings: Array<{node: number; dueMs: number | null}>; joins?: () => number}) => {
	const seen: object[] = [];
	const listeners: Record<string, (event: object) => void> = {};
	const identity = {
		actor: {
			send: (event: object) => seen.push(event),
			on(type: string, listener: (event: object) => void) {
				listeners[type] = listener;
			},
		},
		dispose: async () => seen.push({type: 'disposed'}),
	} as unknown as LocalIdentity;
	const takeOvers = new TakeOver({
		defaultName: 'default',
		cycleIntervalMs: 1000,
		journalOf: () => ({}) as Journal,
		open: async () => identity,
	}, {
		standing: async () => standings.length > 1 ? standings.shift() : standings[0],
		ownedBy: async () => new Set(['kept']),
		putLoopOff: async (name, node, dueMs, {frees}) => void seen.push({name, node, dueMs, frees}),
	}, {
		number: 1,
		untilGone: async () => {},
		get joins() {
			return joins();
		},
	});
	return {takeOvers, identity, seen, emit: (type: string, event = {}) => listeners[type]!(event)};
};

test('the loop of an identity that is taken over resumes when its next cycle is due', async t => {
	const {takeOvers, identity, seen} = takeOverOf({standings: [{node: 1, dueMs: 250}]});
	t.is(await takeOvers.open('default'), identity);
	t.deepEqual(seen, [{type: 'daemon.resume', dueMs: 250}]);
});

test('an identity that another node took in between is closed again', async t => {
	const {takeOvers, seen} = takeOverOf({standings: [{node: 2, dueMs: null}]});
	await t.throwsAsync(takeOvers.open('default'), {instanceOf: MovedError});
	t.deepEqual(seen, [{type: 'disposed'}]);
	t.deepEqual(takeOvers.counts, {takeOvers: 0, fenced: 0});
});

test('if the lock is lost during the query, the standing is queried again', async t => {
	let reads = 0;
	// The second reading differs from the first.
	const joins = () => ++reads === 2 ? 2 : 1;
	const {takeOvers} = takeOverOf({standings: [{node: 1, dueMs: null}, {node: 2, dueMs: null}], joins});
	await t.throwsAsync(takeOvers.open('default'), {instanceOf: MovedError});
});

test('a node counts the identities that it took over, and those taken from it', async t => {
	const {takeOvers, emit} = takeOverOf({standings: [{node: 1, dueMs: null}]});
	await takeOvers.open('default');
	emit('moved');
	t.deepEqual(takeOvers.counts, {takeOvers: 1, fenced: 1});
});

test('a loop whose cycle fails is due an interval later, on any node', async t => {
	const {takeOvers, seen, emit} = takeOverOf({standings: [{node: 1, dueMs: null}]});
	await takeOvers.open('default');
	emit('cycle.failed', {origin: 'caller'});
	t.deepEqual(seen, []);
	emit('cycle.failed', {origin: 'daemon'});
	t.deepEqual(seen, [{name: 'default', node: 1, dueMs: 1000, frees: false}]);
});

test('after a lapse of membership, a node closes the identities that it no longer owns, and no others', async t => {
	const closed: string[] = [];
	const {takeOvers} = takeOverOf({standings: []});
	const find = (name: string) => ({dispose: async () => closed.push(name)}) as unknown as LocalIdentity;
	await takeOvers.closeLost({names: () => ['kept', 'lost'], find});
	t.deepEqual(closed, ['lost']);
});
