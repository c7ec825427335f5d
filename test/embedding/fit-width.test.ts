import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {fitWidth} from '../../src/embedding/fit-width.ts';
import {EmbeddingError} from '../../src/platform/errors.ts';

const component = fc.double({noNaN: true, noDefaultInfinity: true});

const rawVector = fc.array(component, {minLength: 1, maxLength: 1024}).filter(raw => raw.some(value => value !== 0));

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => Array.from(a).reduce((sum, value, i) => sum + value * b[i]!, 0);

const norm = (vector: ArrayLike<number>): number => Math.hypot(...Array.from(vector));

test('a lifted vector has 1024 floats and unit length, however small or large the raw one is', t => {
	fc.assert(fc.property(rawVector, raw => {
		const lifted = fitWidth(raw);
		return lifted.length === 1024 && Math.abs(norm(lifted) - 1) < 1e-6;
	}));
	t.pass();
});

test('components beyond the width of the model are zero', t => {
	const lifted = fitWidth([3, 4]);
	t.deepEqual([...lifted.subarray(0, 2)], [Math.fround(0.6), Math.fround(0.8)]);
	t.true(lifted.subarray(2).every(value => value === 0));
});

test('lifting keeps cosines', t => {
	const moderate = fc.array(fc.double({min: -1, max: 1, noNaN: true}), {minLength: 384, maxLength: 384}).filter(raw => norm(raw) > 1e-3);
	fc.assert(fc.property(moderate, moderate, (a, b) =>
		Math.abs(dot(fitWidth(a), fitWidth(b)) - dot(a, b) / norm(a) / norm(b)) < 1e-6));
	t.pass();
});

test('a vector wider than the state is refused, and the error says what to set', t => {
	t.throws(() => fitWidth(new Float32Array(1536).fill(1)), {
		instanceOf: EmbeddingError,
		message: /1536 floats.*1024 wide.*encoder.truncate/,
	});
});

test('a Matryoshka vector is cut to its beginning and normalised again', t => {
	const raw = Float32Array.from({length: 1536}, (_, i) => Math.sin(i));
	t.deepEqual(fitWidth(raw, true), fitWidth(raw.subarray(0, 1024)));
});

test('a zero vector and an empty vector are refused', t => {
	t.throws(() => fitWidth(new Float32Array(512)), {instanceOf: EmbeddingError, message: /zero vector/});
	t.throws(() => fitWidth([]), {instanceOf: EmbeddingError, message: /empty vector/});
});

for (const value of [Number.NaN, Infinity, -Infinity]) {
	test(`a vector with ${value} is refused, and the error names the component`, t => {
		t.throws(() => fitWidth([1, 2, value]), {
			instanceOf: EmbeddingError,
			message: `The model gave a vector that is not finite: component 2 is ${value}.`,
		});
	});
}
