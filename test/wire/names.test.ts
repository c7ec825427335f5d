import {readFile} from 'node:fs/promises';
import test from 'ava';
import {Type} from '../../src/platform/typebox.ts';
import {questions} from '../../src/http/questions.ts';
import {flag, integer, list, map, nullable, number, shape, text} from '../../src/wire/builders.ts';
import {fromWire, toWire, wireSchema} from '../../src/wire/names.ts';
import {dataPaths} from '../../scripts/generated-types.ts';

const Point = shape('Point', 'A point.', {
	stateId: integer('Its number.', 1),
	isLast: Type.Optional(flag('Whether it is the last.', true)),
});
const Path = shape('Path', 'A path.', {
	trigger: text('What triggers it.', 'user', {wireName: 'trigger_type'}),
	points: list('The points.', Point),
	lastPoint: nullable('The last.', Point),
	byName: map('Name → point.', Point, {firstPoint: {stateId: 1, isLast: true}}),
});
const path = {
	trigger: 'user',
	points: [{stateId: 1}, {stateId: 2, isLast: true}],
	lastPoint: null,
	byName: {aName: {stateId: 3}, a_name: {stateId: 4}},
};
const sent = {
	trigger_type: 'user',
	points: [{state_id: 1}, {state_id: 2, is_last: true}],
	last_point: null,
	by_name: {aName: {state_id: 3}, a_name: {state_id: 4}},
};

test('names at every depth become wire names, in the same order; keys that are data are unchanged', t => {
	t.is(JSON.stringify(toWire(Path)(path)), JSON.stringify(sent));
	t.deepEqual(fromWire(Path)(sent), path);
});

test('a value without names is passed on without a copy', t => {
	const Sizes = list('Sizes.', number('A size.', 1));
	const sizes = [1, 2, 3];
	t.is(toWire(Sizes)(sizes), sizes);
});

test('a key of a record cannot become its prototype', t => {
	const record = fromWire(Path)(
		JSON.parse('{"by_name": {"__proto__": {"state_id": 1}}, "__proto__": {"state_id": 2}}'),
	) as {byName: object};
	t.deepEqual(Object.entries(record.byName), [['__proto__', {stateId: 1}]]);
	t.is(Object.getPrototypeOf(record), Object.prototype);
});

test('a wire schema has wire names in its fields and examples', t => {
	const {properties, required, examples} = wireSchema(Path) as unknown as {properties: object; required: string[]; examples: object[]};
	t.deepEqual(Object.keys(properties), ['trigger_type', 'points', 'last_point', 'by_name']);
	t.deepEqual(required, Object.keys(properties));
	t.deepEqual(examples, [toWire(Path)((Path as unknown as {examples: object[]}).examples[0])]);
	t.false(JSON.stringify(wireSchema(Path)).includes('wireName'));
});

test('data paths are those of records, and of shapes whose keys are not renamed', t => {
	t.deepEqual(dataPaths(Path), ['byName']);
	t.deepEqual(
		dataPaths(shape('Counts', 'Counts.', {counts: shape('Inner', 'Counts.', {rumination_free: integer('A count.', 1)})})),
		['counts'],
	);
});

for (const {name, answer, ask} of questions) {
	test(`the names of ${name} are unchanged after a round trip`, t => {
		for (const schema of [answer, ...ask ? [ask] : []]) {
			const [example] = (schema as unknown as {examples?: object[]}).examples ?? [{}];
			t.deepEqual(fromWire(schema)(toWire(schema)(example)), example);
		}
	});
}

test('mappers are made without eval, which some platforms forbid', async t => {
	t.notRegex(await readFile(new URL('../../src/wire/names.ts', import.meta.url), 'utf8'), /new Function|eval\(/);
});
