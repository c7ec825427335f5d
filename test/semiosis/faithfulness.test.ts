import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {measureFaithfulness} from '../../src/semiosis/faithfulness.ts';
import {projectProfile, type Direction, type Profile} from '../../src/semiosis/profile.ts';

const kernel = selectKernel('js');

/** Directions along the axes: a vector's components are its projections. */
const directions: Direction[] = Array.from({length: 40}, (_, i) => {
	const vector = new Float32Array(1024);
	vector[i] = 1;
	return {category: 'cognitive', name: `d${i}`, polePositive: 'yes', poleNegative: 'no', vector};
});

const vectorOf = (values: readonly number[]): Float32Array => {
	const vector = new Float32Array(1024);
	vector.set(values);
	return vector;
};

/** The profile of a state with these projections on the first directions. */
const profileOf = (values: readonly number[]): Profile =>
	projectProfile(kernel, Array.from({length: 8}, () => vectorOf(values)), directions.slice(0, values.length));

const score = (state: readonly number[], text: readonly number[]) =>
	measureFaithfulness(kernel, profileOf(state), vectorOf(text), directions);

test('a text that orders the directions as the state does has the score 1, at any scale', t => {
	t.is(score([0.3, -0.2, 0.1, 0.05], [0.09, -0.5, 0.02, 0.01]), 1);
});

test('a text that reverses the order has the score −1', t => {
	t.is(score([0.3, -0.2, 0.1, 0.05], [-0.3, 0.2, -0.1, -0.05]), -1);
});

test('the score is Spearman\'s: 1 − 6 Σd² / n(n² − 1) without ties', t => {
	// Ranks 1 2 3 4 5 against 2 1 4 3 5: Σd² = 4.
	t.is(score([0.1, 0.2, 0.3, 0.4, 0.5], [0.2, 0.1, 0.4, 0.3, 0.5]), 0.8);
});

test('equal values share their mean rank', t => {
	// Ranks 1 2.5 2.5 4 against 1 2 3 4: 4.5 / √(4.5 · 5).
	t.is(score([0.1, 0.2, 0.2, 0.4], [0.1, 0.2, 0.3, 0.4]), 0.9487);
});

test('only the twenty strongest directions of the state are compared', t => {
	const strong = Array.from({length: 20}, (_, i) => (i % 2 === 0 ? 1 : -1) * (0.2 + i / 100));
	const weak = Array.from({length: 20}, (_, i) => (i + 1) / 1000);
	t.is(score([...weak, ...strong], [...weak.toReversed(), ...strong]), 1);
	t.not(score([...weak, ...strong], [...weak, ...strong.toReversed()]), 1);
});

test('fewer than three directions have no score', t => {
	t.is(score([0.3, -0.2], [0.3, -0.2]), null);
	t.is(score([], []), null);
	t.is(score([0.3, -0.2, 0.1], [0.3, -0.2, 0.1]), 1);
});

test('equal projections have no score', t => {
	t.is(score([0.1, 0.1, 0.1], [0.1, 0.2, 0.3]), null);
	t.is(score([0.1, 0.2, 0.3], [0, 0, 0]), null);
});

test('a direction without a vector is not compared', t => {
	const [{category, name, polePositive, poleNegative}, ...others] = directions.slice(0, 4) as [Direction, ...Direction[]];
	const known = [{category, name, polePositive, poleNegative}, ...others];
	t.is(measureFaithfulness(kernel, profileOf([0.4, 0.1, 0.2, 0.3]), vectorOf([-9, 0.1, 0.2, 0.3]), known), 1);
});

/** Multiples of 1e-4, which the profile's rounding does not change. */
const values = (length: number) => fc.array(fc.integer({min: -9999, max: 9999}).map(n => n / 1e4), {minLength: length, maxLength: length});
const pair = fc.integer({min: 3, max: 40}).chain(length => fc.tuple(values(length), values(length)));

test('the score is between −1 and 1, with four decimals', t => {
	fc.assert(fc.property(pair, ([state, text]) => {
		const result = score(state, text);
		t.true(result === null || (result >= -1 && result <= 1 && Number(result.toFixed(4)) === result));
	}));
});

test('the score depends only on the order of the text\'s projections', t => {
	fc.assert(fc.property(pair, ([state, text]) => {
		t.is(score(state, text.map(value => Math.exp(value))), score(state, text));
	}));
});

test('a text with the projections of the state has the score 1, and one with the opposite projections −1', t => {
	fc.assert(fc.property(values(12).filter(state => new Set(state).size > 1), state => {
		t.is(score(state, state), 1);
		t.is(score(state, state.map(value => -value)), -1);
	}));
});

test('the opposite text has the opposite score', t => {
	fc.assert(fc.property(pair, ([state, text]) => {
		const [one, other] = [score(state, text), score(state, text.map(value => -value))];
		t.is(other, one === null ? null : -one || 0);
	}));
});

test('the order of the directions does not matter', t => {
	fc.assert(fc.property(pair, ([state, text]) => {
		const profile = profileOf(state);
		t.is(
			measureFaithfulness(kernel, profile, vectorOf(text), directions.toReversed()),
			measureFaithfulness(kernel, profile, vectorOf(text), directions),
		);
	}));
});
