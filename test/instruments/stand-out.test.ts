/** What of a state differs from chance. */
import test from 'ava';
import {scaleProfile} from '../../src/instruments/scaled-profile.ts';
import {selectStandOut} from '../../src/instruments/stand-out.ts';
import {createJsKernel} from '../../src/kernel/js.ts';
import type {Direction} from '../../src/semiosis/profile.ts';
import {dimensions, indexOf} from '../../src/kernel/dimensions.ts';
import {vectorOf} from '../actors/fixtures.ts';

const kernel = createJsKernel();
const rows = dimensions.map(name => vectorOf(name));
const thirdness = rows[indexOf('thirdness')]!;
const firstness = rows[indexOf('firstness')]!;

/** A direction along a row, which has the value 1 on it: its z is (1 − mean)/deviation. */
const along = (category: string, name: string, vector: Float32Array, z: number): Direction =>
	({category, name, polePositive: 'yes', poleNegative: 'no', vector, scale: {examples: 60, mean: 1 - z, deviation: 1, sample: []}});

const keys = (directions: Direction[], beginning: typeof rows | null = null) => selectStandOut(kernel, rows, directions, beginning)?.map(({key}) => key);

test('what is no different from chance is left out, and the farthest comes first', t => {
	t.deepEqual(keys([along('cognitive', 'near', thirdness, 0.9), along('cognitive', 'far', thirdness, 1.5), along('epistemic', 'farthest', firstness, -2.5)]), ['epistemic.farthest', 'cognitive.far']);
});

test('after a random beginning, what does not move is chance', t => {
	t.deepEqual(keys([along('epistemic', 'still', firstness, 3)], rows), []);
});

test('after a random beginning, what moves counts from a movement of one standard deviation on', t => {
	const before = rows.with(indexOf('thirdness'), vectorOf('another'));
	const direction = along('cognitive', 'far', thirdness, 3);
	t.deepEqual(keys([direction], rows), []);
	t.deepEqual(keys([{...direction, scale: {...direction.scale!, deviation: 0.5}}], before), ['cognitive.far']);
	t.deepEqual(keys([{...direction, scale: {...direction.scale!, deviation: 1.5}}], before), []);
});

test('seen on thirdness, every direction moves, and counts by its movement there', t => {
	const before = rows.with(indexOf('thirdness'), vectorOf('another'));
	const standsOut = (z: number, deviation: number): boolean => {
		const direction = along('epistemic', 'far', thirdness, z);
		return scaleProfile(kernel, rows, [{...direction, scale: {...direction.scale!, deviation}}], 'thirdness', before)[0]!.standsOut;
	};

	t.true(standsOut(3, 0.5));
	t.false(standsOut(3, 1.5));
});

test('without any scale it is not known what differs from chance', t => {
	const {scale: _, ...direction} = along('cognitive', 'far', thirdness, 3);
	t.is(keys([direction]), undefined);
	t.is(selectStandOut(kernel, rows, [direction], null), null);
	t.deepEqual(keys([direction, along('cognitive', 'other', thirdness, 3)]), ['cognitive.other']);
});
