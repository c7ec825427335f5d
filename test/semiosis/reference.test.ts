/** The reference before its adjustment: the sentences of a declared profile, and the tensor of their embeddings. */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {createReference, type DeclaredProfile} from '../../src/semiosis/reference.ts';
import {traitSentences} from '../../src/semiosis/trait-sentences.ts';
import {dimensions, indexOf, width, type Dimension} from '../../src/kernel/dimensions.ts';

const neutral = 'I am a person like any other.';

const sentenceFor = (dimension: Dimension, profile: DeclaredProfile) => traitSentences(profile)[indexOf(dimension)];

test('a dimension\'s sentence names the highest declared values of its categories, the highest first', t => {
	const profile = [
		['affective', [['calm', 4], ['joy', 8]]],
		['epistemic', [['curiosity', 10]]],
		['vital', [['risk_appetite', 6], ['sleep', 1], ['play', 6]]],
	] as const;
	t.deepEqual(traitSentences(profile), [
		'What I have most of is curiosity.',
		neutral,
		neutral,
		'What I have most of is joy, risk appetite, and play.',
		neutral,
		neutral,
		neutral,
		neutral,
	]);
});

test('a trait that two categories share is named once', t => {
	t.is(
		sentenceFor('dispositions', [['affective', [['hope', 9]]], ['vital', [['hope', 8], ['play', 7]]]]),
		'What I have most of is hope and play.',
	);
});

test('an unknown category belongs to thirdness', t => {
	t.is(sentenceFor('thirdness', [['weather', [['fog', 2]]]]), 'What I have most of is fog.');
});

test('a trait that is negative, null or 0 is not named, because an embedding would read it as affirmed', t => {
	t.deepEqual(traitSentences([['affective', [['anger', -9], ['joy', null], ['calm', 0]]]]), dimensions.map(() => neutral));
	t.deepEqual(traitSentences([]), dimensions.map(() => neutral));
});

test('a dimension\'s sentence depends only on its categories', t => {
	const categories = [
		'epistemic', 'affective', 'cognitive', 'relational', 'ethical', 'temporal', 'thematic', 'metacognitive', 'vital',
		'ecosystemic', 'philosophical', 'other',
	];
	const values = fc.uniqueArray(
		fc.tuple(fc.stringMatching(/^[a-z_]*[a-z]$/), fc.option(fc.integer({min: -10, max: 10}))),
		{selector: ([name]) => name},
	);
	fc.assert(fc.property(fc.uniqueArray(fc.tuple(fc.constantFrom(...categories), values), {selector: ([category]) => category}), profile => {
		const whole = traitSentences(profile);
		t.is(whole.length, dimensions.length);
		t.deepEqual(traitSentences(profile.filter(([category]) => category !== 'temporal')), whole.with(indexOf('orientations'), neutral));
	}));
});

test('a reference has the id −1 and a row for each dimension', t => {
	const rows = dimensions.map((_, d) => new Float32Array(width).fill(d));
	const reference = createReference(rows, '2026-01-01T00:00:00.000Z');
	t.like(reference, {stateId: -1, timestamp: '2026-01-01T00:00:00.000Z'});
	t.deepEqual(reference.rows, rows);
	t.throws(() => createReference(rows.slice(1), ''), {instanceOf: RangeError});
});
