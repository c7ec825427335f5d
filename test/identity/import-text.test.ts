/** Imported texts move the state now; conversations, history and drift use the times at which they were said. */
import test from 'ava';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {temporaryFolder} from '../journal/records.ts';

const minute = 60_000;
const birth = Date.UTC(2020, 4, 1);

/** When a text was said: on each day ten texts, a minute apart. */
const saidAt = (i: number): string => new Date(birth + Math.floor(i / 10) * 1440 * minute + i % 10 * minute).toISOString();

const start = async (folder: string) => {
	// The time to learn the baseline grows with the width.
	const {identity} = await startIdentity({journal: createSqliteJournal({folder}), encoder: new FakeEncoder(16)});
	return identity;
};

test('an imported text moves the state now; history, ledger and diff have it at its own time', async t => {
	const folder = await temporaryFolder(t);
	const identity = await start(folder);
	for (let i = 0; i < 3; i++) {
		const source = ['Ada', 'self'][i % 2]!;
		await identity.importText({content: `Text ${i}.`, source, conversation: 'first', saidAt: saidAt(i), id: `text-${i}`});
	}

	t.is(identity.state().timestamp, '2026-01-01T00:00:00.000Z');
	const {points} = await identity.history();
	t.deepEqual(points.slice(1).map(({timestamp}) => timestamp), [0, 1, 2].map(saidAt));
	const {entries} = await identity.ledger();
	t.deepEqual(entries.flatMap(({kind, timestamp}) => kind === 'text' ? [timestamp!] : []).toSorted(), [0, 1, 2].map(saidAt));
	await identity.dispose();

	const again = await start(folder);
	t.teardown(again.dispose);
	const {isReplayed, stateId} = await again.importText({
		content: 'Text 1.', source: 'self', conversation: 'first', saidAt: saidAt(1), id: 'text-1',
	});
	t.deepEqual({isReplayed, stateId}, {isReplayed: true, stateId: 2});
	t.like(await again.diff({from: 1, to: 2}), {texts: [{timestamp: saidAt(1)}]});
	t.like(await again.records(2, 1), [{record: {origin: 'import', saidAt: saidAt(1)}}]);
});

test('pauses between imported texts without ids separate conversations, for a validation and for drift', async t => {
	const identity = await start(await temporaryFolder(t));
	t.teardown(identity.dispose);
	const bring = async (from: number, to: number) => Promise.all(Array.from({length: to - from}, async (_, i) =>
		identity.importText({content: `Text ${i % 23}.`, source: ['Ada', 'Ben'][i % 2]!, saidAt: saidAt(from + i)})));
	await bring(0, 400);
	const {baseline} = await identity.validate({note: 'The first forty days.'});
	t.like(baseline, {texts: 400, conversations: 40, from: saidAt(0)});
	await bring(400, 520);
	const {since, sentence, path, chart} = await identity.drift();
	t.deepEqual(since, {stateId: 400, timestamp: saidAt(399)});
	t.deepEqual((await identity.sources({since: 410})).since, {stateId: 410, timestamp: saidAt(409)});
	t.regex(sentence, /^Since 10 June 2020 it moved \d+ mrad in 120 texts\./);
	t.is(path[0]!.timestamp, saidAt(499));
	t.is(chart!.conversations, 11);
});

test('a time among imported texts finds the newest one said before it', async t => {
	const folder = await temporaryFolder(t);
	const time = {now: () => birth, elapsed: () => 0};
	const {identity} = await startIdentity({journal: createSqliteJournal({folder}), time, initialState: null});
	t.teardown(identity.dispose);
	for (const day of [0, 10, 20]) {
		await identity.importText({content: `Day ${day}.`, saidAt: saidAt(day)});
	}

	t.is((await identity.stateAt(saidAt(15))).stateId, 2);
});

test('a time before the identity began finds the newest text said before it', async t => {
	const identity = await start(await temporaryFolder(t));
	t.teardown(identity.dispose);
	for (const day of [0, 10, 20]) {
		await identity.importText({content: `Day ${day}.`, saidAt: saidAt(day)});
	}

	t.is((await identity.stateAt(saidAt(15))).stateId, 2);
	t.is((await identity.history({since: saidAt(15)})).from.stateId, 2);
	await t.throwsAsync(identity.stateAt('2020-01-01'), {code: 'input', message: /is before the beginning, 2026-01-01/});
});

test('both ends of an interval of imported texts have the times at which they were said', async t => {
	const identity = await start(await temporaryFolder(t));
	t.teardown(identity.dispose);
	for (const i of [0, 10, 20]) {
		await identity.importText({content: `Day ${i}.`, source: 'Ada', saidAt: saidAt(i)});
	}

	const first = {stateId: 1, timestamp: saidAt(0)};
	const last = {stateId: 3, timestamp: saidAt(20)};
	t.like(await identity.ledger({since: 1}), {from: first});
	t.like(await identity.diff({from: 1}), {from: first, to: last});
	t.like(await identity.whatIf({from: 1}), {from: first});
	t.like(await identity.drift({since: 1}), {since: first});
	t.like(await identity.uptake({since: 1}), {since: first});
	const {from, to, points} = await identity.history({since: 1});
	t.deepEqual([from, to, points[0]!.timestamp, points.at(-1)!.timestamp], [first, last, saidAt(0), saidAt(20)]);
});

test('after a revision, an interval of imported texts begins at the time its first was said', async t => {
	const identity = await start(await temporaryFolder(t));
	t.teardown(identity.dispose);
	for (const [i, source] of ['Ada', 'Ben', 'Ada'].entries()) {
		await identity.importText({content: `Day ${i}.`, source, saidAt: saidAt(i * 10)});
	}

	await identity.revise({note: 'Ben was not meant.', without: {sources: ['Ben']}});
	t.like(await identity.ledger({since: 2}), {from: {stateId: 2, timestamp: saidAt(10)}});
});

test('an invalid time is refused, and the state does not move', async t => {
	const {identity} = await startIdentity();
	t.teardown(identity.dispose);
	for (const wrong of ['yesterday', '', undefined, 7, '9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00+14:00']) {
		await t.throwsAsync(identity.importText({content: 'One.', saidAt: wrong as string}), {name: 'InputError', message: /ISO 8601/});
	}

	await t.throwsAsync(identity.cycle({content: 'One.', saidAt: saidAt(0)} as never), {name: 'InputError', message: /saidAt/});
	t.is(identity.state().stateId, 0);
});
