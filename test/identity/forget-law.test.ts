/**
 * The law of forgetting: after any series of texts, revisions, validations, resets, restarts and forgettings, the state has the
 * bits of a history without the forgotten texts, and no file has a byte of them.
 */
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {createJsKernel} from '../../src/kernel/js.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {anyHistory, runSteps, plainHistory, validatedHistory, validHistory, withoutThreads} from './forgetting-law.ts';

for (const [name, kernel] of [['js', withoutThreads(createJsKernel())], ['selected', withoutThreads(selectKernel())]] as const) {
	test(`${name} kernel: the state has the bits of a history without the forgotten texts`, async t => {
		const met = {forgot: 0, refused: 0};
		await fc.assert(fc.asyncProperty(anyHistory, async steps => {
			const journal = new FakeJournal();
			await runSteps(t, steps, {place: () => journal, kernel}, met);
		}), {numRuns: often(12, 200), examples: [[plainHistory]]});
		t.true(met.forgot > 0 && met.refused > 0, JSON.stringify(met));
	});
}

test('a validation becomes that of a history without the forgotten texts, or ends if its baseline is too short', async t => {
	const met = {forgot: 0, refused: 0, validated: 0, tooShort: 0};
	await fc.assert(fc.asyncProperty(validHistory, async steps => {
		const journal = new FakeJournal();
		await runSteps(t, steps, {place: () => journal, kernel: selectKernel()}, met);
	}), {numRuns: often(1, 40), examples: [[validatedHistory]]});
	t.true(met.forgot > 0 && met.validated > 0 && met.tooShort > 0, JSON.stringify(met));
});

const countIn = async (folder: string, passages: readonly Buffer[]): Promise<number> => {
	const entries = (await readdir(folder, {recursive: true, withFileTypes: true})).filter(entry => entry.isFile());
	const files = await Promise.all(entries.map(async ({parentPath, name}) => readFile(path.join(parentPath, name))));
	return passages.filter(passage => files.some(file => file.includes(passage))).length;
};

test('the law holds in SQLite, and no file has a byte of a forgotten text or vector', async t => {
	const kernel = withoutThreads(selectKernel());
	const met = {forgot: 0, refused: 0};
	await fc.assert(fc.asyncProperty(anyHistory, async steps => {
		const folder = await mkdtemp(path.join(tmpdir(), 'forget-'));
		try {
			const count = async (passages: readonly Buffer[]): Promise<number> => countIn(folder, passages);
			await runSteps(t, steps, {place: () => createSqliteJournal({folder}), kernel, count}, met);
		} finally {
			await rm(folder, {recursive: true, force: true});
		}
	}), {numRuns: often(4, 60), examples: [[plainHistory]]});
	t.true(met.forgot > 0 && met.refused > 0, JSON.stringify(met));
});
