/** A run in which writes and syncs fail, and power cuts at random moments of it. */
import {spawnSync} from 'node:child_process';
import {mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import {reasonOf} from '../../src/platform/errors.ts';
import {JournalWriter} from '../../src/journal/sqlite/writer.ts';
import {mulberry32} from '../actors/fixtures.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {often} from '../helpers/often.ts';
import {recordsIn, temporaryFolder} from '../journal/records.ts';
import {PowerCutDisk} from './power-cut.ts';
import {readRecord} from './record.ts';
import {environmentOf, type Rule} from './shim.ts';

const script = fileURLToPath(new URL('faulty-appends.ts', import.meta.url));

/** The approximate number of cuts at random moments; one more is at the end. */
const cuts = often(24, 60);

/** Runs 24 appends under faults. @returns the operations on the files */
const record = async (place: string, seed: number, rules: Rule[]) => {
	const folder = path.join(place, 'run');
	const file = path.join(place, 'record');
	await mkdir(folder);
	const {status, stderr} = spawnSync(process.execPath, [script, folder, '24'], {env: {
		...childEnvironment,
		NODE_OPTIONS: process.env['NODE_OPTIONS'],
		...environmentOf({under: folder, record: file, seed, ...(rules.length > 0 && {rules})}),
	}, encoding: 'utf8'});
	if (status !== 0) {
		throw new Error(stderr);
	}

	return readRecord(file, await realpath(folder));
};

/** What is wrong with the files that a cut left; null when nothing is. */
const examine = async (folder: string, outcomes: string[]): Promise<string | null> => {
	const of = (outcome: string) => outcomes.flatMap(line => line.startsWith(`${outcome} `) ? [line.slice(outcome.length + 1)] : []);
	const journal = path.join(folder, 'journal');
	try {
		const isBegun = (() => {
			using writer = new JournalWriter(journal);
			return writer.restored !== null;
		})();
		const ids = isBegun ? (await recordsIn(journal)).map(({id}) => id) : [];
		const lost = of('kept').filter(id => !ids.includes(id));
		const kept = of('refused').filter(id => ids.includes(id));
		return lost.length + kept.length === 0 ? null : `lost ${lost.join(', ') || 'nothing'}; `
			+ `refused and kept ${kept.join(', ') || 'nothing'}`;
	} catch (error) {
		return reasonOf(error).replaceAll(folder, '');
	}
};

/** After each cut, acknowledged records are there and rejected ones are not. */
export const survivesCuts = (seed: number, ...rules: Rule[]) => async (t: ExecutionContext): Promise<void> => {
	t.timeout(1_200_000);
	const place = await temporaryFolder(t);
	const operations = await record(place, seed, rules);
	const random = mulberry32(seed);
	const disk = new PowerCutDisk();
	const wrong: string[] = [];
	let images = 0;
	let outcomes: string[] = [];
	for (const [i, operation] of operations.entries()) {
		disk.take(operation);
		if (random() < cuts / operations.length || i === operations.length - 1) {
			const left = await mkdtemp(path.join(place, 'left-'));
			disk.leave(left, () => random() < 0.5);
			// A power cut cannot take back an answer to a client.
			outcomes = String(disk.cached('outcomes')).split('\n').slice(0, -1);
			const what = await examine(left, outcomes);
			images++;
			if (what !== null) {
				wrong.push(`after operation ${i + 1}, ${operation.operation} ${operation.file}: ${what}`);
			}

			await rm(left, {recursive: true});
		}
	}

	const refused = outcomes.filter(line => line.startsWith('refused')).length;
	t.log(`${images} power cuts, ${refused} of ${outcomes.length} records refused`);
	t.deepEqual(wrong, []);
	t.true(images > cuts / 2 && outcomes.length > 20, 'the cuts happened while the journal was working');
	t.is(refused > 0, rules.length > 0);
};
