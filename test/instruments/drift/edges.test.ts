/** Baselines at the edges of what can be measured (`docs/spec/instruments.md#4-validate-conversations-drift`). */
import test from 'ava';
import {examine, pOfNow, twinTalkFor} from '../../../src/instruments/drift/examine.ts';
import {unusualP} from '../../../src/instruments/drift/findings.ts';
import {forgettingOf, usualWeight} from '../../../src/instruments/drift/observation.ts';
import {findChance, prepareOrdinary} from '../../../src/instruments/drift/ordinary.ts';
import {horizons} from '../../../src/instruments/drift/paths.ts';
import type {BaselineText} from '../../../src/journal/validation.ts';
import {normalise} from '../../../src/kernel/normalise.ts';
import {follow, hear} from './ordinary-histories.ts';

const options = {seed: 1, horizon: horizons.minimum, weight: usualWeight};

/** A state that begins near secondness, as one made of stored thoughts, moves away from it, and forgets nothing for a month. */
const youngWeight = forgettingOf(Array<number>(600).fill(1.000_17));

const findIn = (steered: number) => {
	const {baseline, after} = hear('visits', 4, {after: 500, steered});
	const chance = findChance(baseline, {...options, weight: youngWeight})!;
	const monitor = follow(prepareOrdinary(baseline, chance), after);
	const heard = monitor.voice('heard')!;
	const {distances, find} = examine(heard, twinTalkFor(heard, baseline, chance), monitor.texts);
	return {monitor, after, pNow: pOfNow(heard, distances), ...find([])};
};

test('while the state forgets nothing, ordinary talk is within chance at each moment, and only a steering source is named', t => {
	t.true(findIn(0).pNow > unusualP);
	const {sources, moved} = findIn(0.2);
	t.deepEqual([...sources].filter(([, {p}]) => p <= unusualP).map(([source]) => source), ['mallory']);
	t.true(moved.alike < moved.sources / 2, `${moved.alike} of ${moved.sources}`);
});

test('while the state forgets nothing, a text still weighs a thousandth of the present', t => {
	const {monitor, after} = findIn(0);
	const texts = after.filter(({source}) => source === 'user 1').length;
	const weight = monitor.talk.weightOf('user 1');
	t.true(weight > 0.9 * texts * usualWeight && weight <= texts * usualWeight, `${weight}`);
});

const answered = hear('visits with ids whose texts are answered', 4).baseline;

test('an agent that answers everything with one sentence has no way of speaking to measure', t => {
	const sentence = normalise(Float32Array.from({length: 64}, (_, i) => Math.sin(i)));
	t.not(findChance(answered, options)!.said, null);
	t.is(findChance(answered.map(text => text.isOwn ? {...text, vector: sentence} : text), options)!.said, null);
});

test('an agent that speaks in a few long conversations, or in one, has too little talk to be compared with', t => {
	for (const count of [1, 5, 20]) {
		const own = answered.filter(({isOwn}) => isOwn);
		const aside = own.map((text, i): BaselineText => ({...text, conversation: `night ${i % count}`}));
		const nights = Array.from({length: count}, (_, night) => aside.filter(({conversation}) => conversation === `night ${night}`));
		const heard = answered.filter(({isOwn}) => !isOwn);
		const texts = nights.flatMap((night, i) => {
			const day = heard.slice(i * heard.length / count, (i + 1) * heard.length / count);
			return [...day, ...night.map(text => ({...text, time: day.at(-1)!.time}))];
		});
		t.is(findChance(texts, options)!.said, null);
	}
});

test('heard texts that are all alike, as a forgetting may leave them, say nothing about chance', t => {
	const [{vector}] = answered as [BaselineText];
	t.is(findChance(answered.map(text => ({...text, vector})), options), null);
});
