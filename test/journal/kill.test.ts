/** After a kill at any moment, every acknowledged record is there, once and in order; others are there whole or not at all. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {isDeepStrictEqual} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {mulberry32} from '../actors/fixtures.ts';
import {asStored, bitsOf, recordOf, stateOf, temporaryFolder, validationUpTo} from './records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

/** Kills the process after this number of acknowledged records. @returns the lines that it printed */
const runAndKill = async (script: URL, folder: string, after: number): Promise<string[]> => {
	const child = spawn(process.execPath, [fileURLToPath(script), folder], {stdio: ['ignore', 'pipe', 'inherit']});
	const exited = once(child, 'exit');
	const acknowledged: string[] = [];
	for await (const line of createInterface(child.stdout)) {
		acknowledged.push(line);
		if (acknowledged.length === after) {
			child.kill('SIGKILL');
		}
	}

	await exited;
	return acknowledged;
};

/** Compares a journal with the numbers acknowledged since it had `before` records. @returns its number of records */
const verify = async (t: ExecutionContext, folder: string, before: number, acknowledged: number[]): Promise<number> => {
	using reader = new JournalReader(folder);
	const newest = reader.records;
	t.true(newest >= (acknowledged.at(-1) ?? before), `${acknowledged.at(-1)} acknowledged, ${newest} there`);
	// It continued directly after the earlier records.
	t.deepEqual(acknowledged, acknowledged.map((_, i) => before + 1 + i));
	deepEqual(t, bitsOf(reader.stateAfter(newest)), bitsOf(stateOf(newest)));

	t.deepEqual(await reader.validation(), validationUpTo(newest));

	let next = 1;
	for await (const {seq, record} of reader.replay()) {
		if (record.kind === 'snapshot') {
			t.is(record.first, next);
			deepEqual(t, bitsOf(reader.stateAfter(seq)), bitsOf(stateOf(seq)));
		} else {
			t.is(seq, next);
			// AVA compares vectors slowly, so it only shows differences.
			if (!isDeepStrictEqual(record, asStored(recordOf(seq)))) {
				t.deepEqual(record, asStored(recordOf(seq)));
			}
		}

		next = seq + 1;
	}

	t.is(next, newest + 1);
	return newest;
};

test('20 SIGKILLs during appends neither lose, duplicate nor tear a record', async t => {
	const folder = await temporaryFolder(t);
	const random = mulberry32(20);
	let newest = 0;
	for (let round = 1; round <= 20; round++) {
		const acknowledged = await runAndKill(new URL('append-forever.ts', import.meta.url), folder, 1 + Math.floor(random() * 120));
		t.true(acknowledged.length > 0, `round ${round}`);
		newest = await verify(t, folder, newest, acknowledged.map(Number));
	}

	t.log(`${newest} records in 20 rounds`);
});

test('5 SIGKILLs during appends to three journals of one thread neither lose, duplicate nor tear a record', async t => {
	const folder = await temporaryFolder(t);
	const random = mulberry32(5);
	const newest = {a: 0, b: 0, c: 0};
	for (let round = 1; round <= 5; round++) {
		const acknowledged = await runAndKill(new URL('append-to-many.ts', import.meta.url), folder, 1 + Math.floor(random() * 240));
		t.true(acknowledged.length > 0, `round ${round}`);
		for (const name of ['a', 'b', 'c'] as const) {
			const numbers = acknowledged.filter(line => line.startsWith(name)).map(line => Number(line.slice(1)));
			newest[name] = await verify(t, path.join(folder, name), newest[name], numbers);
		}
	}

	t.log(newest);
});
