/** The comparison of two states by their thirdness. */
import test from 'ava';
import {compareStates, describeChanges} from '../../src/instruments/compare.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {normalise} from '../../src/kernel/normalise.ts';
import {unitVector} from './run-texts.ts';

const kernel = selectKernel();

const direction = (name: string, seed: number, deviation?: number) => ({
	category: 'affective',
	name,
	polePositive: `${name} more`,
	poleNegative: `${name} less`,
	vector: unitVector(seed),
	...(deviation !== undefined && {scale: {examples: 50, mean: 0, deviation, sample: []}}),
});

/** A state with this thirdness. */
const withThirdness = (row: Float32Array) => Array.from({length: 8}, (_, d) => d === 2 ? row : unitVector(40 + d));

const first = unitVector(1);
const from = withThirdness(first);

test('directions are ordered by their change in standard deviations, the largest first', t => {
	const [calm, joy] = [unitVector(10), unitVector(11)];
	const to = withThirdness(normalise(first.map((value, i) => value + 0.2 * calm[i]! - 0.1 * joy[i]!)));
	const changes = compareStates(
		kernel, from, to,
		[direction('calm', 10, 0.1), direction('joy', 11, 0.01), {...direction('hope', 12, 0.1), vector: undefined as never}],
	);
	t.deepEqual(changes.map(({key}) => key), ['affective.joy', 'affective.calm']);
	for (const {from: before, to: after, change} of changes) {
		t.is(change, after - before);
	}

	t.true(changes[0]!.zChange! < -5 && changes[1]!.zChange! > 1);
	t.regex(
		describeChanges(changes),
		/^It is now more joy less \(\d+\.\d\), calm more \(\d\.\d\); the numbers are standard deviations of ordinary sentences\.$/,
	);
});

test('the description leaves out changes within chance', t => {
	const calm = unitVector(10);
	const to = withThirdness(normalise(first.map((value, i) => value + 0.01 * calm[i]!)));
	t.is(describeChanges(compareStates(kernel, from, to, [direction('calm', 10, 0.1)])), 'No direction moved by as much as one '
		+ 'standard deviation of ordinary sentences.');
	t.is(describeChanges(compareStates(kernel, from, to, [direction('calm', 10)])), 'The directions have no scale, so what '
		+ 'stands out is not known.');
});

test('at most ten directions are compared', t => {
	t.is(compareStates(kernel, from, withThirdness(unitVector(2)), Array.from({length: 15}, (_, k) => direction(`d${k}`, k))).length, 10);
});
