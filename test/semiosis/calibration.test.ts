/** Calibration brings the reference of a person, on the built-in catalogue, nearer to their declared profile. */
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import anyTest, {type TestFn} from 'ava';
import {parse} from 'csv-parse/sync';
import fc from '../helpers/fast-check.ts';
import type {LoadedEncoder} from '../../src/embedding/encoder.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {traitSentences} from '../../src/semiosis/trait-sentences.ts';
import {projectProfile, type Direction, type Profile} from '../../src/semiosis/profile.ts';
import {adjustReference, createReference, findUnknownNames, type DeclaredProfile} from '../../src/semiosis/reference.ts';
import {builtInCatalogue, loadCatalogue} from '../../src/sources/directions/catalogue.ts';
import {readDeclaredProfile} from '../../src/sources/load-person.ts';
import {loadDirections} from '../../src/sources/directions/vectors.ts';
import {readMessages, writeMessages} from '../../src/sources/message-file.ts';
import {readRecentWords} from '../../src/sources/recent-words.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import type {StateTensor} from '../../src/kernel/state-tensor.ts';

const test = anyTest as TestFn<{encoder: LoadedEncoder; directions: Direction[]; declared: DeclaredProfile}>;

const sample = (name: string) => fileURLToPath(new URL(`../../examples/person/${name}`, import.meta.url));

type Line = {conversation: string; title: string; deleted: string; role: string; content: string; created: string};

const sampleMessages = async () => parse<Line>(
	await readFile(sample('messages.csv')),
	{columns: true},
).map(({title, deleted, created, ...rest}) =>
	({...rest, title: title || null, isDeleted: deleted === 'true', createdAt: created}));

test.beforeEach(async t => {
	const encoder = await loadEncoder();
	const directions = await loadDirections(await loadCatalogue(builtInCatalogue), {encoder});
	t.context = {encoder, directions, declared: await readDeclaredProfile(sample('profile.json'))};
});

test.afterEach.always(async t => t.context.encoder.dispose());

const kernel = selectKernel();

/** Per category, the distance of each declared value (as a projection, value/60) from that of the profile. */
const distances = (profile: Profile, declared: DeclaredProfile): number[][] => declared.map(([category, values]) =>
	values.flatMap(([name, value]) => value === null ? [] : [Math.abs(profile[category]![name]!.value - value / 60)]));

const sumOfSquares = (values: number[]) => values.reduce((sum, value) => sum + value ** 2, 0);

/** The text that the service makes of the sample's messages. */
const sampleWords = async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'calibration-'));
	try {
		const file = path.join(folder, 'messages.sqlite');
		await writeMessages(file, await sampleMessages());
		return (await readRecentWords(readMessages(file)))!;
	} finally {
		await rm(folder, {recursive: true});
	}
};

const referenceOfWords = async (encoder: LoadedEncoder) => {
	const vector = await encoder.embed(await sampleWords());
	return createReference(dimensions.map(() => vector), '');
};

const references: Record<string, (encoder: LoadedEncoder, declared: DeclaredProfile) => Promise<StateTensor>> = {
	'made of their messages': referenceOfWords,
	async 'made of the declared profile alone'(encoder, declared) {
		return createReference(await Promise.all(traitSentences(declared).map(async sentence => encoder.embed(sentence))), '');
	},
};

for (const [made, build] of Object.entries(references)) {
	test(`calibration brings a reference ${made} nearer to what the person declares`, async t => {
		const {encoder, directions, declared} = t.context;
		const reference = await build(encoder, declared);
		const calibrated = adjustReference(kernel, reference, declared, directions);
		const [before, after] = [reference, calibrated].map(({rows}) => distances(
			projectProfile(kernel, rows, directions),
			declared,
		)) as [number[][], number[][]];

		for (const [c, [category]] of declared.entries()) {
			t.true(sumOfSquares(after[c]!) < sumOfSquares(before[c]!), `${category}: ${sumOfSquares(before[c]!)} → ${sumOfSquares(after[c]!)}`);
		}

		const [was, is] = [sumOfSquares(before.flat()), sumOfSquares(after.flat())];
		t.true(is < was / 2, `${was} → ${is}`);

		const nearer = after.flat().filter((distance, i) => distance < before.flat()[i]!).length;
		const share = nearer / after.flat().length;
		t.true(share > 0.75, `${share}`);
		t.log(`squared distance ${was.toFixed(2)} → ${is.toFixed(2)}; ${nearer} of ${after.flat().length} directions nearer`);
	});
}

test('for any declared profile, calibration removes at least a quarter of the squared distance', async t => {
	const {encoder, directions} = t.context;
	const reference = await referenceOfWords(encoder);
	const before = projectProfile(kernel, reference.rows, directions);
	const values = fc.array(fc.option(fc.integer({min: -10, max: 10})), {minLength: directions.length, maxLength: directions.length});
	fc.assert(fc.property(values, drawn => {
		const byCategory = Map.groupBy(
			directions.map(({category, name}, i) => ({category, entry: [name, drawn[i]!] as const})),
			({category}) => category,
		);
		const declared = [...byCategory].map(([category, list]) => [category, list.map(({entry}) => entry)] as const);
		const after = projectProfile(kernel, adjustReference(kernel, reference, declared, directions).rows, directions);
		const [was, is] = [before, after].map(profile => sumOfSquares(distances(profile, declared).flat())) as [number, number];
		t.true(is <= was * 0.75, `${was} → ${is}`);
	}));
});

test('the reference is made of 22 of the sample’s 40 messages', async t => {
	t.is((await sampleMessages()).length, 40);
	t.is((await sampleWords()).split('\n\n').length, 22);
});

test('the sample profile declares only names of the catalogue, each of one category', t => {
	const {directions, declared} = t.context;
	t.deepEqual(findUnknownNames(declared, directions), []);
	for (const [category, values] of declared) {
		for (const [name] of values) {
			t.deepEqual(directions.filter(direction => direction.name === name).map(direction => direction.category), [category], name);
		}
	}
});
