/** The fleet of a folder: one row per identity, correct after restarts and kills, without opening any. */
import {cp, rm, readdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import {FleetFile} from '../../src/host/fleet-file.ts';
import {emptyRow, type FleetWatch} from '../../src/instruments/fleet.ts';
import {openToWrite} from '../../src/platform/sqlite/open-database.ts';
import {temporaryFolder} from '../journal/records.ts';
import {startFleet, validate} from './fleet-in.ts';

test('each identity has a row, and none is opened for it', async t => {
	const folder = await temporaryFolder(t);
	const first = startFleet(t, folder);
	await first.host.create('ada');
	await first.host.create('ben');
	await first.say('ada', [{content: 'I am Ada.', source: 'Ada'}, {content: 'I am still here.', source: 'Ada'}]);
	await first.until(async () => (await first.rowOf('ada')).texts === 2);
	const said = await first.fleet({});
	t.like(said, {total: 2, found: 2, alarms: 0, unusual: 0, behind: 0, next: null});
	t.like(said.identities[0], {id: 'ada', texts: 2, lastText: '2026-01-01T01:02:00.000Z', level: 'ok', held: 0, revision: null, p: null});
	t.like(said.identities[1], {id: 'ben', texts: 0, lastText: null, validated: null, alarm: false, isCurrent: true});
	await first.end();

	const second = startFleet(t, folder);
	t.deepEqual(await second.fleet({}), said);
	t.deepEqual(second.opened, []);
	await second.host.putAside('ben');
	t.deepEqual((await second.fleet({})).identities.map(({id}) => id), ['ada']);
});

test('a row that a kill left outdated is updated at the next start', async t => {
	const folder = await temporaryFolder(t);
	const first = startFleet(t, folder);
	await first.host.create('ada');
	await first.say('ada', [{content: 'I am Ada.', source: 'Ada'}]);
	await first.until(async () => (await first.rowOf('ada')).texts === 1);
	await first.end();
	// The files of the rows as they were when the program was killed.
	const rows = path.join(folder, 'fleet.sqlite');
	const before = await readFile(rows);
	const second = startFleet(t, folder);
	await second.say('ada', [{content: 'I am still here.', source: 'Ada'}]);
	await second.end();
	await writeFile(rows, before);

	const third = startFleet(t, folder);
	t.like(await third.rowOf('ada'), {texts: 1});
	await third.until(async () => (await third.rowOf('ada')).texts === 2);
	t.deepEqual(third.opened, ['ada']);
	t.like(await third.fleet({}), {behind: 0, total: 1});
});

test('a damaged or missing file of rows is rebuilt from the journals', async t => {
	const folder = await temporaryFolder(t);
	const first = startFleet(t, folder);
	await first.host.create('ada');
	await first.say('ada', [{content: 'I am Ada.', source: 'Ada'}]);
	await first.end();
	await writeFile(path.join(folder, 'fleet.sqlite'), 'No rows are in this.');

	const second = startFleet(t, folder);
	t.regex(second.warnings[0]!, /rows of the fleet .*fleet\.sqlite will be rebuilt/);
	await second.until(async () => (await second.rowOf('ada'))?.texts === 1);
	await second.end();

	// A folder of an earlier version has none.
	const older = await temporaryFolder(t);
	await cp(path.join(folder, 'identities'), path.join(older, 'identities'), {recursive: true});
	const third = startFleet(t, older);
	await third.until(async () => (await third.rowOf('ada'))?.texts === 1);
	t.deepEqual(third.warnings, []);
});

test('if the file of rows cannot be created, the rows are kept in memory, with a warning', async t => {
	const folder = await temporaryFolder(t);
	await writeFile(path.join(folder, 'file'), '');
	const {host, say, until, rowOf, warnings, end} = startFleet(t, folder, {fleetFile: path.join(folder, 'file', 'fleet.sqlite')});
	await host.create('ada');
	await say('ada', [{content: 'I am Ada.', source: 'Ada'}]);
	await until(async () => (await rowOf('ada'))?.texts === 1);
	t.regex(warnings[0]!, /rows of the fleet are not saved, because .*fleet\.sqlite cannot be written: /);
	await end();
});

test('a file of rows that another program locks fails no request, and is written again when it is unlocked', async t => {
	const folder = await temporaryFolder(t);
	const {host, say, until, rowOf, fleet, warnings, end} = startFleet(t, folder);
	await host.create('ada');
	await host.create('eve');
	const other = openToWrite(path.join(folder, 'fleet.sqlite'));
	other.exec('begin; select * from fleet');
	await host.create('ben');
	await host.putAside('eve');
	other.close();
	t.deepEqual((await fleet({})).identities.map(({id}) => id), ['ada', 'ben']);
	t.deepEqual(warnings.map(warning => /The row of “(.*)” in the fleet could not be written/.exec(warning)?.[1]), ['ben', 'eve']);
	await say('ada', [{content: 'I am Ada.', source: 'Ada'}]);
	await until(async () => (await rowOf('ada')).texts === 1);
	await end();

	const second = startFleet(t, folder);
	t.like((await second.fleet({})).identities[0], {id: 'ada', texts: 1});
	t.is(second.warnings.length, 0);
});

test('a changed row leaves no byte of its earlier content', async t => {
	const file = path.join(await temporaryFolder(t), 'fleet.sqlite');
	const store = new FleetFile(file, t.fail);
	const watch: FleetWatch = {
		conversations: 9, alarm: false, p: 0.005, tailP: 0.001, distance: 3, unreadShare: 0, readings: [], endsAt: null,
		topSource: {source: 'Viktor of the quay', share: 0.8, p: 0.005, explains: true},
	};
	const namesViktor = async () => {
		const names = await readdir(path.dirname(file));
		const contents = await Promise.all(names.map(async name => readFile(path.join(path.dirname(file), name))));
		return contents.some(content => content.includes('Viktor of the quay'));
	};

	await store.put([{name: 'ada', row: {...emptyRow, watch}, isCurrent: true}]);
	t.true(await namesViktor());
	await store.put([{name: 'ada', row: {...emptyRow, watch: {...watch, topSource: null}}, isCurrent: true}]);
	t.false(await namesViktor());
	store.close();
	t.false(await namesViktor());
});

test('identities with an alarm come first, with p and the source that pushed them, and a source that pushes both is named', async t => {
	const folder = await temporaryFolder(t);
	const talks = {ada: await validate(folder, 'ada', 3), ben: await validate(folder, 'ben', 5), cleo: await validate(folder, 'cleo', 7)};
	const {say, until, fleet, rowOf, noticed, end} = startFleet(t, folder);
	for (let i = 0; i < 25; i++) {
		await say('ada', talks.ada.ordinary());
	}

	for (const name of ['ben', 'cleo'] as const) {
		for (let i = 0; i < 15; i++) {
			await say(name, talks[name].strange());
		}

		// Before the identity leaves memory.
		await until(async () => typeof (await rowOf(name)).topSource?.p === 'number');
	}

	await until(async () => (await fleet({order: 'name'})).identities.map(({conversations}) => conversations).join(' ') === '25 15 15');
	const {identities: [first, other, second], alarms, unusual, sources} = await fleet({});
	t.deepEqual([[first!.id, other!.id].toSorted(), second!.id, alarms, unusual], [['ben', 'cleo'], 'ada', 2, 2]);
	t.true(first!.tailP! < 0.005 && first!.named && other!.named && !second!.named);
	t.like(first, {alarm: true, p: 0.005, topSource: {source: 'mallory', p: 0.005, explains: true}});
	t.deepEqual(sources, [{source: 'mallory', identities: 2, p: 2 * other!.tailP!, named: true}]);
	t.true(first!.readings.at(-1)! > 1 && second!.readings.every(reading => reading <= 1));
	t.is(first!.readings.length, 15);
	t.true(second!.p! > 0.05 && !second!.alarm && second!.topSource === null);
	t.is((await fleet({only: 'alarms'})).found, 2);
	await end();

	const next = startFleet(t, folder);
	t.deepEqual((await next.fleet({})).identities, [first!, other!, second!]);
	t.deepEqual(next.opened, []);

	// A source that was noticed is not noticed again after a restart.
	t.deepEqual(noticed, ['ben: mallory', 'cleo: mallory']);
	for (let texts = 120; texts < 140; texts += 5) {
		await next.say('ben', talks.ben.strange().slice(0, 5));
	}

	await next.until(async () => (await next.rowOf('ben')).texts === 140);
	// The watch's question was asked earlier, so it is answered first.
	const identity = await next.find('ben');
	await identity.drift();
	await identity.drift();
	t.deepEqual(next.noticed, []);
	await next.end();

	// Rebuilt rows name the source, too.
	await rm(path.join(folder, 'fleet.sqlite'));
	const again = startFleet(t, folder);
	await again.until(async () => (await again.fleet({})).sources[0]?.identities === 2);
	t.is((await again.fleet({})).sources[0]!.source, 'mallory');
});

test('a conversation ends on time although its identity is not in memory, and raises its alarm without a request', async t => {
	const folder = await temporaryFolder(t);
	const ben = await validate(folder, 'ben', 5);
	const {say, until, rowOf, alarms, openedAt, clock} = startFleet(t, folder);
	await until(async () => (await rowOf('ben')) !== undefined);
	for (let said = 0; alarms.length === 0; said++) {
		t.true(said < 25);
		await say('ben', ben.strange());
		await until(async () => (await rowOf('ben')).texts === 8 * (said + 1));
		const [saidAt, openedBefore] = [clock.now(), openedAt.length];
		await until(async () => (await rowOf('ben')).conversations === said + 1);
		t.is(openedAt.length, openedBefore + 1, 'it was opened only for that');
		t.true(openedAt.at(-1)! - saidAt < 32 * 60_000, 'after the pause that ends it');
	}

	t.deepEqual(alarms, ['ben']);
	t.true((await rowOf('ben')).alarm);
});

test('an alarm raised after a pause is emitted once, even if its identity is reopened, and so is the next alarm', async t => {
	const folder = await temporaryFolder(t);
	const ben = await validate(folder, 'ben', 5);
	let fleet = startFleet(t, folder);
	/** Runs a conversation, and waits for the pause after it. */
	const say = async (texts: ReturnType<typeof ben.strange>) => {
		const {conversations} = await fleet.rowOf('ben');
		await fleet.say('ben', texts);
		fleet.clock.increment(1_800_000);
		await fleet.until(async () => (await fleet.rowOf('ben')).conversations === (conversations ?? 0) + 1);
	};

	/** Opens the identity, and waits until it is closed because it is idle. */
	const reopen = async () => {
		const identity = await fleet.find('ben');
		await fleet.until(() => identity.watch() !== null);
		await fleet.until(() => identity.actor.getSnapshot().status !== 'active');
	};

	await fleet.until(async () => (await fleet.rowOf('ben')) !== undefined);
	while (fleet.alarms.length === 0) {
		await say(ben.strange());
	}

	await reopen();
	await reopen();
	t.is(fleet.alarms.length, 1);
	await fleet.end();
	fleet = startFleet(t, folder, {clock: fleet.clock});
	await reopen();
	await reopen();
	t.true((await fleet.rowOf('ben')).alarm);
	t.deepEqual(fleet.alarms, []);

	while ((await fleet.rowOf('ben')).alarm) {
		await say(ben.ordinary());
	}

	while (fleet.alarms.length === 0) {
		await say(ben.strange());
	}

	await reopen();
	t.is(fleet.alarms.length, 1);
});
