import {mkdtemp, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import fc from '../../helpers/fast-check.ts';
import {ConfigurationError} from '../../../src/platform/errors.ts';
import {builtInCatalogue, loadCatalogue} from '../../../src/sources/directions/catalogue.ts';
import {collectWarnings} from '../../helpers/collect-warnings.ts';
import {anyText} from '../../helpers/any-text.ts';

const entry = (name: string, change: object = {}) => ({
	category: 'epistemic',
	name,
	pole_positive: 'certain',
	pole_negative: 'doubtful',
	positive: ['a', 'b', 'c', 'd'],
	negative: ['e', 'f', 'g', 'h'],
	...change,
});

const makeFile = async (content: unknown) => {
	const file = path.join(await mkdtemp(path.join(tmpdir(), 'catalogue-')), 'directions.json');
	await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
	return file;
};

test('an unusable entry is skipped with a warning, and the others are loaded', async t => {
	const {warnings, warn} = collectWarnings();
	const entries = await loadCatalogue(await makeFile({directions: [
		entry('whole'),
		entry('poor', {positive: ['a', 'b', 'c']}),
		entry('mute', {pole_negative: 7}),
		null,
		entry('whole', {category: 'ethical'}),
	]}), {warn});
	t.deepEqual(entries.map(({category, name}) => `${category}.${name}`), ['epistemic.whole', 'ethical.whole']);
	t.is(warnings.length, 3);
	t.regex(warnings[0]!, /Direction 2 \(poor\) is skipped: positive must be a list of at least 4 texts, not a list of 3/);
	t.regex(warnings[1]!, /Direction 3 \(mute\) is skipped: pole_negative /);
	t.regex(warnings[2]!, /Direction 4 is skipped/);
});

test('a file may begin with a byte order mark, as some editors write it', async t => {
	const entries = await loadCatalogue(await makeFile(`\uFEFF${JSON.stringify({directions: [entry('whole')]})}`));
	t.deepEqual(entries.map(({name}) => name), ['whole']);
});

test('of two entries with the same category and name, the first is used', async t => {
	const {warnings, warn} = collectWarnings();
	const entries = await loadCatalogue(await makeFile({directions: [entry('twice'), entry('twice', {pole_positive: 'other'})]}), {warn});
	t.deepEqual(entries.map(({pole_positive: pole}) => pole), ['certain']);
	t.regex(warnings[0]!, /an earlier entry is epistemic\.twice too/);
});

test('a file that is not a catalogue is refused, and the error says what is wrong', async t => {
	await t.throwsAsync(loadCatalogue(await makeFile('{"directions": [')), {
		code: 'configuration',
		message: /cannot be read .*Give a JSON file/,
	});
	await t.throwsAsync(loadCatalogue(await makeFile([])), {code: 'configuration', message: /no list “directions”/});
	await t.throwsAsync(loadCatalogue('nowhere.json'), {code: 'configuration', message: /cannot be read/});
});

test('any content of a file gives usable entries and a warning for each other, or a ConfigurationError', async t => {
	const near = fc.record({
		category: fc.oneof(fc.string(), fc.constant('epistemic'), fc.integer()),
		name: fc.oneof(fc.string(), fc.constant('__proto__'), fc.constant(null)),
		pole_positive: fc.string(),
		pole_negative: fc.string(),
		positive: fc.array(fc.oneof(fc.string(), fc.integer()), {maxLength: 6}),
		negative: fc.array(fc.string(), {maxLength: 6}),
	}, {requiredKeys: []});
	const content = fc.oneof(
		fc.array(fc.oneof(near, fc.jsonValue(), fc.constant(entry('whole')))).map(directions => JSON.stringify({directions})),
		fc.json(),
		anyText(),
	);
	await fc.assert(fc.asyncProperty(content, async text => {
		const file = await makeFile(text);
		try {
			const {warnings, warn} = collectWarnings();
			const entries = await loadCatalogue(file, {warn});
			const {length} = (JSON.parse(text) as {directions: unknown[]}).directions;
			return entries.length + warnings.length === length
				&& entries.every(({positive, negative}) => positive.length >= 4 && negative.length >= 4);
		} catch (error) {
			return error instanceof ConfigurationError;
		}
	}), {numRuns: 300});
	t.pass();
});

test('every entry of the built-in catalogue is usable, and each category has its number of entries', async t => {
	const {warnings, warn} = collectWarnings();
	// By its path, as a catalogue of a user, so that every entry is checked.
	const entries = await loadCatalogue(fileURLToPath(builtInCatalogue), {warn});
	t.deepEqual(entries, await loadCatalogue(builtInCatalogue));
	t.deepEqual(warnings, []);
	const sizes = Object.fromEntries([...Map.groupBy(entries, ({category}) => category)].map(([category, list]) => [category, list.length]));
	t.deepEqual(sizes, {
		epistemic: 6,
		affective: 6,
		cognitive: 6,
		relational: 6,
		ethical: 6,
		thematic: 6,
		temporal: 5,
		metacognitive: 6,
		vital: 20,
		ecosystemic: 10,
		philosophical: 28,
	});
});

test('no name of the built-in catalogue appears twice, because a declared profile refers to names', async t => {
	const entries = await loadCatalogue(builtInCatalogue);
	t.is(new Set(entries.map(({name}) => name)).size, entries.length);
});

test('no example sentence of the built-in catalogue appears twice', async t => {
	const entries = await loadCatalogue(builtInCatalogue);
	const sentences = entries.flatMap(({positive, negative}) => [...positive, ...negative]);
	t.is(new Set(sentences).size, sentences.length);
});

test('the daemon has at least 24 themes of each kind', async t => {
	const themes = JSON.parse(await readFile(new URL('../../../data/themes.json', import.meta.url), 'utf8')) as Record<string, string[]>;
	t.deepEqual(Object.keys(themes), ['rumination', 'corpus']);
	for (const list of Object.values(themes)) {
		t.true(new Set(list).size >= 24);
	}
});

test('the built-in catalogue has French poles, with the same sentences', async t => {
	const [english, french] = await Promise.all([loadCatalogue(builtInCatalogue), loadCatalogue(builtInCatalogue, {language: 'fr'})]);
	t.is(french.find(({name}) => name === 'trust')!.pole_negative, 'méfiant');
	t.deepEqual(french.map(({positive, negative}) => [positive, negative]), english.map(({positive, negative}) => [positive, negative]));
	t.true(french.every(({pole_positive: positive, pole_negative: negative}) => Boolean(positive) && Boolean(negative)));
});
