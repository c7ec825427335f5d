/** A file is read as numbered entries: the numbers are lines of the file, and a broken entry does not affect others. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import fc from '../../helpers/fast-check.ts';
import {ConfigurationError} from '../../../src/platform/errors.ts';
import {readEntries, type Entry} from '../../../src/commands/transfer/entry-reader.ts';

const read = async (t: ExecutionContext, extension: string, content: string): Promise<Entry[]> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'lines-'));
	const file = path.join(folder, `some.${extension}`);
	try {
		await writeFile(file, content);
		return await Array.fromAsync(readEntries(file));
	} finally {
		await rm(folder, {recursive: true});
	}
};

const summarize = (found: readonly Entry[]) => found.map(entry => [entry.line, 'reason' in entry ? 'bad' : entry.value]);

test('a CSV record has the number of its first line, even after bad records, blank lines and line breaks in quotes', async t => {
	for (const ending of ['\n', '\r\n']) {
		const found = await read(t, 'csv', ['\uFEFF"a', 'name",b', 'one', '2,"x', '', 'y"', '', ',', '3,4,5', '6,7'].join(ending));
		const named = (a: string, b: string) => ({[`a${ending}name`]: a, b});
		t.deepEqual(summarize(found), [[3, 'bad'], [4, named('2', `x${ending}${ending}y`)], [9, 'bad'], [10, named('6', '7')]]);
		t.like(found[0], {reason: 'it has 1 cells where the header has 2'});
	}
});

test('a CSV record with invalid quotes is rejected, and later records are read', async t => {
	const found = await read(t, 'csv', 'a,b\n1,"2"x\n3,4" wide\n5,"6 ""six"""\n');
	t.deepEqual(summarize(found), [[2, 'bad'], [3, 'bad'], [4, {a: '5', b: '6 "six"'}]]);
	t.like(found[0], {reason: 'its quotes are not valid CSV: quote a whole cell, and double each quote within it'});
});

test('a “sep=” line for spreadsheets is skipped', async t => {
	t.deepEqual(await read(t, 'csv', '\uFEFFsep=;\r\na;b\r\n1;2\r\n'), [{line: 3, value: {a: '1', b: '2'}}]);
});

test('an unclosed quote is rejected with its line', async t => {
	t.deepEqual(await read(t, 'csv', 'a,b\n1,2\n3,"4\n5,6\n'), [
		{line: 2, value: {a: '1', b: '2'}},
		{line: 3, reason: 'it has a quote that is not closed before the end of the file'},
	]);
});

test('any cells are read back from CSV unchanged, each record with its line', async t => {
	const cell = fc.string({unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '[', 'é', '\u2028'), minLength: 1});
	await fc.assert(fc.asyncProperty(fc.array(fc.tuple(cell, cell), {maxLength: 6}), async records => {
		const quoted = records.map(cells => cells.map(text => `"${text.replaceAll('"', '""')}"`).join(','));
		const found = await read(t, 'csv', ['a,b', ...quoted].join('\n'));
		let line = 2;
		const expected = records.flatMap(([a, b], i) => {
			const begins = line;
			line += quoted[i]!.split('\n').length;
			return a.trim() || b.trim() ? [{line: begins, value: {a, b}}] : [];
		});
		t.deepEqual(found, expected);
	}), {numRuns: 200});
});

test('a line longer than the read buffer is one entry', async t => {
	const long = 'é'.repeat(100_000);
	t.deepEqual(summarize(await read(t, 'jsonl', `{"a": "${long}"}\n{"b": 1}`)), [[1, {a: long}], [2, {b: 1}]]);
});

test('the reason for a line that is not JSON gives a position in that line', async t => {
	const [found] = await read(t, 'jsonl', '{"a": 1,}');
	t.regex((found as {reason: string}).reason, /^it is not JSON \(.* at position 8\)$/);
});

test('a JSON document is a list of entries, or an object that has one', async t => {
	t.deepEqual(summarize(await read(t, 'json', '\uFEFF[{"a": [1]}, 7]')), [[1, {a: [1]}], [2, 7]]);
	t.deepEqual(summarize(await read(t, 'json', '{"version": 1, "directions": [{"a": 1}, "b"]}')), [[1, {a: 1}], [2, 'b']]);
	t.deepEqual(await read(t, 'json', '{"directions": []}'), []);
});

test('a JSON file with one entry or several documents is refused, and the error suggests *.jsonl', async t => {
	await t.throwsAsync(read(t, 'json', '{"state_id": 1, "vector": [1, 2]}'), {
		instanceOf: ConfigurationError,
		message: /no list of entries.*\*\.jsonl/,
	});
	await t.throwsAsync(read(t, 'json', '{"a": 1}\n{"a": 2}\n'), {
		instanceOf: ConfigurationError,
		message: /not a JSON document.*name the file \*\.jsonl/,
	});
});
