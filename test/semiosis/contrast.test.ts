import test from 'ava';
import {contrast} from '../../src/semiosis/contrast.ts';

const v = (...values: number[]) => Float32Array.of(...values);

test('a direction points from the mean of its negative examples to that of its positive ones, with unit length', t => {
	const [x, y] = contrast([v(3, 1), v(5, 1)], [v(1, 1), v(1, 1), v(1, 1)]);
	t.is(x, 1);
	t.true(Math.abs(y!) < 1e-12);
});

test('examples that do not differ are refused', t => {
	t.throws(() => contrast([v(1, 0)], [v(1, 0)]), {instanceOf: RangeError, message: /no direction/});
});

test('a pole without examples is refused', t => {
	for (const [positive, negative] of [[[v(1, 0)], []], [[], [v(1, 0)]]] as const) {
		t.throws(() => contrast(positive, negative), {instanceOf: RangeError, message: /examples of both poles/});
	}
});
