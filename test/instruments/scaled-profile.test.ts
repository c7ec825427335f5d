/** The profile with units: values on the scale of example sentences. */
import test from 'ava';
import {placeOn, readScaledProfile, scaleProfile} from '../../src/instruments/scaled-profile.ts';
import {createJsKernel} from '../../src/kernel/js.ts';
import {projectProfile, type Direction} from '../../src/semiosis/profile.ts';
import {measureScale, type Scale} from '../../src/semiosis/scale.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {StateTensor} from '../../src/kernel/state-tensor.ts';
import {vectorOf} from '../actors/fixtures.ts';

const jsKernel = createJsKernel();
const rows = dimensions.map(name => vectorOf(name));

/** A scale on which the value has this z. */
const scaleFor = (value: number, z: number): Scale => ({
	examples: 60, mean: value - z * 0.1, deviation: 0.1, sample: Array.from({length: 60}, (_, i) => value - 30 + i),
});

const direction = (category: string, name: string, scale?: Scale): Direction =>
	({category, name, polePositive: 'calm', poleNegative: 'agitated', vector: vectorOf(name), ...(scale && {scale})});

test('z is the distance from the mean in sample standard deviations (n − 1)', t => {
	const scale = measureScale([1, 2, 3, 4])!;
	t.is(scale.mean, 2.5);
	t.is(scale.deviation, Math.sqrt(5 / 3));
	t.true(Math.abs(placeOn(scale, 2.5 + 2 * Math.sqrt(5 / 3)).z - 2) < 1e-12);
});

test('the percentile of a value among 50 sentences or more is the share below it, plus half of the equal ones', t => {
	const scale = measureScale(Array.from({length: 50}, (_, i) => i))!;
	t.is(placeOn(scale, 10).percentile, 0.21);
	t.is(placeOn(scale, -1).percentile, 0);
	t.is(placeOn(measureScale(Array.from({length: 49}, (_, i) => i))!, 10).percentile, null);
});

test('values without a spread have no scale', t => {
	t.is(measureScale([]), null);
	t.is(measureScale([0.5]), null);
	t.is(measureScale([0.5, 0.5]), null);
});

test('the word is “none” for a z under 1, “leaning” up to 2 and “strong” over 2, on either side', t => {
	const scale: Scale = {examples: 60, mean: 0, deviation: 1, sample: []};
	const words = [0, 0.99, 1, 2, 2.01].map(z => [placeOn(scale, z).word, placeOn(scale, -z).word]);
	t.deepEqual(words, [['none', 'none'], ['none', 'none'], ['leaning', 'leaning'], ['leaning', 'leaning'], ['strong', 'strong']]);
});

test('the pole follows the sign of z, not that of the value, and is null within chance', t => {
	const plain = direction('cognitive', 'sea');
	const {value} = scaleProfile(jsKernel, rows, [plain])[0]!;
	const poles = [-1.5, -0.5, 0.5, 1.5].map(z => scaleProfile(jsKernel, rows, [{...plain, scale: scaleFor(value, z)}])[0]!.pole);
	t.deepEqual(poles, ['agitated', null, null, 'calm']);
});

test('values equal those of the profile, with the same rounding', t => {
	const directions = [direction('affective', 'sea'), direction('cognitive', 'shore')];
	const profile = projectProfile(jsKernel, rows, directions);
	t.deepEqual(scaleProfile(jsKernel, rows, directions).map(({key, value}) => [key, value]), [
		['affective.sea', profile['affective']!['sea']!.value],
		['cognitive.shore', profile['cognitive']!['shore']!.value],
	]);
});

test('only directions that are projected on thirdness move', t => {
	const directions = [
		direction('affective', 'sea'), direction('cognitive', 'shore'), direction('philosophical', 'hill'), direction('of my own', 'tree'),
	];
	t.deepEqual(scaleProfile(jsKernel, rows, directions).map(({moves}) => moves), [false, true, true, true]);
});

test('with the lens thirdness every direction is projected on thirdness, and moves', t => {
	const directions = [direction('affective', 'sea'), direction('cognitive', 'shore')];
	const seen = scaleProfile(jsKernel, rows, directions, 'thirdness');
	const onThirdness = projectProfile(jsKernel, rows, directions.map(one => ({...one, category: 'cognitive'})))['cognitive']!;
	t.deepEqual(seen.map(({key, dimension, moves, value}) => ({key, dimension, moves, value})), [
		{key: 'affective.sea', dimension: 'thirdness', moves: true, value: onThirdness['sea']!.value},
		{key: 'cognitive.shore', dimension: 'thirdness', moves: true, value: onThirdness['shore']!.value},
	]);
});

test('a direction without a scale has a value without units, and the note of the profile says why', t => {
	const directions = [direction('affective', 'sea'), direction('cognitive', 'shore', scaleFor(0, 0))];
	t.like(scaleProfile(jsKernel, rows, directions)[0], {z: null, percentile: null, word: null, standsOut: false, pole: null});
	const read = (list: Direction[]) => readScaledProfile(jsKernel, new StateTensor(7, '2026-01-31T12:00:00.000Z', rows), list, 'own', null);
	const {examples, note} = read(directions);
	t.is(examples, 60);
	t.regex(note!, /^1 of 2 directions have no scale.*sentences are not known/);
	t.is(read([directions[1]!]).note, null);
});

test('z uses the reading of a direction, and the value is still that of the profile', t => {
	const plain = direction('cognitive', 'sea', {examples: 60, mean: 0, deviation: 0.8, sample: []});
	const read = {...plain, reading: {vector: rows[2]!, quality: 0.912_345, valence: -0.5, tone: null}};
	const [before, after] = [plain, read].map(one => scaleProfile(jsKernel, rows, [one])[0]!);
	t.is(after!.value, before!.value);
	t.like(after, {z: 1.25, word: 'leaning', quality: 0.9123, valence: -0.5});
	t.like(before, {quality: null, valence: null});
});

test('a direction with a quality under 0.7 does not stand out, whatever its z', t => {
	const [weak] = scaleProfile(jsKernel, rows, [{
		...direction('cognitive', 'sea', {examples: 60, mean: -1, deviation: 0.1, sample: []}),
		reading: {vector: rows[2]!, quality: 0.69, valence: 0, tone: null},
	}]);
	t.like(weak, {z: 20, word: 'none', standsOut: false, pole: null});
});

test('a profile has the tone apart from its directions', t => {
	const tone = direction('affective', 'tone', scaleFor(0, 0));
	const one = {...direction('cognitive', 'sea', scaleFor(0, 0)), reading: {vector: rows[2]!, quality: 1, valence: 0, tone}};
	const read = (list: Direction[]) => readScaledProfile(jsKernel, new StateTensor(7, '2026-01-31T12:00:00.000Z', rows), list, 'own', null);
	t.like(read([one]), {tone: {key: 'affective.tone', dimension: 'dispositions'}});
	t.deepEqual(read([one]).directions.map(({key}) => key), ['cognitive.sea']);
	t.is(read([direction('cognitive', 'sea')]).tone, null);
});
