/** After a kill at any moment every acknowledged record is there, once and in order; others are there whole or not at all. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {isDeepStrictEqual} from 'node:util';
import test from 'ava';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {mulberry32} from '../actors/fixtures.ts';
import {asStored, bitsOf, recordOf, stateOf, temporaryFolder} from './records.ts';

const script = fileURLToPath(new URL('append-forever.ts', import.meta.url));

/** Kills the process after so many acknowledged records. @returns the numbers of all of them */
const runAndKill = async (folder: string, after: number): Promise<number[]> => {
	const child = spawn(process.execPath, [script, folder], {stdio: ['ignore', 'pipe', 'inherit']});
	const exited = once(child, 'exit');
	const acknowledged: number[] = [];
	for await (const line of createInterface(child.stdout)) {
		acknowledged.push(Number(line));
		if (acknowledged.length === after) {
			child.kill('SIGKILL');
		}
	}

	await exited;
	return acknowledged;
};

test('20 kills −9 during appends lose, double and tear no record', async t => {
	const folder = await temporaryFolder(t);
	const random = mulberry32(20);
	let newest = 0;
	for (let round = 1; round <= 20; round++) {
		const acknowledged = await runAndKill(folder, 1 + Math.floor(random() * 120));
		using reader = new JournalReader(folder);
		t.true(acknowledged.length > 0 && reader.records >= acknowledged.at(-1)!, `round ${round}: ${acknowledged.at(-1)} acknowledged, ${reader.records} there`);
		// It went on from the very end of what was there before.
		t.deepEqual(acknowledged, acknowledged.map((_, i) => newest + 1 + i));
		newest = reader.records;
		t.deepEqual(bitsOf(reader.stateAfter(newest)), bitsOf(stateOf(newest)));

		let next = 1;
		for await (const {seq, record} of reader.replay()) {
			if (record.kind === 'snapshot') {
				t.is(record.first, next);
				t.deepEqual(bitsOf(reader.stateAfter(seq)), bitsOf(stateOf(seq)));
			} else {
				t.is(seq, next);
				// AVA compares vectors slowly; it is asked for the difference only.
				if (!isDeepStrictEqual(record, asStored(recordOf(seq)))) {
					t.deepEqual(record, asStored(recordOf(seq)));
				}
			}

			next = seq + 1;
		}

		t.is(next, newest + 1);
	}

	t.log(`${newest} records in 20 rounds`);
});
