/** Whatever a server answers, a read gives a well-formed result or a StoreError. */
import ava from 'ava';
import fc from '../../helpers/fast-check.ts';
import {StoreError} from '../../../src/platform/errors.ts';
import {openOn, raw, readings} from './read-weaviate.ts';

/** Serial: hundreds of servers at once starve each other. */
const test = ava.serial;

/** Every place in a JSON value, as a path of keys. */
const placesIn = (value: unknown): string[][] =>
	[[], ...Object.entries(value instanceof Object ? value : {}).flatMap(([key, inner]) => placesIn(inner).map(path => [key, ...path]))];

const replaced = (value: unknown, [key, ...rest]: string[], replacement: unknown): unknown => {
	if (key === undefined) {
		return replacement;
	}

	const copy = structuredClone(value) as Record<string, unknown>;
	copy[key] = replaced(copy[key], rest, replacement);
	return copy;
};

const vectors = {vector: [0.5, 1], vectors: {default: [0.5, 1]}};

const objects = {
	StateVector: {state_id: 3, timestamp: '2026-03-01T10:00:00Z'},
	Thought: {thought_type: 'insight', content: 'a thought'},
	ProjectionDirection: {category: 'affective', name: 'joy', pole_positive: 'glad', pole_negative: 'sad'},
};

/** Valid answers, each for all reads. */
const restAnswer = {
	objects: [{class: 'Any', properties: {...objects.StateVector, ...objects.Thought, ...objects.ProjectionDirection}, ...vectors}],
};

const graphQlAnswer = {
	data: {Get: Object.fromEntries(Object.entries(objects).map(([name, properties]) => [name, [{...properties, _additional: vectors}]]))},
};

const damagedAnswer = (answer: unknown): fc.Arbitrary<string> => {
	const text = JSON.stringify(answer);
	return fc.oneof(
		fc.record({
			path: fc.constantFrom(...placesIn(answer)),
			replacement: fc.jsonValue(),
		}).map(({path, replacement}) => JSON.stringify(replaced(answer, path, replacement))),
		fc.nat({max: text.length}).map(length => text.slice(0, length)),
		fc.record({
			place: fc.nat({max: text.length}),
			byte: fc.string({maxLength: 2}),
		}).map(({place, byte}) => text.slice(0, place) + byte + text.slice(place + 1)),
		fc.json(),
		fc.string(),
	);
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

/** Whether the result of a read has its type. */
const isWell: Record<keyof typeof readings, (given: any) => boolean> = {
	state: given => given === null || (Number.isSafeInteger(given.stateId)
		&& new Date(given.timestamp).toISOString() === given.timestamp
		&& given.vector instanceof Float32Array),
	thoughts: given => given.every(({type, content, vector}: any) => isTextOrNull(type)
		&& isTextOrNull(content)
		&& vector instanceof Float32Array),
	nearest: given => given.every((vector: unknown) => vector instanceof Float32Array),
	directions: given => given.every(({
		category,
		name,
		polePositive,
		poleNegative,
		vector,
	}: any) => [category, name, polePositive, poleNegative].every(isText) && vector instanceof Float32Array),
};

for (const [what, read] of Object.entries(readings)) {
	test(`any answer to the read of ${what} gives a well-formed result or a StoreError`, async t => {
		let rest = '';
		let graphQl = '';
		let status = 200;
		let isRestServed = true;
		const {store} = await openOn(t, ({method}, response) => {
			(method === 'POST' ? raw(status, graphQl) : isRestServed ? raw(status, rest) : raw(404, ''))(response);
		});
		const outcomes = {well: 0, failed: 0};
		const anyStatus = fc.oneof({weight: 5, arbitrary: fc.constant(200)}, {weight: 1, arbitrary: fc.integer({min: 200, max: 599})});
		await fc.assert(fc.asyncProperty(damagedAnswer(restAnswer), damagedAnswer(graphQlAnswer), anyStatus, fc.boolean(), async (
			...answers
		) => {
			[rest, graphQl, status, isRestServed] = answers;
			try {
				const given = await read(store);
				outcomes.well++;
				return isWell[what as keyof typeof readings](given);
			} catch (error) {
				outcomes.failed++;
				return error instanceof StoreError;
			}
		}), {numRuns: 300});
		t.true(outcomes.well > 0 && outcomes.failed > 0);
	});
}
