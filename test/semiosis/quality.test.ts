/** How well a direction separates the sentences of its poles. */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {areaUnderCurve, measureQuality} from '../../src/semiosis/quality.ts';
import {vectorOf} from '../actors/fixtures.ts';

const values = fc.array(fc.double({noNaN: true, noDefaultInfinity: true}), {minLength: 1, maxLength: 20});

test('the area under the curve is 1 if all positive values are above, 0 if all are below, and equal ones count half', t => {
	t.is(areaUnderCurve([3, 4], [1, 2]), 1);
	t.is(areaUnderCurve([1, 2], [3, 4]), 0);
	t.is(areaUnderCurve([1, 3], [1, 2]), 0.625);
	t.is(areaUnderCurve([1, 1], [1, 1]), 0.5);
});

test('the area is between 0 and 1, swapped poles give the complement, and only the order counts', t => {
	fc.assert(fc.property(values, values, (positive, negative) => {
		const area = areaUnderCurve(positive, negative);
		t.true(area >= 0 && area <= 1);
		t.true(Math.abs(area + areaUnderCurve(negative, positive) - 1) < 1e-12);
		const order = [...positive, ...negative].toSorted((a, b) => a - b);
		const ranked = (list: number[]) => list.map(value => order.indexOf(value));
		t.is(areaUnderCurve(ranked(positive), ranked(negative)), area);
	}));
});

/** Sentences that share this much of their pole's vector, and nothing else. */
const sentences = (pole: string, share: number): Float32Array[] => Array.from({length: 10}, (_, i) => {
	const common = vectorOf(pole);
	return vectorOf(`${pole} ${i}`).map((value, k) => value + share * common[k]!);
});

test('held-out sentences that share something with their pole are separated perfectly', t => {
	t.is(measureQuality(sentences('yes', 1), sentences('no', 1), way => way), 1);
});

test('held-out sentences that share nothing are separated no better than chance', t => {
	const quality = measureQuality(sentences('yes', 0), sentences('no', 0), way => way);
	t.true(quality > 0.2 && quality < 0.8, `${quality}`);
});

test('a direction without a length has the quality of chance, 0.5', t => {
	t.is(measureQuality(sentences('yes', 1), sentences('yes', 1), way => way), 0.5);
});
