import {mkdtemp, readdir, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {contrast} from '../../../src/semiosis/contrast.ts';
import type {CatalogueEntry} from '../../../src/sources/directions/catalogue.ts';
import {toneEntry} from '../../../src/sources/directions/tone.ts';
import {loadDirections} from '../../../src/sources/directions/vectors.ts';
import {FakeEncoder, fillVector} from '../../actors/fixtures.ts';
import {collectWarnings} from '../../helpers/collect-warnings.ts';

const width = 64;

const vectorOf = (text: string): Float32Array => fillVector(text, width);

const entry = (name: string): CatalogueEntry => ({
	category: 'epistemic',
	name,
	pole_positive: 'certain',
	pole_negative: 'doubtful',
	positive: [1, 2, 3, 4].map(i => `${name} certain ${i}`),
	negative: [1, 2, 3, 4].map(i => `${name} doubtful ${i}`),
});

const toneSentences = toneEntry.positive.length + toneEntry.negative.length;

const emptyFolder = async () => mkdtemp(path.join(tmpdir(), 'directions-'));

test('the vector of a direction is the contrast of its poles’ examples', async t => {
	const [direction] = await loadDirections([entry('a')], {encoder: new FakeEncoder(width)});
	t.deepEqual(direction!.vector, contrast(entry('a').positive.map(vectorOf), entry('a').negative.map(vectorOf)));
	t.like(direction!, {name: 'a', category: 'epistemic', polePositive: 'certain', poleNegative: 'doubtful'});
});

test('vectors are cached, and the next start embeds nothing', async t => {
	const folder = await emptyFolder();
	const made = await loadDirections([entry('a'), entry('b')], {encoder: new FakeEncoder(width), folder});
	const encoder = new FakeEncoder(width);
	const kept = await loadDirections([entry('a'), entry('b')], {encoder, folder});
	t.deepEqual(encoder.asked, []);
	t.deepEqual(kept, made);
});

test('an edited entry gets a new vector, the others keep theirs, and no sentence is embedded twice', async t => {
	const folder = await emptyFolder();
	const [kept] = await loadDirections([entry('a'), entry('b')], {encoder: new FakeEncoder(width), folder});
	const encoder = new FakeEncoder(width);
	const [a, b] = await loadDirections([entry('a'), {...entry('b'), positive: ['w', 'x', 'y', 'z']}], {encoder, folder});
	t.deepEqual(encoder.asked.slice(0, 4), ['w', 'x', 'y', 'z']);
	t.is(encoder.asked.length, 16 + toneSentences);
	t.deepEqual(a!.vector, kept!.vector);
	t.deepEqual(b!.vector, contrast(['w', 'x', 'y', 'z'].map(vectorOf), entry('b').negative.map(vectorOf)));
});

test('a scale is of all sentences of the catalogue on the direction’s reading, so an edited entry changes other scales', async t => {
	const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
	const folder = await emptyFolder();
	const load = async (...entries: CatalogueEntry[]) => loadDirections(entries, {encoder: new FakeEncoder(width), folder});
	const [a] = await load(entry('a'), entry('b'));
	const values = [entry('a'), entry('b')]
		.flatMap(({positive, negative}) => [...positive, ...negative])
		.map(text => dot(vectorOf(text), a!.reading!.vector));
	const mean = values.reduce((sum, value) => sum + value) / 16;
	t.is(a!.scale!.examples, 16);
	t.true(Math.abs(a!.scale!.mean - mean) < 1e-6);
	t.true(Math.abs(a!.scale!.deviation - Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 15)) < 1e-6);
	t.deepEqual(Array.from(a!.scale!.sample), values.map(value => Math.fround(value)).toSorted((x, y) => x - y));
	const [edited] = await load(entry('a'), {...entry('b'), positive: ['w', 'x', 'y', 'z']});
	t.notDeepEqual(edited!.scale, a!.scale);
	t.deepEqual(edited!.vector, a!.vector);
});

test('a scale of many sentences keeps a hundred quantiles', async t => {
	const directions = await loadDirections(Array.from({length: 20}, (_, i) => entry(`${i}`)), {encoder: new FakeEncoder(width)});
	for (const {scale} of directions) {
		t.is(scale!.examples, 160);
		t.is(scale!.sample.length, 100);
	}
});

test('an encoder with another passport does not use the cached vectors', async t => {
	const folder = await emptyFolder();
	await loadDirections([entry('a')], {encoder: new FakeEncoder(width), folder});
	const other = Object.assign(new FakeEncoder(width), {passport: {...new FakeEncoder(width).passport, dtype: 'q8'}});
	await loadDirections([entry('a')], {encoder: other, folder});
	t.is(other.asked.length, 8 + toneSentences);
	t.is((await readdir(folder)).length, 2);
});

for (const [damage, change] of Object.entries({
	'invalid JSON': () => '{"model"',
	'a truncated vector': (content: string) => content.replaceAll(/"[A-Za-z\d+/]{40,}=*"/g, text => `${text.slice(0, -9)}"`),
	'a vector of NaN': (content: string) => content.replaceAll(
		/"[A-Za-z\d+/]{40,}=*"/g,
		text => JSON.stringify(Buffer.alloc(4096, 0xFF).toString('base64').slice(0, text.length - 2)),
	),
})) {
	test(`vectors are computed again if the cache has ${damage}`, async t => {
		const folder = await emptyFolder();
		const made = await loadDirections([entry('a')], {encoder: new FakeEncoder(width), folder});
		const [name] = await readdir(folder);
		const file = path.join(folder, name!);
		await writeFile(file, change(await readFile(file, 'utf8')));
		const encoder = new FakeEncoder(width);
		const again = await loadDirections([entry('a')], {encoder, folder});
		t.is(encoder.asked.length, 8 + toneSentences);
		t.deepEqual(again, made);
	});
}

test('a folder that cannot be written causes a warning, not a failure', async t => {
	const file = path.join(await emptyFolder(), 'a file');
	await writeFile(file, '');
	const {warnings, warn} = collectWarnings();
	const directions = await loadDirections([entry('a')], {encoder: new FakeEncoder(width), warn, folder: path.join(file, 'below')});
	t.is(directions.length, 1);
	t.regex(warnings.join(' '), /cannot be cached .*the next start computes them again/);
});

test('a direction whose poles are the same is skipped with a warning', async t => {
	const {warnings, warn} = collectWarnings();
	const same = {...entry('a'), negative: entry('a').positive};
	const directions = await loadDirections([same, entry('b')], {encoder: new FakeEncoder(width), warn});
	t.deepEqual(directions.map(({name}) => name), ['b']);
	t.regex(warnings.join(' '), /epistemic\.a is skipped: its poles do not differ/);
});

test('an aborted signal stops the work', async t => {
	await t.throwsAsync(
		loadDirections([entry('a')], {encoder: new FakeEncoder(width), signal: AbortSignal.abort(new Error('stopping'))}),
		{message: 'stopping'},
	);
});
