/** Digests: a long past is read from them as it is from its records. */
import {appendFileSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import type {Journal} from '../../../src/journal/journal.ts';
import {createSqliteJournal} from '../../../src/journal/sqlite/sqlite-journal.ts';
import type {QuestionOf} from '../../../src/instruments/instruments.ts';
import type {KeptLife} from '../../../src/instruments/past/kept-life.ts';
import {Past} from '../../../src/instruments/past/past.ts';
import {completeHistory} from '../../../src/instruments/run-history.ts';
import {temporaryFolder} from '../../journal/records.ts';
import {unitVector} from '../lives.ts';
import {startLife} from '../recorded-life.ts';

const direction = unitVector(3, 64);

/** A life long enough for digests, with a validation and a reset early in it. */
const life = startLife(11).talk(520).validate().reset().talk(5500);

/** A past of a journal, with the digests that the journal keeps or without any. */
const open = async (t: ExecutionContext, folder: string, hasDigests: boolean) => {
	const journal = createSqliteJournal({folder});
	const {records} = (await journal.open())!;
	const read = async (...asked: Parameters<Journal['read']>) => {
		reads.count += asked[1];
		return journal.read(...asked);
	};

	const reads = {count: 0};
	const port = {
		read, records, validation: async () => journal.validation(), decisions: async () => journal.decisions(),
		held: async (after: number, count: number) => journal.held(after, count),
		digests: hasDigests ? journal.digests : undefined,
	};
	const past = new Past(port, life.rules.kernel, () => life.rules);
	const close = async () => {
		past.close(new Error('The test ends.'));
		await journal.close();
	};

	t.teardown(close);
	return {past, journal, reads, close};
};

/** What is asked of a past. */
const answersOf = async (past: Past) => {
	const question: QuestionOf<'ledger'> = {by: ['source', 'trigger', 'method', 'text'], limit: 10, direction};
	const ledger = async (from: number | string) => past.ask('ledger', question, {from});
	const {answer} = await past.ask('history', {points: 40, direction: null});
	return {
		ledgers: [await ledger('beginning'), await ledger(700), await ledger(life.state().stateId - 30)],
		history: await completeHistory(answer, null, async seq => past.readCycle(seq)),
		moments: [await past.find(1), await past.find(5000), await past.find('present'), await past.find(life.records[2600]!.timestamp)],
	};
};

/** Compares two answers: numbers to a hundred thousandth, all else as it is. */
const isSame = (t: ExecutionContext, got: unknown, expected: unknown, place: string): void => {
	if (typeof expected === 'number') {
		t.true(Math.abs(got as number - expected) <= 1e-5 * Math.max(1, Math.abs(expected)), `${place}: ${String(got)}, not ${expected}`);
	} else if (expected instanceof Float32Array) {
		t.deepEqual(got, expected, place);
	} else if (typeof expected === 'object' && expected !== null) {
		for (const key of Object.keys({...expected, ...got as object})) {
			isSame(t, (got as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key], `${place}.${key}`);
		}
	} else {
		t.is(got, expected, place);
	}
};

/** A watch that goes on with the kept life comes to where one comes that begins at the validation. */
const goesOn = async (t: ExecutionContext, past: Past, journal: Journal) => {
	const validation = (await past.validation())!;
	const kept = (await journal.digests!.kept()) as KeptLife;
	t.like(kept, {validation: 521, revision: 0, seq: 6000});
	const watch = async (seq: number, followed: KeptLife['start'] | null) => {
		const from = {seq, state: life.rules.initial, cumulativeDrift: 0};
		return (await past.ask('watch', {validation, goesOn: followed}, {from})).answer;
	};

	t.deepEqual(await watch(6000, kept.start), await watch(521, null));
};

test('ledgers, histories and states of a long past are the same by its digests, and read a part of it', async t => {
	const folder = await temporaryFolder(t);
	const journal = createSqliteJournal({folder});
	await journal.open();
	await life.writeTo(journal);
	await journal.close();
	const plain = await open(t, folder, false);
	const expected = await answersOf(plain.past);
	await plain.close();

	const {past, journal: digested, reads, close} = await open(t, folder, true);
	await past.digest();
	t.is((await digested.digests!.read()).length, 12);
	reads.count = 0;
	isSame(t, await answersOf(past), expected, 'answers');
	await goesOn(t, past, digested);
	const read = reads.count;
	await past.ask('ledger', {by: ['source'], limit: 10, direction});
	t.true(reads.count - read < 600, `${reads.count - read} records were read for a ledger by source`);
	await close();
	t.true(read < 30_000, `${read} records were read`);

	// A torn end, as of a power cut, is no digest: the next ones are made anew.
	const file = path.join(folder, 'digests');
	const whole = readFileSync(file);
	writeFileSync(file, whole.subarray(0, -7));
	const torn = await open(t, folder, true);
	isSame(t, await answersOf(torn.past), expected, 'answers behind a torn end');
	await torn.past.digest();
	t.is((await torn.journal.digests!.read()).length, 12);
	await torn.close();
	appendFileSync(file, 'garbage');
	const damaged = await open(t, folder, true);
	isSame(t, (await answersOf(damaged.past)).moments, expected.moments, 'moments beside garbage');
	await damaged.close();
});
