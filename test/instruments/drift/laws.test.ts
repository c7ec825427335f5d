/** The properties of drift's p, chart and sources (`docs/spec/instruments.md#numbers-to-hold`). */
import {setImmediate} from 'node:timers/promises';
import test from 'ava';
import fc from '../../helpers/fast-check.ts';
import {divide, NewestTexts} from '../../../src/instruments/drift/baseline.ts';
import {effectOf, learnClusters, worthOf} from '../../../src/instruments/drift/design-effect.ts';
import {examine, twinTalkFor} from '../../../src/instruments/drift/examine.ts';
import {unusualP} from '../../../src/instruments/drift/findings.ts';
import {followHeard} from '../../../src/instruments/drift/heard-path.ts';
import {Monitor, startMonitor, sumsOf} from '../../../src/instruments/drift/monitor.ts';
import {distanceOf} from '../../../src/instruments/drift/measure.ts';
import {statedRunLength} from '../../../src/instruments/drift/chart.ts';
import {mulberry32} from '../../../src/platform/clock.ts';
import {WeightedSums} from '../../../src/instruments/drift/weighted-sums.ts';
import type {BaselineText} from '../../../src/journal/validation.ts';
import {ask, hear, kinds, follow, validate, type Kind} from './ordinary-histories.ts';

const steered = hear('visits', 1, {steered: 0.2});
const {chance, ordinary} = validate(steered.baseline, 1);
const monitor = follow(ordinary, steered.after);
const heard = monitor.voice('heard')!;

test('p never rises', t => {
	const {looks} = follow(ordinary, hear('visits', 1).after).voice('heard')!.state;
	const [ps, distances] = [looks.map(({p}) => p), looks.map(({distance}) => distance)];
	t.is(looks.length, 36);
	t.deepEqual(ps, ps.toSorted((a, b) => b - a));
	t.notDeepEqual(distances, distances.toSorted((a, b) => a - b));
});

test('p does not depend on earlier questions, or on the thread that resumes', t => {
	let state = startMonitor(ordinary);
	for (const [i, text] of steered.after.entries()) {
		const looked = new Monitor(ordinary, state);
		looked.take(text);
		state = i % 100 === 99 ? structuredClone(state) : state;
		const voice = new Monitor(ordinary, state).voice('heard')!;
		t.true(i % 250 !== 249 || examine(voice, twinTalkFor(voice, steered.baseline, chance), i + 1).find([]).sources.size > 0);
	}

	t.deepEqual(new Monitor(ordinary, state).voice('heard')!.state.looks, heard.state.looks);
});

test('p does not depend on how the texts since the validation are grouped into conversations', t => {
	const random = mulberry32(2);
	const grouped = steered.after.map((text, i) => ({...text, conversation: `${Math.floor(3 * random())}`, time: i * 1_000_000}));
	const other = follow(ordinary, grouped).voice('heard')!;
	t.deepEqual(other.state.looks.map(({p, distance}) => [p, distance]), heard.state.looks.map(({p, distance}) => [p, distance]));
	t.not(other.chart.conversations, heard.chart.conversations);
});

test('conversations much longer than in the baseline are reported, because p may be too small', t => {
	const evenings = steered.after.map((text, i) => ({...text, conversation: `evening ${Math.floor(i / 80)}`, time: i * 60_000}));
	const answered = steered.after.flatMap(text => [text, {...text, id: `re ${text.id}`, source: 'self', isOwn: true}]);
	t.deepEqual([monitor, follow(ordinary, evenings), follow(ordinary, answered)].map(({isLonger}) => isLonger), [false, true, false]);
});

test('a source pushes less with one long conversation than with the same texts in many', t => {
	const ofVisits = examine(heard, twinTalkFor(heard, steered.baseline, chance), monitor.texts).find([]).sources.get('mallory')!;
	const theirs = steered.after.map(text => text.source === 'mallory' ? {...text, conversation: 'all at once', time: 0} : text);
	const atOnce = follow(ordinary, theirs);
	const voice = atOnce.voice('heard')!;
	const {push, share} = examine(voice, twinTalkFor(voice, steered.baseline, chance), atOnce.texts).find([]).sources.get('mallory')!;
	t.is(share, ofVisits.share);
	t.true(push < ofVisits.push);
});

/** The baseline, with its first 200 texts in conversations of this length. */
const withEvenings = (length: number): BaselineText[] => {
	const {time} = steered.baseline[0]!;
	return steered.baseline.map((text, i) => i < 200 ? {...text, conversation: `evening ${Math.floor(i / length)}`, time: time + i} : text);
};

test('if a few long conversations dominate a baseline, it is marked, and a twin redraws fewer conversations', t => {
	const [few, all] = [withEvenings(50), steered.baseline].map(texts => {
		const found = validate(texts, 1);
		const voice = follow(found.ordinary, []).voice('heard')!;
		const {redrawn, conversations} = twinTalkFor(voice, texts, found.chance);
		return {isOfFew: voice.ordinary.isOfFew, redrawn: redrawn / conversations.length};
	});
	t.deepEqual([few!.isOfFew, all!.isOfFew], [true, false]);
	t.true(few!.redrawn < 0.5);
	t.is(all!.redrawn, 1);
});

test('a baseline takes more than 600 texts if a few long conversations dominate', t => {
	const takenOf = (texts: readonly BaselineText[]) => {
		const newest = new NewestTexts();
		return texts.toReversed().filter(text => newest.take(text)).length;
	};
	const long = [...steered.baseline, ...steered.after].map((text, i) => ({...text, id: `${i}`, time: i * 4_000_000, conversation: `${i}`}));
	const evening = long.map((text, i) =>
		i % 300 < 90 ? {...text, conversation: `evening ${Math.floor(i / 300)}`, time: long[i - i % 300]!.time} : text);
	t.is(takenOf(long), 600);
	t.true(takenOf(evening) > 600);
});

test('a conversation of over a hundred texts is one unit of chance, unless that leaves too few units', t => {
	const lengthsOf = (texts: readonly BaselineText[]) => {
		const {learn, drawn} = divide(texts, validate(texts, 1).chance);
		return [...learn, ...drawn].map(({length}) => length);
	};
	t.is(Math.max(...lengthsOf(withEvenings(200))), 200);
	t.is(Math.max(...lengthsOf(hear('talk that never pauses', 1).baseline)), 100);
});

test('the parts of the sources sum to the squared distance, and blame sums to 1', t => {
	const {sources} = examine(heard, twinTalkFor(heard, steered.baseline, chance), monitor.texts).find([]);
	const squares = distanceOf(ordinary.heard!.calibration.measure, sumsOf(heard).total()) ** 2;
	const parts = [...sources.values()].reduce((sum, {share}) => sum + share * squares, 0);
	t.true(Math.abs(parts - squares) <= 1e-9 * squares);
	for (const chart of heard.chart.readings.keys()) {
		t.true(Math.abs(heard.chart.blame(chart).reduce((sum, {share}) => sum + share, 0) - 1) <= 1e-9);
	}
});

for (const seed of [1, 2, 3]) {
	test.serial(`steering in 20 % of the visits is found, and its source is named: seed ${seed}`, t => {
		const {foundAt, isAlarmed, find} = ask('visits', seed, {steered: 0.2});
		const {sources, pWithoutTopSource} = find();
		const [[top, {p}]] = sources as unknown as [[string, {p: number}]];
		t.true(foundAt !== null && isAlarmed);
		t.is(top, 'mallory');
		t.true(p <= unusualP && pWithoutTopSource! > unusualP);
	});
}

test('if the agent’s texts are no longer sent, ordinary talk is still within chance, and steering is found', t => {
	const found = Array.from({length: 6}, (_, i) => {
		const {baseline, after} = hear('visits whose texts are answered', 10 + i, {after: 1600, steered: i === 5 ? 0.2 : 0});
		const texts = after.filter(({isOwn}) => !isOwn);
		const answered = validate(baseline, 10 + i);
		const {looks, foundAt} = follow(answered.ordinary, texts).voice('heard')!.state;
		const path = followHeard({seq: 0, texts: baseline, chance: answered.chance})!;
		for (const text of texts) {
			path.take(text);
		}

		t.is(path.p, looks.at(-1)!.p);
		return foundAt;
	});
	t.true(found.slice(0, 5).filter(foundAt => foundAt !== null).length <= 1);
	t.not(found[5], null);
});

/** How many histories of each kind are drawn. */
const historyCount = 60;

/** One in twenty is promised; a series may have 3 % more by chance. */
const isPromised = (count: number): boolean => count <= Math.max(1, Math.floor((0.05 + 0.03) * historyCount));

for (const kind of Object.keys(kinds) as Kind[]) {
	test.serial(`ordinary talk is called unusual no more often than promised: ${kind}`, async t => {
		const asked: Array<ReturnType<typeof ask>> = [];
		for (let i = 0; i < historyCount; i++) {
			asked.push(ask(kind, 100 + i));
			// Each takes a second of CPU; results are reported in between.
			await setImmediate();
		}

		const count = (holds: (one: ReturnType<typeof ask>) => boolean) => asked.filter(one => holds(one)).length;
		const found = count(({foundAt}) => foundAt !== null);
		const [changed, alarmed] = [count(({isChanged}) => isChanged), count(({isAlarmed}) => isAlarmed)];
		const conversations = asked.reduce((sum, one) => sum + one.conversations, 0) / historyCount;
		t.log(`Of ${historyCount}: ${found} with p ≤ .05, ${changed} with changed_p ≤ .05, ${alarmed} with an alarm`);
		t.true(isPromised(found) && isPromised(changed));
		t.true(alarmed <= historyCount * (1 - Math.exp(-conversations / statedRunLength) + 0.05) + 1);
	});
}

test('conversations of equal length all count, and one long conversation among many lowers the effective number', t => {
	fc.assert(fc.property(fc.integer({min: 1, max: 100}), fc.integer({min: 1, max: 50}), (length, count) =>
		worthOf(Array<number>(count).fill(length)) === count));
	t.is(worthOf([...Array<number>(90).fill(1), 100, 0]), 5);
});

test('with texts alike within conversations, the design effect is 1 up to the baseline’s length, and grows beyond it', t => {
	const row = (...values: number[]) => Float64Array.from(values);
	const clusters = learnClusters([[row(1, 0), row(1, 0)], [row(0, 1), row(0, 1)], []]);
	t.deepEqual(clusters, {length: 2, likeness: 1});
	t.is(learnClusters([[row(1, 0), row(0, 1)]]).likeness, 0);
	const heardLengths = (...lengths: number[]) => {
		const sums = new WeightedSums(0);
		for (const length of lengths) {
			Array.from({length}, (_, i) => sums.add('ada', 1, [], {place: i + 1}));
		}

		return effectOf(sums.meanLength, clusters);
	};

	t.is(heardLengths(2, 2, 2), 1);
	t.is(heardLengths(1, 1), 1, 'shorter conversations do not count for more');
	t.is(heardLengths(8, 8), 4);
	t.is(heardLengths(), 1);
});
