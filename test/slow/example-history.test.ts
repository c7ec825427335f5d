/** The example history, shortened: the ledger's part of a source is the difference to a history without that source. */
import {execFile} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {ask} from '../commands/ask.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {replay} from '../helpers/replay.ts';
import {startReplay} from '../../src/instruments/replay.ts';
import {sourceOf} from '../../src/instruments/source-of.ts';
import {remainders, unrollFrom} from '../../src/instruments/unroll.ts';
import type {StoredCycle} from '../../src/journal/journal.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {dot} from '../../src/kernel/dot.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {normalise} from '../../src/kernel/normalise.ts';
import {isBuilt, root, notBuilt} from '../helpers/built-package.ts';

const kernel = selectKernel();

/** The part of a vector across a row: states have length 1, so histories do not differ along it. */
const across = (row: Float32Array, vector: Float64Array): Float32Array => {
	const along = dot(row, Float32Array.from(vector));
	return normalise(vector.map((value, i) => value - along * row[i]!));
};

test('the ledger’s part of each source agrees with a replay without that source', async t => {
	t.timeout(600_000);
	t.true(await isBuilt(), notBuilt);
	const folder = await mkdtemp(path.join(tmpdir(), 'life-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const execute = promisify(execFile);
	const made = await execute(process.execPath, [path.join(root, 'examples/life/make-life.ts'), '600']);
	const file = path.join(folder, 'history.jsonl');
	await writeFile(file, made.stdout);
	const {stdout} = await execute(process.execPath, [
		path.join(root, 'dist/cli.js'), 'look', file, '--data-dir', folder, '--validate', '2026-10-01',
	]);
	t.regex(stdout, /600 texts of 7 sources.* to 2026-10-3\d/);

	const reader = new JournalReader(path.join(folder, 'journal'));
	const {initial, reference} = reader.genesis;
	const cycles: StoredCycle[] = [];
	for await (const {record} of reader.replay()) {
		if (record.kind === 'cycle') {
			cycles.push(record);
		}
	}

	reader.close();
	const rules = {kernel, authority: minimalAuthority, initial, reference};
	const endOf = (texts: readonly StoredCycle[]): Float32Array => replay(rules, startReplay(rules), texts).state.row('thirdness');
	const present = endOf(cycles);
	t.deepEqual(present, cycles.at(-1)!.thirdness);

	const factors = cycles.map(unrollFrom(initial.rows));
	const left = remainders(factors);
	const secondness = initial.row('secondness');
	for (const source of new Set(cycles.map(cycle => sourceOf(cycle)))) {
		// The ledger's parts of each of its cycles: the text, the push and the fading, weighted by what is left of them.
		const part = new Float64Array(present.length);
		for (const [k, cycle] of cycles.entries()) {
			if (sourceOf(cycle) === source) {
				const {text, secondness: pushed, kept} = factors[k]!;
				const before = cycles[k - 1]?.thirdness ?? initial.row('thirdness');
				for (let i = 0; i < part.length; i++) {
					part[i]! += left[k + 1]! * (text * cycle.vector[i]! + pushed * secondness[i]! + (kept - 1) * before[i]!);
				}
			}
		}

		const without = endOf(cycles.filter(cycle => sourceOf(cycle) !== source));
		const missing = Float64Array.from(present, (value, i) => value - without[i]!);
		const cosine = dot(across(present, part), across(present, missing));
		t.log(`${source}: ${cosine.toFixed(4)}`);
		t.true(cosine >= 0.95, `${source}: ${cosine}`);
	}

	const settings = readSettings({DATA_DIR: folder}, {});
	const printed = await ask(settings, 'ledger', '--direction', 'relational.trust', '--since', '2026-10-01', '--json');
	const {entries} = JSON.parse(printed) as {entries: Array<{kind: string; key: string; part: number}>};
	const [most] = entries.filter(({kind}) => kind === 'texts').toSorted((a, b) => a.part - b.part);
	t.is(most!.key, 'Viktor', 'the source that accuses all others of lying moves it most towards mistrust');
});
