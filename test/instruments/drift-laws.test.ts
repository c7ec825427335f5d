/** The laws of drift: shares that sum to 1, and alarms that are as rare as they say (`docs/spec/instruments.md#numbers-to-hold`). */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {excessOf} from '../../src/instruments/apart.ts';
import {defaultBaseline, minBaseline} from '../../src/instruments/baseline.ts';
import {calibrate} from '../../src/instruments/calibrate.ts';
import {addVisit, blameOf, startChart} from '../../src/instruments/chart.ts';
import {mulberry32} from '../../src/instruments/mulberry32.ts';
import {replay, startReplay, type ReplayText} from '../../src/instruments/replay.ts';
import {shareSources} from '../../src/instruments/shares.ts';
import {drawTwin, runTwins} from '../../src/instruments/twins.ts';
import {unitVector} from './lives.ts';
import {countAlarmed, countUnusual, maxAlarmed, rulesFrom, timestamp} from './ordinary-drift.ts';
import {startTalk} from './ordinary-life.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('the shares of the unusual sum to 1', t => {
	fc.assert(fc.property(fc.integer({min: 0, max: 1000}), fc.integer({min: 1, max: 60}), (seed, count) => {
		const random = mulberry32(seed);
		const talk = startTalk(random, {length: 64});
		const shares = shareSources({
			texts: talk.texts(count).map(({source, vector}) => ({source, vector, weight: random()})),
			baseline: talk.texts(50).map(({vector}) => vector),
			excess: excessOf(unitVector(seed, 64).subarray(0, 64), [unitVector(seed + 1, 64).subarray(0, 64)]),
		});
		for (const kind of ['textShare', 'weightShare', 'unusualShare'] as const) {
			t.true(Math.abs(sum([...shares.values()].map(share => share[kind])) - 1) <= 1e-9);
		}
	}), {numRuns: 20});
});

test('blame sums to 1, however long the chart has run', t => {
	const talk = startTalk(mulberry32(1), {length: 64});
	const calibration = calibrate(talk.texts(defaultBaseline), {random: mulberry32(2)})!;
	let position = startChart<number>(calibration);
	for (let visit = 0; visit < 500; visit++) {
		position = addVisit(calibration, position, talk.visit().map(({vector}) => vector), visit);
		if (visit % 50 === 0 || visit === 499) {
			for (const chart of calibration.charts.keys()) {
				t.true(Math.abs(sum(blameOf(calibration, position, chart).map(({share}) => share)) - 1) <= 1e-9);
			}
		}
	}

	t.is(blameOf(calibration, position, 0).at(-1)!.facts, 499);
});

test('a chart is not calibrated by too few texts, or too few visits', t => {
	const texts = startTalk(mulberry32(1), {length: 64}).texts(minBaseline.texts);
	const random = mulberry32(2);
	t.not(calibrate(texts, {random}), null);
	t.is(calibrate(texts.slice(1), {random}), null);
	t.is(calibrate(texts.map(text => ({...text, source: 'one', time: 0})), {random}), null);
});

test('a twin has as many texts as it is asked for, in whole visits of the baseline', t => {
	fc.assert(fc.property(fc.integer(), fc.integer({min: 0, max: 100}), (seed, cycles) => {
		const visits = [['a', 'b', 'c'], ['d'], ['e', 'f']];
		const texts = drawTwin(visits, cycles, mulberry32(seed)).join('');
		t.is(texts.length, cycles);
		t.regex(texts, /^(?:abc|d|ef)*(?:ab?|e)?$/);
	}));
});

test('a row of a twin after fewer texts is a twin of that length', t => {
	const rules = rulesFrom(1);
	const baseline = startTalk(mulberry32(3)).texts(400);
	const run = (lengths: number[]) => runTwins({rules, start: rules.initial, baseline, lengths, count: 2, random: mulberry32(4)});
	const [short, , long] = run([10, 20, 30]);
	t.deepEqual(run([30])[0]![0], long![0]);
	t.notDeepEqual(short![0], long![0]);
	t.deepEqual(run([]), []);
});

test('a source that said nothing can be left out: the state keeps its bits', t => {
	const rules = rulesFrom(2);
	const texts = startTalk(mulberry32(5)).texts(80).map((text): ReplayText & {source: string} => ({...text, kind: 'cycle', timestamp}));
	const endWithout = (left: string) => replay(rules, startReplay(rules), texts.filter(({source}) => source !== left)).state.row('thirdness');
	const present = replay(rules, startReplay(rules), texts).state.row('thirdness');
	t.notDeepEqual(endWithout(texts[0]!.source), present);
	t.deepEqual(endWithout('silent'), present);
});

test('ordinary talk is told from its twins as rarely as chance does it', t => {
	const unusual = countUnusual(40, {texts: 60, twins: 19});
	t.log(`${unusual} of 40`);
	t.true(unusual <= 0.12 * 40);
});

test('ordinary talk gives alarms no more often than it is said', t => {
	const [visits, averageRunLength] = [120, 1000];
	const alarmed = countAlarmed(24, {visits, averageRunLength, width: 32});
	t.log(`${alarmed} of 24`);
	t.true(alarmed <= maxAlarmed(24, visits, averageRunLength));
});
