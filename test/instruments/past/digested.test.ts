/** Questions about a long past have the same answers from digests as from records, and read far fewer records. */
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test, {type ExecutionContext} from 'ava';
import type {Journal} from '../../../src/journal/journal.ts';
import {JournalReader} from '../../../src/journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../../../src/journal/sqlite/sqlite-journal.ts';
import type {Revision, TextChoice, TextsDecision} from '../../../src/journal/revision.ts';
import type {QuestionOf} from '../../../src/instruments/instruments.ts';
import type {OrdinaryTalk} from '../../../src/instruments/drift/ordinary.ts';
import type {KeptMonitor} from '../../../src/instruments/past/kept-monitor.ts';
import {Past} from '../../../src/instruments/past/past.ts';
import {completeHistory} from '../../../src/instruments/history.ts';
import {temporaryFolder} from '../../journal/records.ts';
import {unitVector} from '../run-texts.ts';
import {startHistory} from '../recorded-history.ts';

const direction = unitVector(3, 64);

/** A history long enough for digests: a validation and a reset early in it, and steered answers after them. */
const recorded = startHistory(11).answered(260).validate().reset().answered(1500, 0.2).talk(2500);

type Opening = {
	/** Whether the past has the digests that the journal keeps. */
	readonly hasDigests: boolean;
	/** How many records it has; all unless given. */
	readonly upTo?: number | undefined;
	readonly decisions?: readonly TextsDecision[];
	readonly history?: typeof recorded;
};

/** Opens the past of a journal, and counts the records that are read. */
const open = async (t: ExecutionContext, folder: string, {hasDigests, upTo, decisions = [], history = recorded}: Opening) => {
	const journal = createSqliteJournal({folder});
	const {records: all} = (await journal.open())!;
	const records = upTo ?? all;
	const read = async (...asked: Parameters<Journal['read']>) => {
		reads.count += asked[1];
		return journal.read(...asked);
	};

	const reads = {count: 0};
	const port = {
		read, records, validation: async () => journal.validation(), decisions: async () => [...decisions],
		held: async (after: number, count: number) => journal.held(after, count),
		digests: hasDigests ? journal.digests : undefined,
	};
	const past = new Past(port, history.rules.kernel, () => history.rules);
	const close = async () => {
		past.close(new Error('The test ends.'));
		await journal.close();
	};

	t.teardown(close);
	return {past, journal, reads, close};
};

/** Writes a history into a new journal. @returns its folder */
const writeHistory = async (t: ExecutionContext, history = recorded): Promise<string> => {
	const folder = await temporaryFolder(t);
	const journal = createSqliteJournal({folder});
	await journal.open();
	await history.writeTo(journal);
	await journal.close();
	return folder;
};

/** The answers to all questions that are compared. */
const answersOf = async (past: Past) => {
	const question: QuestionOf<'ledger'> = {by: ['source', 'trigger', 'method', 'text'], limit: 10, direction};
	const ledger = async (from: number | string) => past.ask('ledger', question, {from});
	const {answer} = await past.ask('history', {points: 40, direction: null});
	return {
		ledgers: [await ledger('beginning'), await ledger(700), await ledger(recorded.state().stateId - 30)],
		history: await completeHistory(answer, null, async seq => past.readCycle(seq)),
		moments: [await past.find(1), await past.find(5000), await past.find('present'), await past.find(recorded.records[2600]!.timestamp)],
	};
};

/** Compares two answers: numbers with a relative error of up to 1e-5, all else exactly. */
const assertSame = (t: ExecutionContext, got: unknown, expected: unknown, place: string): void => {
	if (typeof expected === 'number') {
		t.true(Math.abs(got as number - expected) <= 1e-5 * Math.max(1, Math.abs(expected)), `${place}: ${String(got)}, not ${expected}`);
	} else if (expected instanceof Float32Array) {
		t.deepEqual(got, expected, place);
	} else if (typeof expected === 'object' && expected !== null) {
		for (const key of Object.keys({...expected, ...got as object})) {
			assertSame(t, (got as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key], `${place}.${key}`);
		}
	} else {
		t.is(got, expected, place);
	}
};

const askDrift = async (past: Past, since: number | null = null) =>
	past.askDrift({validation: await past.validation(), directions: [direction], since});

/** A watch that resumes from the kept monitor ends in the same state as one that begins at the validation. */
const checkResumedWatch = async (t: ExecutionContext, past: Past, journal: Journal) => {
	const validation = (await past.validation())!;
	const kept = (await journal.digests!.kept()) as KeptMonitor;
	t.like(kept, {validation: 521, revision: 0, seq: 6000});
	const watch = async (seq: number, followed: KeptMonitor['followed'] | null) => {
		const from = {seq, state: recorded.rules.initial, cumulativeDrift: 0};
		return (await past.ask('watch', {ordinary: validation, resumed: followed, asksStrangers: false}, {from})).answer;
	};

	const started = await watch(6000, kept.followed);
	t.deepEqual(started, await watch(521, null));
	t.true(kept.followed.kept.trail.length > 32);
	t.is(started.trail.length, 32);
	// The monitor was read from a file, which a watch must not keep in memory for as long as the identity is open.
	const {monitor, own} = started;
	const views = [...own.map(({vector}) => vector), monitor!.ordinary.heard!.calibration.measure.factor, monitor!.ordinary.heard!.mean];
	t.true(views.length > 2 && views.every(({buffer, byteLength}) => buffer.byteLength === byteLength));
};

test('ledgers, histories and states of a long past are the same from digests as from records, with fewer reads', async t => {
	const folder = await writeHistory(t);
	const plain = await open(t, folder, {hasDigests: false});
	const expected = await answersOf(plain.past);
	await plain.close();

	const {past, journal: digested, reads, close} = await open(t, folder, {hasDigests: true});
	await past.digest();
	t.is((await digested.digests!.read()).length, 12);
	reads.count = 0;
	assertSame(t, await answersOf(past), expected, 'answers');
	await checkResumedWatch(t, past, digested);
	const read = reads.count;
	await past.ask('ledger', {by: ['source'], limit: 10, direction});
	t.true(reads.count - read < 600, `${reads.count - read} records were read for a ledger by source`);
	await close();
	t.true(read < 30_000, `${read} records were read`);

	// A torn end, as after a power cut, is ignored, and the missing digest is made again.
	const file = path.join(folder, 'digests');
	const whole = readFileSync(file);
	writeFileSync(file, whole.subarray(0, -7));
	const torn = await open(t, folder, {hasDigests: true});
	assertSame(t, await answersOf(torn.past), expected, 'answers with a torn end');
	await torn.past.digest();
	t.is((await torn.journal.digests!.read()).length, 12);
	await torn.close();
	// To find a moment, the heads of digests are read, and the body of one.
	const withDamage = (at: number) => whole.map((byte, i) => i === at ? byte ^ 1 : byte);
	const damages: ReadonlyArray<readonly [what: string, bytes: Uint8Array]> = [
		['garbage', Buffer.concat([whole, Buffer.from('garbage')])],
		['a damaged body', withDamage(whole.length >> 1)],
		['a damaged head', withDamage(40)],
	];
	for (const [what, bytes] of damages) {
		writeFileSync(file, bytes);
		const damaged = await open(t, folder, {hasDigests: true});
		assertSame(t, (await answersOf(damaged.past)).moments, expected.moments, `moments with ${what}`);
		await damaged.close();
	}
});

/** The what-ifs that are compared. */
const whatIfs: ReadonlyArray<readonly [without: TextChoice, from: number | string, add: number]> = [
	[{sources: ['user 1']}, 'beginning', 0],
	[{sources: ['user 2', 'self', 'nobody']}, 3000, 0],
	[{ids: [recorded.records[5900]!.id]}, 'beginning', 0],
	[{ids: [recorded.records[5900]!.id, recorded.records[5999]!.id], sources: ['nobody']}, 'beginning', 1],
	[{}, 'beginning', 2],
	[{conversations: ['nowhere']}, 700, 1],
	[{ids: [recorded.records[300]!.id]}, 'beginning', 1],
	// Before the reset, in the digest that has it.
	[{ids: [recorded.records[510]!.id]}, 'beginning', 0],
	[{ids: [recorded.records[4600]!.id]}, 'beginning', 0],
];

test('a what-if has the same answer from digests as from records, bit for bit, and reads few records', async t => {
	const folder = await writeHistory(t);
	const ask = async (past: Past, [without, from, added]: (typeof whatIfs)[number], ordinary: OrdinaryTalk | null) => {
		const add = Array.from({length: added}, (_, i) => ({vector: unitVector(40 + i)}));
		const question = {without, add, timestamp: recorded.records.at(-1)!.timestamp, ordinary};
		return (await past.ask('whatIf', question, {from})).answer;
	};

	const plain = await open(t, folder, {hasDigests: false});
	const validation = await plain.past.validation();
	const expected = await Array.fromAsync(whatIfs, async whatIf =>
		[await ask(plain.past, whatIf, validation), await ask(plain.past, whatIf, null)]);
	t.true(expected.some(([answer]) => answer!.p !== null) && expected.some(([answer]) => answer!.unsaid !== null));
	await plain.close();
	const {past, reads} = await open(t, folder, {hasDigests: true});
	await past.digest();
	for (const [i, whatIf] of whatIfs.entries()) {
		reads.count = 0;
		t.deepEqual(await ask(past, whatIf, validation), expected[i]![0]);
		t.true(reads.count < 1200, `${i}: ${reads.count} records were read`);
		reads.count = 0;
		t.deepEqual(await ask(past, whatIf, null), expected[i]![1]);
		t.true(reads.count < 1200, `${i}: ${reads.count} records were read without a validation`);
	}
});

test('a past of a closed journal reads its digests, and does not write them', async t => {
	const folder = await writeHistory(t);
	const {past, close} = await open(t, folder, {hasDigests: true});
	await past.digest();
	const expected = await past.ask('ledger', {by: ['source'], limit: 10, direction});
	await close();
	const file = path.join(folder, 'digests');
	const torn = readFileSync(file).subarray(0, -7);
	writeFileSync(file, torn);
	using reader = new JournalReader(folder);
	let read = 0;
	const counted = {
		records: reader.records, digests: reader.digests,
		read: async (from: number, count: number) => {
			read += count;
			return reader.read(from, count);
		},
		validation: async () => reader.validation(), decisions: async () => reader.decisions(),
		held: async (after: number, count: number) => reader.held(after, count),
	};
	const closed = new Past(counted, recorded.rules.kernel, () => recorded.rules);
	t.teardown(() => {
		closed.close(new Error('The test ends.'));
	});
	assertSame(t, await closed.ask('ledger', {by: ['source'], limit: 10, direction}), expected, 'ledger');
	await closed.digest();
	t.true(read < 1200, `${read} records were read`);
	t.deepEqual(readFileSync(file), torn);
});

test('digests of records with held texts give the same what-ifs and states as the records', async t => {
	const guarded = startHistory(12).guarded(4500);
	const folder = await writeHistory(t, guarded);
	const question = {without: {sources: ['user 1']}, add: [], timestamp: guarded.records.at(-1)!.timestamp, ordinary: null};
	const ask = async (past: Past) => [
		(await past.ask('whatIf', question)).answer,
		await Promise.all([40, 2000, guarded.records[3000]!.timestamp].map(async moment => (await past.find(moment)).state)),
	];
	const plain = await open(t, folder, {hasDigests: false, history: guarded});
	const expected = await ask(plain.past);
	await plain.close();
	const {past, reads} = await open(t, folder, {hasDigests: true, history: guarded});
	await past.digest();
	reads.count = 0;
	t.deepEqual(await ask(past), expected);
	t.true(reads.count < 1200, `${reads.count} records were read`);
});

test('a what-if fails and names the record if a vector is not the one that was digested', async t => {
	const folder = await writeHistory(t);
	const {past, close} = await open(t, folder, {hasDigests: true});
	await past.digest();
	await close();
	const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	database.exec('update records set vector = (select vector from records where seq = 4201) where seq = 4200');
	database.close();
	const damaged = await open(t, folder, {hasDigests: true});
	const question = {without: {sources: ['user 1']}, add: [], timestamp: recorded.records.at(-1)!.timestamp, ordinary: null};
	await t.throwsAsync(damaged.past.ask('whatIf', question), {message: /record 4200 is not what was written/});
});

test('drift that resumes from the kept monitor is the same as from records, bit for bit, with and without a revision', async t => {
	const folder = await writeHistory(t);
	const revision: Revision = {
		kind: 'revision', seq: 2500, id: 'revised', timestamp: recorded.records[2499]!.timestamp, note: null, differsFrom: 700,
		exclusions: [{from: 700, to: 1400, texts: {sources: ['user 2']}}],
	} as unknown as Revision;
	const plain = await open(t, folder, {hasDigests: false});
	const expected = await askDrift(plain.past);
	t.true(expected.voices.said!.looks.at(-1)!.p < 0.05 && expected.sources.length > 3 && expected.trail.length > 100);
	const ofMoment = await askDrift(plain.past, 3000);
	await plain.close();
	const plainRevised = await open(t, folder, {hasDigests: false, decisions: [revision]});
	const expectedRevised = await askDrift(plainRevised.past);
	t.notDeepEqual(expectedRevised.sources, expected.sources);
	await plainRevised.close();

	// Kept in two steps, so that the second resumes from the first.
	for (const upTo of [3100, undefined]) {
		const {past, close} = await open(t, folder, {hasDigests: true, upTo});
		await past.digest();
		await close();
	}

	const {past, reads, close} = await open(t, folder, {hasDigests: true});
	t.deepEqual(await askDrift(past), expected);
	t.true(reads.count < 200, `${reads.count} records were read`);
	t.deepEqual(await askDrift(past, 3000), ofMoment);
	await close();

	const revised = await open(t, folder, {hasDigests: true, decisions: [revision]});
	t.deepEqual(await askDrift(revised.past), expectedRevised);
	await revised.journal.digests!.clear();
	await revised.past.digest();
	t.like(await revised.journal.digests!.kept(), {revision: 2500, seq: 6000});
	t.deepEqual(await askDrift(revised.past), expectedRevised);
});
