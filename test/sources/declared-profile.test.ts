/** The declared profile: a file that a person writes by hand. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {readDeclaredProfile} from '../../src/sources/load-person.ts';
import {anyText} from '../helpers/any-text.ts';

const placeFor = async (t: ExecutionContext) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'profile-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	return path.join(folder, 'profile.json');
};

const readFrom = async (t: ExecutionContext, content: string | Uint8Array) => {
	const file = await placeFor(t);
	await writeFile(file, content);
	return readDeclaredProfile(file);
};

test('a profile is read in the order of the file, whatever its names are', async t => {
	t.deepEqual(await readFrom(
		t,
		'{"vital": {"play": 3, "7": -10, "1": 10, "__proto__": null, "": 0.5}, "10": {}, "affective": {"calm": -0}}',
	), [
		['vital', [['play', 3], ['7', -10], ['1', 10], ['__proto__', null], ['', 0.5]]],
		['10', []],
		['affective', [['calm', -0]]],
	]);
	t.deepEqual(await readFrom(t, '{}'), []);
});

test('a byte order mark is ignored', async t => {
	t.deepEqual(await readFrom(t, '\u{FEFF}{"affective": {"calm": 1}}'), [['affective', [['calm', 1]]]]);
});

const unique = <Value>(value: fc.Arbitrary<Value>) =>
	fc.uniqueArray(fc.tuple(anyText().map(name => name.toWellFormed()), value), {selector: ([name]) => name});

const write = <Value>(members: Array<[string, Value]>, inner: (value: Value) => string) =>
	`{${members.map(([name, value]) => `${JSON.stringify(name)}: ${inner(value)}`).join(', ')}}`;

test('any profile is read back as it was written', async t => {
	const file = await placeFor(t);
	const value = fc.oneof(fc.constant(null), fc.double({min: -10, max: 10, noNaN: true}).map(number => number || 0));
	await fc.assert(fc.asyncProperty(unique(unique(value)), async profile => {
		await writeFile(file, write(profile, values => write(values, JSON.stringify)));
		t.deepEqual(await readDeclaredProfile(file), profile);
	}));
});

test('the error names every invalid entry with its place', async t => {
	const error = await t.throwsAsync(readFrom(t, `{
		"affective": {"calm": 12, "joy": "7", "hope": 5, "hope": 6, "vigour": -10.01, "courage": 1e999},
		"vital": [1, 2],
		"ethical": {"honesty": {"value": 9}, "duty": true},
		"vital": {"play": null}
	}`), {instanceOf: ConfigurationError});
	for (const fault of [
		'affective.calm: 12 is not between -10 and 10',
		'affective.joy: "7" is not a number or null',
		'affective.hope appears 2 times',
		'affective.vigour: -10.01 is not between -10 and 10',
		'affective.courage: 1e999 is not between -10 and 10',
		'vital: [1, 2] is not an object',
		'ethical.honesty: {"value": 9} is not a number or null',
		'ethical.duty: true is not a number or null',
		'vital appears 2 times',
	]) {
		t.true(error!.message.includes(`${fault};`) || error!.message.includes(`${fault}.`), `${fault} in ${error!.message}`);
	}
});

test('the error shows the beginning of a long value', async t => {
	const error = await t.throwsAsync(readFrom(t, JSON.stringify({affective: {calm: 'x'.repeat(10_000)}})), {instanceOf: ConfigurationError});
	t.regex(error!.message, /affective\.calm: "x{39}… is not/);
});

test('a missing file and invalid JSON are refused, and the error says what to do', async t => {
	const refused = {instanceOf: ConfigurationError, message: /cannot be read.*Correct person.profileFile.*\{"affective"/};
	await t.throwsAsync(readDeclaredProfile('nowhere.json'), refused);
	await t.throwsAsync(readDeclaredProfile(tmpdir()), refused);
	for (const content of [
		'',
		'{',
		'{"affective": {"calm": 1,}}',
		'{} // none',
		'{"a": 01}',
		Uint8Array.of(0x22, 0xff, 0x22),
		'{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000),
	]) {
		await t.throwsAsync(readFrom(t, content), refused);
	}

	await t.throwsAsync(readFrom(t, '[1]'), {instanceOf: ConfigurationError, message: /the file: \[1\] is not an object/});
});

test('any content of a file gives a valid profile or a ConfigurationError', async t => {
	const file = await placeFor(t);
	const near = fc.dictionary(
		fc.string(),
		fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.oneof(fc.integer({min: -12, max: 12}), fc.jsonValue()))),
	);
	const content = fc.oneof(fc.uint8Array(), fc.json(), fc.string(), near.map(value => JSON.stringify(value)));
	const outcomes = new Set<string>();
	await fc.assert(fc.asyncProperty(content, async written => {
		await writeFile(file, written);
		try {
			for (const [, values] of await readDeclaredProfile(file)) {
				t.true(values.every(([, value]) => value === null || Math.abs(value) <= 10));
			}

			outcomes.add('profile');
		} catch (error) {
			t.true(error instanceof ConfigurationError, String(error));
			outcomes.add('refused');
		}
	}), {numRuns: often(100, 500), examples: [['{"affective": {"calm": 3}}']]});
	t.deepEqual([...outcomes].toSorted(), ['profile', 'refused']);
});
