/** What is told from chance, against independent numbers. */
import test from 'ava';
import {excessOf, measureApart} from '../../src/instruments/apart.ts';
import {addVisit, blameOf, startChart} from '../../src/instruments/chart.ts';
import {findNearestOwn, measureEchoThreshold} from '../../src/instruments/echo.ts';
import {remainders} from '../../src/instruments/unroll.ts';
import {findLimits} from '../../src/instruments/limits.ts';
import {measureMoved} from '../../src/instruments/moved.ts';
import {mulberry32} from '../../src/instruments/mulberry32.ts';
import {shareSources} from '../../src/instruments/shares.ts';
import {sumVisit, testSourceChange} from '../../src/instruments/source-change.ts';
import {isSameVisit, maxPauseMs, visitsOf} from '../../src/instruments/visits.ts';
import {productOf} from '../../src/instruments/whitened.ts';
import {makeWhitener, projectWith, whiten} from '../../src/instruments/whitener.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {casesOf, matchesCase, vectorFrom, type VectorSpec} from '../golden/instruments.ts';
import {liveThrough} from './lives.ts';
import {startTalk} from './ordinary-life.ts';

const kernel = selectKernel();

const float32 = (rows: number[][]): Float32Array[] => rows.map(row => Float32Array.from(row));
/** A vector that is whitened already: nothing of it is ordinary. */
const whitened = (row: number[]) => ({vector: Float64Array.from(row), ordinary: new Float64Array(0)});

for (const golden of casesOf<{happenings: Array<{source: string; time: number}>}>('visits')) {
	test(`${golden.id}: ${golden.note}`, t => {
		matchesCase(t, golden, {lengths: visitsOf(golden.input.happenings).map(({length}) => length)});
	});
}

for (const golden of casesOf<{row: number[]; twins: number[][]}>('apart')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {row, twins} = golden.input;
		matchesCase(t, golden, measureApart(Float32Array.from(row), float32(twins)));
	});
}

for (const golden of casesOf<{row: number[]; twins: number[][]; directions: number[][]; q: number}>('moved')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {row, twins, directions, q} = golden.input;
		const {moved, standOut} = measureMoved(Float32Array.from(row), float32(twins), float32(directions), q);
		matchesCase(t, golden, {moved, stand_out: standOut});
	});
}

for (const golden of casesOf<{rows: VectorSpec[]; texts: Array<{vector: VectorSpec; source: string}>; baseline: VectorSpec[]; twins: VectorSpec[]}>('shares')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {rows, texts, baseline, twins} = golden.input;
		const life = liveThrough(kernel, rows.map(vectorFrom), texts.map(({vector}) => vectorFrom(vector)));
		const left = remainders(life.texts.map(({factors}) => factors));
		const shares = shareSources({
			texts: texts.map(({source}, k) => ({source, weight: life.texts[k]!.factors.text * left[k + 1]!, vector: life.vectors[k]!})),
			baseline: baseline.map(vectorFrom),
			excess: excessOf(life.end, twins.map(vectorFrom)),
		});
		matchesCase(t, golden, Object.fromEntries([...shares].map(([source, {textShare, weightShare, unusualShare, ...share}]) =>
			[source, {...share, text_share: textShare, weight_share: weightShare, unusual_share: unusualShare}])));
	});
}

for (const golden of casesOf<{baseline: number[][]; visits: number[][][]; span: number; shrinkage: number}>('chart')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {baseline, visits, span, shrinkage} = golden.input;
		const calibration = {whitener: makeWhitener(float32(baseline), shrinkage), averageRunLength: 1000, charts: [{span, limit: 1}]};
		const positions = [startChart(calibration)];
		for (const visit of visits) {
			positions.push(addVisit(calibration, positions.at(-1)!, float32(visit), null));
		}

		matchesCase(t, golden, {
			readings: positions.slice(1).map(({readings}) => readings[0]!.reading),
			blame: blameOf(calibration, positions.at(-1)!, 0).map(({share}) => share),
		});
	});
}

for (const golden of casesOf<{whitened: number[][]; span: number; average_run_length: number; runs: number; length: number}>('limits')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {whitened: visits, span, average_run_length: averageRunLength, runs, length} = golden.input;
		const [limit] = findLimits(visits.map(whitened), {spans: [span], averageRunLength, random: mulberry32(1), runs, length});
		matchesCase(t, golden, {limit});
	});
}

type DealtVisit = {texts: number; sum: number[]};

for (const golden of casesOf<{before: DealtVisit[]; now: DealtVisit[]}>('source_change')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const [before, now] = [golden.input.before, golden.input.now].map(visits => visits.map(({texts, sum}) => ({texts, sum: whitened(sum)})));
		matchesCase(t, golden, testSourceChange(before!, now!, mulberry32(1), 9999));
	});
}

for (const golden of casesOf<{own: VectorSpec[]; text: VectorSpec; threshold: number}>('echo')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {own, text, threshold} = golden.input;
		const nearest = findNearestOwn(kernel, own.map(vectorFrom), vectorFrom(text))!;
		matchesCase(t, golden, {...nearest, echo: nearest.cosine > threshold});
	});
}

test('a visit goes on through a pause of thirty minutes, and ends with a longer one or another source', t => {
	const text = {source: 'ada', time: 0};
	t.true(isSameVisit(text, {source: 'ada', time: maxPauseMs}));
	t.false(isSameVisit(text, {source: 'ada', time: maxPauseMs + 1}));
	t.false(isSameVisit(text, {source: 'bo', time: 1}));
});

test('a source that changed is told from its own chance, and few visits tell nothing', t => {
	const random = mulberry32(1);
	const talk = (shift: number, visits: number) => Array.from({length: visits}, () => Array.from({length: 3}, () => Float32Array.from({length: 8}, (_, i) => random() - 0.5 + (i === 0 ? shift : 0))));
	const whitener = makeWhitener(talk(0, 30).flat(), 0.2);
	const p = (before: Float32Array[][], now: Float32Array[][]) => testSourceChange(before.map(visit => sumVisit(whitener, visit)), now.map(visit => sumVisit(whitener, visit)), random).p;
	t.is(p(talk(0, 10), talk(1, 10)), 0.001);
	t.true(p(talk(0, 10), talk(0, 10))! > 0.05);
	t.is(p(talk(0, 10), talk(1, 3)), null);
});

test('a kernel multiplies as the whitener does, to the fifth digit', t => {
	const random = mulberry32(1);
	const texts = startTalk(random).texts(120).map(({vector}) => vector);
	const whitener = makeWhitener(texts.slice(0, 100), 0.2);
	const project = projectWith(selectKernel());
	for (const text of texts) {
		const [exact, fast] = [whiten(whitener, text), whiten(whitener, text, project)].map(one => productOf(one, one));
		t.true(Math.abs(fast! / exact! - 1) < 1e-5);
	}
});

test('one ordinary text in two hundred is nearer to an own output than the threshold', t => {
	const cosines = Array.from({length: 1000}, (_, i) => i / 1000);
	t.is(cosines.filter(cosine => cosine > measureEchoThreshold(cosines)).length, 5);
});
