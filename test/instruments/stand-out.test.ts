/** Which directions of a state stand out from chance. */
import test from 'ava';
import {compareStates} from '../../src/instruments/compare.ts';
import {templateTranslator} from '../../src/language/template-translator.ts';
import {scaleProfile, selectStandOut} from '../../src/instruments/scaled-profile.ts';
import {createJsKernel} from '../../src/kernel/js.ts';
import {projectProfile, type Direction} from '../../src/semiosis/profile.ts';
import {dimensions, indexOf} from '../../src/kernel/dimensions.ts';
import {vectorOf} from '../actors/fixtures.ts';

const kernel = createJsKernel();
const rows = dimensions.map(name => vectorOf(name));
const thirdness = rows[indexOf('thirdness')]!;
const firstness = rows[indexOf('firstness')]!;

/** A direction whose vector is a row of the state: its value there is 1, so its z is (1 − mean)/deviation. */
const along = (category: string, name: string, vector: Float32Array, z: number): Direction =>
	({category, name, polePositive: 'yes', poleNegative: 'no', vector, scale: {examples: 60, mean: 1 - z, deviation: 1, sample: []}});

const keys = (
	directions: Direction[], beginning: typeof rows | null = null,
) => selectStandOut(kernel, rows, directions, beginning)?.map(({key}) => key);

test('directions within chance are left out, and the others are ordered by the size of z', t => {
	t.deepEqual(
		keys(
			[
				along('cognitive', 'near', thirdness, 0.9), along('cognitive', 'far', thirdness, 1.5),
				along('epistemic', 'farthest', firstness, -2.5),
			],
		),
		['epistemic.farthest', 'cognitive.far'],
	);
});

test('after a random beginning, a direction that did not move does not stand out', t => {
	t.deepEqual(keys([along('epistemic', 'still', firstness, 3)], rows), []);
});

test('after a random beginning, a direction stands out if it moved by at least one standard deviation', t => {
	const before = rows.with(indexOf('thirdness'), vectorOf('another'));
	const direction = along('cognitive', 'far', thirdness, 3);
	t.deepEqual(keys([direction], rows), []);
	t.deepEqual(keys([{...direction, scale: {...direction.scale!, deviation: 0.5}}], before), ['cognitive.far']);
	t.deepEqual(keys([{...direction, scale: {...direction.scale!, deviation: 1.5}}], before), []);
});

test('after a random beginning, a direction that moved away from a pole does not lean towards it', t => {
	const before = rows.with(indexOf('thirdness'), vectorOf('another'));
	const direction = along('cognitive', 'far', thirdness, -3);
	t.deepEqual(keys([{...direction, scale: {...direction.scale!, deviation: 0.5, mean: 2.5}}], before), []);
});

test('with the lens thirdness, a direction of another dimension stands out by its movement on thirdness', t => {
	const before = rows.with(indexOf('thirdness'), vectorOf('another'));
	const standsOut = (z: number, deviation: number): boolean => {
		const direction = along('epistemic', 'far', thirdness, z);
		return scaleProfile(kernel, rows, [{...direction, scale: {...direction.scale!, deviation}}], 'thirdness', before)[0]!.standsOut;
	};

	t.true(standsOut(3, 0.5));
	t.false(standsOut(3, 1.5));
});

test('what stands out is unknown if no direction has a scale', t => {
	const {scale: _, ...direction} = along('cognitive', 'far', thirdness, 3);
	t.is(keys([direction]), undefined);
	t.is(selectStandOut(kernel, rows, [direction], null), null);
	t.deepEqual(keys([direction, along('cognitive', 'other', thirdness, 3)]), ['cognitive.other']);
});

/** A direction whose reading is its own vector, with this quality. */
const withQuality = (direction: Direction, quality: number, tone: Direction | null = null): Direction =>
	({...direction, reading: {vector: direction.vector!, quality, valence: 0, tone}});

test('a direction with a quality under 0.7 is left out', t => {
	t.deepEqual(
		keys([withQuality(along('cognitive', 'weak', thirdness, 3), 0.69), withQuality(along('cognitive', 'good', thirdness, 2), 0.7)]),
		['cognitive.good'],
	);
});

test('the tone that directions share is listed once', t => {
	const tone = withQuality(along('affective', 'tone', rows[indexOf('dispositions')]!, 4), 1);
	const directions = ['one', 'other'].map(name => withQuality(along('cognitive', name, thirdness, 2), 1, tone));
	t.deepEqual(keys(directions), ['affective.tone', 'cognitive.one', 'cognitive.other']);
});

test('the template translator leaves out a direction of low quality', async t => {
	const directions = [
		withQuality(along('cognitive', 'weak', thirdness, 3), 0.6),
		{...withQuality(along('cognitive', 'good', thirdness, 1.5), 0.9), polePositive: 'calm', poleNegative: 'agitated'},
	];
	const scaled = {begunAtRandom: false, standOut: selectStandOut(kernel, rows, directions, null)};
	const {text} = await templateTranslator.translate(
		{profile: projectProfile(kernel, rows, directions), context: null, scaled}, AbortSignal.timeout(1000),
	);
	t.is(text, 'I lean somewhat towards “calm” rather than “agitated”.');
});

test('a comparison projects on the reading of a direction, and leaves out directions of low quality', t => {
	const [from, to] = [rows, rows.with(indexOf('thirdness'), vectorOf('another'))];
	const read = {...withQuality(along('affective', 'read', vectorOf('plain'), 1), 0.9)};
	read.reading!.vector = vectorOf('another');
	const changes = compareStates(kernel, from, to, [read, withQuality(along('affective', 'weak', thirdness, 1), 0.5)]);
	t.deepEqual(changes.map(({key}) => key), ['affective.read']);
	t.true(Math.abs(changes[0]!.to - 1) < 1e-5);
});
