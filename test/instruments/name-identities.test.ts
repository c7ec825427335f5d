/** Which identities are named, so that at most a twentieth are named by chance; and the p beyond the twins that this needs. */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {rankOf} from '../../src/instruments/drift/paths.ts';
import {nameUpTo, tailOf} from '../../src/instruments/name-identities.ts';
import {mulberry32} from '../../src/platform/clock.ts';

/** The largest distances of ordinary histories, with a tail heavier than a normal one. */
const valuesOf = (seed: number, count = 199): number[] => {
	const random = mulberry32(seed);
	return Array.from({length: count}, () => 1 + 0.15 * -Math.log(1 - random())).toSorted((a, b) => a - b);
};

test('in the example of Benjamini and Hochberg, the four smallest p are named', t => {
	// Their 15 p-values (1995, section 3.2): four are named at .05.
	const ps = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1];
	t.is(nameUpTo(ps), 0.0095);
	t.is(nameUpTo(ps.toReversed()), 0.0095);
	t.is(nameUpTo([0.06, 0.5]), 0);
	t.is(nameUpTo([]), 0);
});

test('a smaller p of one identity never names fewer', t => {
	const p = fc.double({min: 1e-9, max: 1, noNaN: true});
	fc.assert(fc.property(fc.array(p, {minLength: 1, maxLength: 40}), fc.nat(), p, (ps, place, other) => {
		const i = place % ps.length;
		const smaller = ps.with(i, Math.min(ps[i]!, other));
		const count = (all: readonly number[]) => all.filter(one => one <= nameUpTo(all)).length;
		t.true(count(smaller) >= count(ps));
	}));
});

test('within the twins p is the rank among them, and beyond them it falls with the distance', t => {
	const values = valuesOf(3);
	for (const value of [1, values[100]!, values.at(-1)!]) {
		t.is(tailOf(values, value), rankOf(values, value));
	}

	const beyond = [1, 1.2, 1.5, 2, 4].map(times => tailOf(values, values.at(-1)! * times + 1e-9));
	t.deepEqual(beyond, beyond.toSorted((a, b) => b - a));
	t.true(beyond[0]! <= 1 / 200 && beyond.at(-1)! < 1e-4 && beyond.at(-1)! > 0);
});

test('beyond the twins, the geometric mean of p is above the true p', t => {
	const all = valuesOf(7, 40_000);
	for (const p of [0.002, 0.0005, 0.0001]) {
		const said = Array.from({length: 60}, (_, seed) => tailOf(valuesOf(seed), all[Math.floor((1 - p) * all.length)]!));
		// Over 60 baselines.
		t.true(Math.exp(said.reduce((sum, one) => sum + Math.log(one), 0) / said.length) > p, String(p));
	}
});
