/** The built-in directions, from every sentence of the catalogue in the bundled encoder. */
import test from 'ava';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {contrast} from '../../src/semiosis/contrast.ts';
import {minQuality} from '../../src/semiosis/quality.ts';
import {builtInCatalogue, loadCatalogue} from '../../src/sources/directions/catalogue.ts';
import {createReader} from '../../src/sources/directions/readings.ts';
import {toneEntry} from '../../src/sources/directions/tone.ts';
import {loadDirections} from '../../src/sources/directions/vectors.ts';
import {FakeEncoder} from '../actors/fixtures.ts';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

// Before the first hook: from then on AVA expects all declarations synchronously.
const entries = await loadCatalogue(builtInCatalogue);
const encoder = await loadEncoder();
test.after.always(async () => encoder.dispose());

/** The tests embed the same sentences: each is embedded once. */
const embedded = new Map<string, Promise<Float32Array>>();
const embed = async (sentences: readonly string[]) => Promise.all(sentences.map(async sentence => {
	const vector = embedded.get(sentence) ?? encoder.embed(sentence);
	embedded.set(sentence, vector);
	return vector;
}));

test('the packaged vectors and readings are those of the catalogue and the bundled encoder', async t => {
	const counting = Object.assign(new FakeEncoder(), {passport: encoder.passport});
	const directions = await loadDirections(entries, {encoder: counting});
	t.is(counting.asked.length, 0, 'run npm run directions');

	// The file's name stands for the sentences and the model; only computing its numbers again checks them.
	const [tone, ...computed] = await Promise.all([toneEntry, ...entries].map(async entry => {
		const [positive, negative] = [await embed(entry.positive), await embed(entry.negative)];
		return {vector: contrast(positive, negative), positive, negative};
	}));
	const {read} = createReader(tone!.vector, computed, encoder.passport.width);
	for (const [i, direction] of computed.entries()) {
		const {vector, scale, reading} = directions[i]!;
		t.deepEqual(vector, direction.vector, 'run npm run directions');
		t.deepEqual({...reading, scale}, {...read(direction)!, tone: directions[0]!.reading!.tone}, 'run npm run directions');
	}
});

test('in every direction, each pair of examples is separated by a vector of the other pairs', async t => {
	for (const {category, name, positive, negative} of entries) {
		const [p, n] = [await embed(positive), await embed(negative)];
		for (const [i, one] of p.entries()) {
			const others = contrast(p.toSpliced(i, 1), n.toSpliced(i, 1));
			t.true(dot(one, others) > dot(n[i]!, others), `${category}.${name}: ${positive[i]} / ${negative[i]}`);
		}
	}
});

test('every built-in direction has at least the minimum quality, and the tone over 0.95', async t => {
	for (const {category, name, reading} of await loadDirections(entries, {encoder})) {
		t.true(reading!.quality >= minQuality, `${category}.${name}: ${reading!.quality}`);
		t.true(reading!.tone!.reading!.quality > 0.95);
	}
});
