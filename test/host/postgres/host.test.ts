/** Nodes in one program on one real database: which one has an identity, how it changes owners, and what its loop does. */
import {once} from 'node:events';
import test from 'ava';
import {ConflictError, JournalError, MovedError, UnavailableError, UnknownIdentityError} from '../../../src/platform/errors.ts';
import type {PostgresHostOptions} from '../../../src/host/postgres/open-postgres-host.ts';
import type {LocalIdentity} from '../../../src/identity/identity.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {dimensions} from '../../../src/kernel/dimensions.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import {randomState} from '../../../src/semiosis/initial-state.ts';
import {StateTensor} from '../../../src/kernel/state-tensor.ts';
import {mulberry32, startIdentity} from '../../actors/fixtures.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {here, nodesOf} from './nodes.ts';
import {deepEqual} from '../../helpers/deep-equal.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

const kernel = selectKernel();

const withNodes = nodesOf(server);

const kindsOf = async ({database, name}: {database: Awaited<ReturnType<typeof withNodes>>['database']; name: string}): Promise<string[]> =>
	(await database.query<{kind: string}>(
		'select kind from processual.record join processual.identity on identity.no = record.identity '
			+ 'where identity.id = $1 order by record.seq',
		[name],
	)).map(({kind}) => kind);

test.serial('the first node to be asked has the identity, and others point to it', async t => {
	const {join} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	await (await here(a)).cycle('first');
	t.deepEqual(await b.place('default'), {elsewhere: 'http://a'});
	t.deepEqual(b.place('default'), {elsewhere: 'http://a'}, 'without another query');
	t.is(await here(a), await here(a), 'it stays live');
	t.deepEqual([a.owned, b.owned], [1, 0]);
	await t.throwsAsync(async () => b.place('ada'), {instanceOf: UnknownIdentityError});
});

test.serial('an identity that is handed over continues at another node with the same state', async t => {
	const {join} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	await (await here(a)).cycle('first');
	const before = (await here(a)).tensor();
	t.deepEqual(await b.place('default'), {elsewhere: 'http://a'});
	const drained = a.drain();
	await t.throwsAsync(async () => a.place('default'), {instanceOf: MovedError}, 'requests are now for the next owner');
	await drained;
	t.is(await b.findOwner('default', 'http://a'), 'http://b');
	deepEqual(t, (await here(b)).tensor(), before);
	t.is((await (await here(b)).cycle('second')).stateId, 2);
	t.deepEqual(await a.place('default'), {elsewhere: 'http://b'}, 'while it stops, it points to the next owner');
});

test.serial('an identity of a node that is gone is taken over, and requests that wait for that node are aborted', async t => {
	const {join} = await withNodes(t);
	// A frozen node: it no longer polls the database.
	const frozen = await join('frozen', {timers: {setTimeout: () => 0, clearTimeout() {}}});
	const b = await join('b');
	const identity = await here(frozen);
	await identity.cycle('first');
	t.deepEqual(await b.place('default'), {elsewhere: 'http://frozen'});
	const gone = b.lifeOf('http://frozen');
	t.false(gone.aborted);
	await new Promise(resolve => {
		gone.addEventListener('abort', resolve);
	});
	t.is((await (await here(b)).cycle('second')).stateId, 2);
	await t.throwsAsync(identity.cycle('late'), {instanceOf: MovedError});
	t.false(frozen.isMember);
	t.is((await (await here(b)).cycle('third')).stateId, 3);
	t.true(b.lifeOf('http://frozen').aborted, 'also for a late request to it');
	t.false(b.lifeOf('http://b').aborted);
});

test.serial('held texts survive a takeover, and only the next owner can release them', async t => {
	const {join} = await withNodes(t);
	const frozen = await join('frozen', {timers: {setTimeout: () => 0, clearTimeout() {}}});
	const b = await join('b');
	const identity = await here(frozen);
	const initial = identity.tensor();
	await identity.cycle({content: 'first', source: 'viktor'});
	await identity.revise({without: {sources: ['viktor']}, hold: true, note: 'Not his.'});
	for (const id of ['c', 'd']) {
		await identity.cycle({content: id, source: 'viktor', id});
	}

	const held = await identity.held();
	t.deepEqual(await b.place('default'), {elsewhere: 'http://frozen'});
	await once(b.lifeOf('http://frozen'), 'abort');
	const next = await here(b);
	t.deepEqual(await next.held(), held);
	t.regex((await next.cycle({content: 'e', source: 'viktor', id: 'e'})).held!, /Not his/);
	await t.throwsAsync(identity.releaseHeld({ids: ['c']}), {instanceOf: MovedError});
	t.deepEqual((await next.releaseHeld({sources: ['viktor']})).ids, ['c', 'd', 'e']);
	const {identity: other} = await startIdentity({
		kernel, initialState: async () => new StateTensor(0, initial.timestamp, dimensions.map(name => initial.dimensions[name])),
	});
	for (const content of ['c', 'd', 'e']) {
		await other.cycle(content);
	}

	deepEqual(t, next.tensor().dimensions, other.tensor().dimensions, 'the state of an identity that heard only these three');
	await other.dispose();
});

test.serial('a node whose session was cut closes the identities that others took over before it answers again', async t => {
	const {database, join} = await withNodes(t);
	const a = await join('a');
	const identity = await here(a);
	await identity.cycle('first');
	// Another node was faster.
	await database.query('update processual.identity set fence = gen_random_uuid(), node = null');
	await database.query(
		'select pg_terminate_backend(pid) from pg_locks where locktype = \'advisory\' and database = (select oid from pg_database '
			+ 'where datname = current_database())',
	);
	const stopped = new Promise(resolve => {
		identity.on('stopped', resolve);
	});
	await stopped;
	const next = await here(a);
	t.not(next, identity);
	t.is(next.state().stateId, 1);
	t.true(a.isMember);
});

test.serial('another node resumes a due loop without a request, and without a record of a second start', async t => {
	const {database, join} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	await (await here(a)).daemon.start();
	await (await here(a)).cycle('first');
	await a.drain();
	t.deepEqual(await kindsOf({database, name: 'default'}), ['daemon.started', 'cycle']);
	await a[Symbol.asyncDispose]();
	await database.query('update processual.identity set loop_at = now() - interval \'1 hour\'');
	while (b.owned === 0) {
		await new Promise(setImmediate);
	}

	t.true((await here(b)).daemon.status().daemonRunning);
	await (await here(b)).daemon.stop();
	await (await here(b)).cycle('second');
	t.deepEqual(await kindsOf({database, name: 'default'}), ['daemon.started', 'cycle', 'daemon.stopped', 'cycle']);
});

test.serial('identities are created, listed and copied on any node, and put aside by their owner', async t => {
	const {join} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	const state = new StateTensor(42, '2026-01-01T00:00:00.000Z', randomState(mulberry32(3), '').rows);
	await a.create('ada', {state});
	await t.throwsAsync(b.create('ada'), {instanceOf: ConflictError});
	t.is((await here(b, 'ada')).state().stateId, 42);
	await (await here(b, 'ada')).cycle('first');
	await t.throwsAsync(a.create('ada'), {instanceOf: ConflictError}, 'also while it is live elsewhere');
	await here(a);
	t.deepEqual(await a.list(null, 10), [{name: 'ada', isLive: true}, {name: 'default', isLive: true}]);
	t.deepEqual(await a.list('ada', 10), [{name: 'default', isLive: true}]);

	await a.create('copy', {copyOf: 'ada'});
	deepEqual(t, (await here(a, 'copy')).tensor(), (await here(b, 'ada')).tensor());
	await t.throwsAsync(a.create('late', {copyOf: 'unknown'}), {instanceOf: UnknownIdentityError});

	await t.throwsAsync(a.putAside('ada'), {instanceOf: MovedError}, 'its owner puts it aside');
	t.is((await (await here(b, 'ada')).cycle('second')).stateId, 44);
	await b.putAside('ada');
	await t.throwsAsync(async () => b.place('ada'), {instanceOf: UnknownIdentityError});
	await t.throwsAsync(a.putAside('ada'), {instanceOf: UnknownIdentityError});
	await t.throwsAsync(a.putAside('default'), {instanceOf: ConflictError});
	await a.create('ada');
	t.is((await here(a, 'ada')).state().stateId, 0, 'its name is free');
});

test.serial('creating an existing name is refused, and does not change its owner', async t => {
	const {join} = await withNodes(t);
	const a = await join('a');
	await a.create('ada');
	const identity = await here(a, 'ada');
	await identity.cycle('first');
	await t.throwsAsync(a.create('ada'), {instanceOf: ConflictError});
	t.is((await identity.cycle('second')).stateId, 2, 'it is still the owner');
	t.is(await here(a, 'ada'), identity);
});

test.serial('an early request does not disturb a creation', async t => {
	const {database, join} = await withNodes(t);
	let early: Promise<LocalIdentity> | null = null;
	const a = await join('a', {journalOf(name, taker) {
		const journal = createPostgresJournal({database, name, taker});
		const begin = journal.begin.bind(journal);
		journal.begin = async genesis => {
			early = here(a, 'ada');
			// Enough time for a takeover.
			for (let i = 0; i < 20; i++) {
				await database.query('select 1');
			}

			await begin(genesis);
		};
		return journal;
	}});
	await a.create('ada');
	t.is((await early!).state().stateId, 0);
	t.is((await (await here(a, 'ada')).cycle('first')).stateId, 1);
});

test.serial('a failed creation leaves nothing in the list, and the name free', async t => {
	const {join} = await withNodes(t);
	let isBroken = true;
	const a = await join('a', {
		async open(_name, journal) {
			if (isBroken) {
				throw new Error('no model');
			}

			return (await startIdentity({kernel, journal})).identity;
		},
	});
	await t.throwsAsync(a.create('ada'), {message: 'no model'});
	t.deepEqual(await a.list(null, 10), []);
	isBroken = false;
	await a.create('ada');
	t.deepEqual(await a.list(null, 10), [{name: 'ada', isLive: false}]);
});

test.serial('an identity is unavailable while the database cannot be reached, and found again afterwards', async t => {
	const {database, join} = await withNodes(t);
	let isAway = false;
	const a = await join('a', {database: {
		...database,
		async query(...given) {
			if (isAway) {
				throw new JournalError('The database is stopping or starting.', {retryable: true});
			}

			return database.query(...given);
		},
	}});
	isAway = true;
	await t.throwsAsync(async () => a.place('default'), {instanceOf: UnavailableError, message: 'The database is stopping or starting.'});
	isAway = false;
	t.is((await here(a)).state().stateId, 0);
});

test.serial('a node that cannot join leaves no lock behind', async t => {
	const {database, join} = await withNodes(t);
	await database.query('alter table processual.identity rename to away');
	await t.throwsAsync(join('a'), {instanceOf: JournalError});
	while ((await database.query(
		'select from pg_locks where locktype = \'advisory\' and database = (select oid from pg_database where datname = current_database())',
	)).length > 0) {
		await new Promise(setImmediate);
	}

	t.pass();
});

test.serial('after the database\'s clock was set back, a loop waits at most one interval', async t => {
	const {database, join} = await withNodes(t);
	const a = await join('a', {cycleIntervalMs: 1000});
	await (await here(a)).daemon.start();
	await a[Symbol.asyncDispose]();
	await database.query('update processual.identity set loop_at = now() + interval \'1 day\'');
	const waits: number[] = [];
	await join('b', {
		cycleIntervalMs: 1000,
		async open(_name, journal) {
			const {identity} = await startIdentity({kernel, journal});
			const {actor} = identity;
			const send = actor.send.bind(actor);
			actor.send = event => {
				if (event.type === 'daemon.resume') {
					waits.push(event.dueMs);
				}

				send(event);
			};
			return identity;
		},
	});
	while (waits.length === 0) {
		await new Promise(setImmediate);
	}

	t.deepEqual(waits, [1000]);
});

test.serial('an idle identity leaves its node, even if its loop runs', async t => {
	const {database, join} = await withNodes(t);
	const a = await join('a', {idleMs: 20});
	await a.create('ada');
	await (await here(a, 'ada')).daemon.start();
	await here(a);
	while (a.owned > 0) {
		await new Promise(setImmediate);
	}

	const nodeOf = async () => (await database.query<{node: number | null; on: boolean}>(
		'select node, loop_on as on from processual.identity where id = \'ada\'',
	))[0];
	while ((await nodeOf())!.node !== null) {
		await new Promise(setImmediate);
	}

	t.deepEqual(await nodeOf(), {node: null, on: true});
	t.true((await here(a, 'ada')).daemon.status().daemonRunning, 'it still runs after the next request');
});

test.serial('a loop that a node took, but does not run because the answer was lost, is taken again by that node', async t => {
	t.timeout(20_000);
	const {database, join} = await withNodes(t);
	const a = await join('a', {idleMs: 20});
	await a.create('ada');
	await (await here(a, 'ada')).daemon.start();
	while ((await database.query('select 1 from processual.identity where id = \'ada\' and loop_on and node is null')).length === 0) {
		await new Promise(setImmediate);
	}

	const {takeOvers} = a.counts;
	await database.query('update processual.identity set loop_at = now() - interval \'1 hour\', '
		+ 'node = (select no from processual.node) where id = \'ada\'');
	while (a.counts.takeOvers === takeOvers) {
		await new Promise(setImmediate);
	}

	t.pass();
});

test.serial('nodes share the loops that are due, and none is opened or runs twice', async t => {
	const {database, join} = await withNodes(t);
	const names = Array.from({length: 12}, (_, i) => `loop-${i}`);
	const opened: string[] = [];
	const first = await join('first');
	for (const name of names) {
		await first.create(name);
		await (await here(first, name)).daemon.start();
	}

	await first.drain();
	await first[Symbol.asyncDispose]();
	await database.query('update processual.identity set loop_at = now() - interval \'1 hour\' where loop_on');
	const settings: Partial<PostgresHostOptions> = {
		maxLive: 4,
		async open(name, journal) {
			opened.push(name);
			return (await startIdentity({kernel, journal, newId: () => crypto.randomUUID(), clock: undefined!})).identity;
		},
	};
	await Promise.all(['b', 'c'].map(async id => join(id, settings)));
	const done = async () => database.query<{id: string; cycles: number}>('select identity.id, count(*)::int as cycles '
		+ 'from processual.record join processual.identity on no = identity where kind = \'cycle\' group by 1 order by 1');
	while ((await done()).length < names.length) {
		await new Promise(setImmediate);
	}

	t.deepEqual(await done(), names.toSorted().map(id => ({id, cycles: 1})));
	t.deepEqual(opened.toSorted(), names.toSorted(), 'each was opened once');
});

test.serial('of nodes that are asked at the same time, exactly one gets the identity', async t => {
	const {join} = await withNodes(t);
	const nodes = await Promise.all(['a', 'b', 'c'].map(async id => join(id)));
	const placements = await Promise.all(nodes.map(async node => node.place('default')));
	t.is(placements.filter(placement => 'here' in placement).length, 1);
	t.is(new Set(placements.map(placement => 'elsewhere' in placement ? placement.elsewhere : 'here')).size, 2);
});

test('nodes together create at most maxIdentities identities, including those put aside', async t => {
	const {join} = await withNodes(t);
	const [a, b] = [await join('a', {maxIdentities: 3}), await join('b', {maxIdentities: 3})];
	await a.create('ada');
	await b.create('ben');
	await a.putAside('ada');
	await t.throwsAsync(b.create('eve'), {instanceOf: ConflictError, message: /host\.maxIdentities/});
	await t.throwsAsync(a.create('ben'), {instanceOf: ConflictError, message: /already/});
});

test('of two concurrent calls to put an identity aside, one fails because it is gone', async t => {
	const {join} = await withNodes(t);
	const host = await join('a');
	await host.create('ada');
	const outcomes = await Promise.allSettled([host.putAside('ada'), host.putAside('ada')]);
	t.deepEqual(outcomes.map(({status}) => status).toSorted(), ['fulfilled', 'rejected']);
	t.true(outcomes.some(outcome => outcome.status === 'rejected' && outcome.reason instanceof UnknownIdentityError));
});
