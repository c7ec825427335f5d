/** The articles and anchors of authority, loaded from texts, vectors and a file. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {loadAuthority} from '../../src/sources/authority.ts';
import {FakeEncoder, vectorOf} from '../actors/fixtures.ts';

test('texts are embedded, vectors are used unchanged, and critical marks are kept', async t => {
	const authority = await loadAuthority({
		articles: [{statement: 'Do no harm.', critical: true}, {statement: vectorOf('given'), critical: false}],
		anchors: ['Stay curious.'],
	}, {encoder: new FakeEncoder()});
	t.deepEqual(authority, {
		articles: [{vector: vectorOf('Do no harm.'), critical: true}, {vector: vectorOf('given'), critical: false}],
		anchors: [vectorOf('Stay curious.')],
	});
});

test('a vector is normalised to unit length, and one that is zero, too short or not finite is refused', async t => {
	const encoder = new FakeEncoder();
	const {anchors} = await loadAuthority({articles: [], anchors: [vectorOf('given').map(value => value * 2)]}, {encoder});
	t.true(Math.abs(Math.hypot(...anchors[0]!) - 1) < 1e-6);
	for (const vector of [new Float32Array(1024), new Float32Array(3).fill(1), new Float32Array(1024).fill(Number.NaN)]) {
		await t.throwsAsync(loadAuthority({articles: [], anchors: [vector]}, {encoder}), {
			instanceOf: ConfigurationError,
			message: /1024 finite floats/,
		});
	}
});

const loadFile = async (t: ExecutionContext, content: string) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'authority-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const file = path.join(folder, 'authority.json');
	await writeFile(file, content);
	return loadAuthority(file, {encoder: new FakeEncoder()});
};

test('a file may begin with a byte order mark, as some editors write it', async t => {
	const {anchors} = await loadFile(t, `\uFEFF${JSON.stringify({articles: [], anchors: ['Stay curious.']})}`);
	t.deepEqual(anchors, [vectorOf('Stay curious.')]);
});

test('a file has articles, which are critical only if marked, and optional anchors', async t => {
	t.deepEqual(await loadFile(
		t,
		'{"articles": [{"text": "Do no harm.", "critical": true}, {"text": "Be brief."}], "anchors": ["Stay curious."]}',
	), {
		articles: [{vector: vectorOf('Do no harm.'), critical: true}, {vector: vectorOf('Be brief.'), critical: false}],
		anchors: [vectorOf('Stay curious.')],
	});
	t.deepEqual((await loadFile(t, '{"articles": []}')).anchors, []);
});

test('the error for an invalid file names the place of every fault', async t => {
	await t.throwsAsync(loadFile(t, '{'), {instanceOf: ConfigurationError, message: /cannot be read.*authority.file/});
	await t.throwsAsync(loadFile(t, '{"articles": [{"text": " "}, {"critical": 1}]}'), {
		instanceOf: ConfigurationError,
		message: /articles\.0\.text .*articles\.1/,
	});
	await t.throwsAsync(loadAuthority('nowhere.json', {encoder: new FakeEncoder()}), {
		instanceOf: ConfigurationError,
		message: /nowhere\.json/,
	});
});
