/** The fleet of nodes on one real database: every node answers for all identities, and rows missing after a kill are written. */
import {setTimeout} from 'node:timers/promises';
import test from 'ava';
import {SimulatedClock} from 'xstate';
import type {PostgresHost} from '../../../src/host/postgres/open-postgres-host.ts';
import {Directory} from '../../../src/host/postgres/directory.ts';
import {FleetTable} from '../../../src/host/postgres/fleet-table.ts';
import {createUnfinished, ensureIdentityRow, unfinished} from '../../../src/journal/postgres/identity-rows.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import {systemTime} from '../../../src/platform/clock.ts';
import {startIdentity} from '../../actors/fixtures.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {untilWatched} from '../../identity/validated.ts';
import {genesis} from '../../journal/records.ts';
import {encoder, validateIn} from '../fleet-in.ts';
import {here, nodesOf} from './nodes.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

const withNodes = nodesOf(server);

const textsOf = async (host: PostgresHost) =>
	Object.fromEntries((await host.fleet!({order: 'name'})).identities.map(({id, texts, isCurrent}) => [id, isCurrent ? texts : 'behind']));

const until = async (is: () => Promise<boolean>): Promise<void> => {
	while (!await is()) {
		await setTimeout(20);
	}
};

test.serial('every node answers with the rows of all identities, and opens none for it', async t => {
	const {join} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	await a.create('ada');
	await b.create('ben');
	await (await here(a, 'ada')).cycle('I am Ada.');
	await (await here(b, 'ben')).cycle('I am Ben.');
	await (await here(b, 'ben')).cycle('I am still here.');
	for (const node of [a, b]) {
		await until(async () => {
			const {ada, ben} = await textsOf(node);
			return ada === 1 && ben === 2;
		});
	}

	t.deepEqual([a.owned, b.owned], [1, 1]);
	t.is(await a.fleet!({}).then(({total}) => total), 2);
	await b.putAside('ben');
	t.deepEqual(await textsOf(a), {ada: 1});
	await b.create('ben');
	t.deepEqual(await textsOf(a), {ada: 1, ben: 0});
});

test.serial('changed rows are noticed even after the clock of the database was set back', async t => {
	const {database, join} = await withNodes(t);
	const [a, b] = [await join('a'), await join('b')];
	await b.create('ben');
	const ben = await here(b, 'ben');
	await ben.cycle('I am Ben.');
	await until(async () => (await textsOf(b))['ben'] === 1);
	// As if it was written while the clock was ahead, and then read.
	await database.query('update processual.fleet set changed = now() + interval \'1 hour\'');
	t.deepEqual([await textsOf(a), await textsOf(b)], [{ben: 1}, {ben: 1}]);
	await ben.cycle('I am still here.');
	await until(async () => (await textsOf(b))['ben'] === 2);
	t.deepEqual(await textsOf(a), {ben: 2});
	await b.create('dan');
	await (await here(b, 'dan')).cycle('I am Dan.');
	await until(async () => (await textsOf(b))['dan'] === 1);
	t.deepEqual(await textsOf(a), {ben: 2, dan: 1});
});

test.serial('a row that was not written before a kill is written when a node opens its identity', async t => {
	const {database, join} = await withNodes(t);
	const a = await join('a');
	await a.create('ada');
	await (await here(a, 'ada')).cycle('I am Ada.');
	await until(async () => (await textsOf(a))['ada'] === 1);
	await a[Symbol.asyncDispose]();
	// A program that keeps no fleet, like a node that is killed before it writes the row.
	const {identity} = await startIdentity({
		kernel: selectKernel(), journal: createPostgresJournal({database, name: 'ada'}), newId: () => crypto.randomUUID(),
	});
	await identity.cycle('I am still here.');
	await identity.dispose();

	const b = await join('b');
	await until(async () => (await textsOf(b))['ada'] === 2);
	t.like(await b.fleet!({}), {behind: 0, total: 1});
});

test.serial('an identity that a command is still making is listed and taken by no node', async t => {
	const {database, join} = await withNodes(t);
	await createUnfinished(database, 'ada');
	const journal = createPostgresJournal({database, name: unfinished('ada')});
	await journal.open();
	await journal.begin(genesis);
	await journal.append({kind: 'daemon.started', id: 'on', timestamp: '2026-01-01T00:00:00.000Z'});
	const a = await join('a');
	t.deepEqual([await a.list(null, 10), (await a.fleet!({})).total], [[], 0]);
	t.deepEqual(await new Directory(database.query, 0).takeDueLoops(1, 10, []), []);
	t.deepEqual(await new FleetTable(database.query, () => 1, systemTime).take(10), []);
	await t.notThrowsAsync(journal.append({kind: 'daemon.stopped', id: 'off', timestamp: '2026-01-01T00:00:01.000Z'}));
	await journal.close();
});

test.serial('an alarm raised after a pause is emitted once, whichever node opens its identity', async t => {
	const {database, join} = await withNodes(t);
	await ensureIdentityRow(database, 'ben');
	const ben = await validateIn(createPostgresJournal({database, name: 'ben'}), 'ben', 5);
	const clock = new SimulatedClock();
	const alarms: string[] = [];
	const joinAs = async (node: string) => join(node, {
		async open(_name, journal) {
			const {identity} = await startIdentity({
				kernel: selectKernel(), journal, clock, encoder, newId: () => crypto.randomUUID(),
				time: {now: () => Date.UTC(2026, 0, 1) + clock.now(), elapsed: () => clock.now()},
			});
			identity.actor.on('drift.alarm', () => alarms.push(node));
			return identity;
		},
	});
	const a = await joinAs('a');
	const identity = await here(a, 'ben');
	await untilWatched(identity);
	while (alarms.length === 0) {
		for (const text of ben.strange()) {
			clock.increment(60_000);
			await identity.cycle(text);
		}

		await setTimeout(5);
		clock.increment(1_800_002);
	}

	await a[Symbol.asyncDispose]();
	const b = await joinAs('b');
	await untilWatched(await here(b, 'ben'));
	for (let i = 0; i < 20; i++) {
		await setTimeout(5);
		clock.increment(1000);
	}

	t.deepEqual(alarms, ['a']);
	t.like(await b.fleet!({}), {alarms: 1});
});
