/** The part of a direction that it does not share with an axis. */
import test from 'ava';
import {divideByCovariance, withoutAxis} from '../../src/semiosis/own-part.ts';
import {correlate} from '../../src/semiosis/scale.ts';
import {mulberry32} from '../actors/fixtures.ts';

const size = 6;
const random = mulberry32(5);
const draw = (): Float32Array => Float32Array.from({length: size}, () => random() - 0.5);
const axis = draw();
const unit = draw();

/** Sentences that vary most along the axis. */
const sentences = Array.from({length: 400}, () => {
	const along = 4 * (random() - 0.5);
	return draw().map((value, i) => value + along * axis[i]!);
});
const valuesOn = (vector: ArrayLike<number>): number[] =>
	sentences.map(sentence => sentence.reduce((sum, value, i) => sum + value * vector[i]!, 0));

test('whitening divides by the shrunk covariance of sentences: Σ_a times the whitened vector is the vector', t => {
	const whitened = divideByCovariance(sentences, size)(unit);
	const mean = Array.from({length: size}, (_, i) => sentences.reduce((sum, sentence) => sum + sentence[i]!, 0) / sentences.length);
	const covariance = mean.map((_, i) => mean.map((__, j) => sentences.reduce((sum, sentence) =>
		sum + (sentence[i]! - mean[i]!) * (sentence[j]! - mean[j]!), 0) / (sentences.length - 1)));
	const trace = covariance.reduce((sum, row, i) => sum + row[i]!, 0);
	for (const [i, row] of covariance.entries()) {
		const back = row.reduce((sum, value, j) => sum + (0.2 * value + (i === j ? 0.8 * trace / size : 0)) * whitened[j]!, 0);
		t.true(Math.abs(back - unit[i]!) < 1e-9);
	}
});

test('beyond the width of the model a vector stays zero', t => {
	const wide = sentences.map(sentence => Float32Array.of(...sentence, 0, 0));
	t.deepEqual([...divideByCovariance(wide, size)(Float32Array.of(...unit, 0, 0))], [...divideByCovariance(sentences, size)(unit), 0, 0]);
});

test('the own part of a direction has nothing that it shared with the axis', t => {
	const mixed = unit.map((value, i) => value + 2 * axis[i]!);
	const own = withoutAxis(divideByCovariance(sentences, size), axis)(mixed);
	t.true(correlate(valuesOn(mixed), valuesOn(axis))! > 0.9);
	t.true(Math.abs(correlate(valuesOn(own), valuesOn(axis))!) < 0.3);
	t.true(Math.abs(own.reduce((sum, value, i) => sum + value * axis[i]!, 0)) < 1e-9);
});

test('the axis itself has no own part', t => {
	t.true(withoutAxis(divideByCovariance(sentences, size), axis)(axis).every(value => value === 0));
});
