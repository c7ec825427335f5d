/** What the bundled encoder makes of every sentence of the built-in catalogue. */
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

// Before the first hook: AVA wants what follows it at once.
const entries = await loadCatalogue(builtInCatalogue);
const encoder = await loadEncoder();
test.after.always(async () => encoder.dispose());

/** Both tests read the same sentences: each is embedded once. */
const embedded = new Map<string, Promise<Float32Array>>();
const embed = async (sentences: readonly string[]) => Promise.all(sentences.map(async sentence => {
	const vector = embedded.get(sentence) ?? encoder.embed(sentence);
	embedded.set(sentence, vector);
	return vector;
}));

test('the vectors and readings that come with the package are those of the catalogue and the bundled encoder', async t => {
	const counting = Object.assign(new FakeEncoder(), {passport: encoder.passport});
	const directions = await loadDirections(entries, {encoder: counting});
	t.is(counting.asked.length, 0, 'run npm run directions');

	// The file is named by the sentences and the model; that its numbers are theirs is shown by making them again.
	const [tone, ...made] = await Promise.all([toneEntry, ...entries].map(async entry => {
		const [positive, negative] = [await embed(entry.positive), await embed(entry.negative)];
		return {vector: contrast(positive, negative), positive, negative};
	}));
	const {read} = createReader(tone!.vector, made, encoder.passport.width);
	for (const [i, direction] of made.entries()) {
		const {vector, scale, reading} = directions[i]!;
		t.deepEqual(vector, direction.vector, 'run npm run directions');
		t.deepEqual({...reading, scale}, {...read(direction)!, tone: directions[0]!.reading!.tone}, 'run npm run directions');
	}
});

test('in every direction the pole is what separates the examples: the others separate each pair that is left out', async t => {
	for (const {category, name, positive, negative} of entries) {
		const [p, n] = [await embed(positive), await embed(negative)];
		for (const [i, one] of p.entries()) {
			const others = contrast(p.toSpliced(i, 1), n.toSpliced(i, 1));
			t.true(dot(one, others) > dot(n[i]!, others), `${category}.${name}: ${positive[i]} / ${negative[i]}`);
		}
	}
});

test('every built-in direction is worth reading, and so is the tone', async t => {
	for (const {category, name, reading} of await loadDirections(entries, {encoder})) {
		t.true(reading!.quality >= minQuality, `${category}.${name}: ${reading!.quality}`);
		t.true(reading!.tone!.reading!.quality > 0.95);
	}
});
