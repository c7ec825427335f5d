/**
 * The cost of a JSON text, from its bytes: levels, values, keys and nested bytes equal those of the
 * parsed value.
 */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {findExceededBound, type JsonBounds} from '../../src/http/middleware/parse-json.ts';

const none: JsonBounds = {depth: Infinity, values: Infinity, keys: Infinity, nestedBytes: Infinity};
const exceeded = (text: string, bounds: Partial<JsonBounds>) => findExceededBound(Buffer.from(text), {...none, ...bounds});

/** The smallest bound that a text does not exceed. */
const measured = (text: string, bound: keyof JsonBounds): number => {
	let least = 0;
	while (exceeded(text, {[bound]: least}) !== null) {
		least++;
	}

	return least;
};

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
const partsOf = (value: unknown): unknown[] => isContainer(value) ? Object.values(value) : [];
const depthOf = (value: unknown): number => isContainer(value) ? 1 + Math.max(0, ...partsOf(value).map(depthOf)) : 0;
const keysOf = (value: unknown): number =>
	(Array.isArray(value) ? 0 : partsOf(value).length) + partsOf(value).reduce<number>((sum, part) => sum + keysOf(part), 0);
const valuesOf = (value: unknown): number => isContainer(value)
	? Math.max(1, partsOf(value).length) + partsOf(value).reduce<number>((sum, part) => sum + valuesOf(part), 0)
	: 0;
const nestedBytesOf = (value: unknown): number =>
	partsOf(value).filter(isContainer).reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0);

/** Strings and keys full of characters that have a meaning outside of strings. */
const troublesome = fc.string({unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'a', 'é', '\n')});
const {value: json} = fc.letrec(tie => ({
	value: fc.oneof(
		{maxDepth: 4, withCrossShrink: true},
		fc.constantFrom(null, 1, true),
		troublesome,
		fc.array(tie('value'), {maxLength: 4}),
		fc.dictionary(troublesome, tie('value'), {maxKeys: 4}),
	),
}));

test('levels, values, keys and nested bytes are counted, whatever the strings contain', t => {
	t.notThrows(() => {
		fc.assert(fc.property(json, value => {
			const text = JSON.stringify(value);
			return measured(text, 'depth') === depthOf(value)
				&& measured(text, 'keys') === keysOf(value)
				&& measured(text, 'values') === valuesOf(value)
				&& measured(text, 'nestedBytes') === nestedBytesOf(value);
		}), {numRuns: 300});
	});
});

test('the length of a string adds neither values nor nested bytes', t => {
	t.is(exceeded(`{"content": "${'\\"{['.repeat(200_000)}"}`, {depth: 1, values: 1, keys: 1, nestedBytes: 0}), null);
});

test('incomplete text is counted up to its end', t => {
	t.is(exceeded('["a', {depth: 1, values: 1}), null);
	t.is(exceeded('["a\\', {depth: 1}), null);
	t.is(exceeded('[[[[', {depth: 3}), 'depth');
	t.is(exceeded(']]]]', {depth: 0}), null);
});
