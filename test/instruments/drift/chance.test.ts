/** The statistics of drift agree with an independent program. */
import test from 'ava';
import {everP} from '../../../src/instruments/drift/changes.ts';
import {Chart, nearestLimit} from '../../../src/instruments/drift/chart.ts';
import {coherenceOf, WeightedSums} from '../../../src/instruments/drift/weighted-sums.ts';
import {sumBySource, testAlong, testChange, type TalkAlong} from '../../../src/instruments/drift/deal.ts';
import {divideAmong, largestProjections, largestPush, measureDirections} from '../../../src/instruments/drift/findings.ts';
import {findLimits} from '../../../src/instruments/drift/limits.ts';
import {distanceOf, learnMeasure, lengthOf, whiten, whitenDirection, type Measure} from '../../../src/instruments/drift/measure.ts';
import {meanOf} from '../../../src/semiosis/contrast.ts';
import {product} from '../../../src/semiosis/covariance.ts';
import {forgettingOf} from '../../../src/instruments/drift/observation.ts';
import {addLook, measurePaths, rankOf, type Look} from '../../../src/instruments/drift/paths.ts';
import {followPlaces} from '../../../src/instruments/drift/twins.ts';
import {findNearestOwn, measureEchoThreshold} from '../../../src/instruments/echo-guard.ts';
import {mulberry32} from '../../../src/platform/clock.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import {casesOf, matchesCase, vectorFrom, type VectorSpec} from '../../golden/instruments.ts';
import {runTexts} from '../run-texts.ts';

const kernel = selectKernel();

const float32 = (rows: number[][]): Float32Array[] => rows.map(row => Float32Array.from(row));

type GoldenText = {vector: number[]; heard: boolean; source: string};

/** The moving mean of the texts heard. */
const follow = (texts: readonly GoldenText[], weight: number, mean: number[]): WeightedSums => {
	const sums = new WeightedSums(mean.length);
	for (const {vector, heard, source = ''} of texts) {
		sums.fade(1 - weight);
		if (heard) {
			sums.add(source, weight, vector, {mean: Float64Array.from(mean)});
		}
	}

	return sums;
};

for (const golden of casesOf<{kept: number[]}>('weight')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const weight = forgettingOf(golden.input.kept);
		matchesCase(t, golden, {weight, half_life: -Math.LN2 / Math.log1p(-weight)});
	});
}

for (const golden of casesOf<{weight: number; mean: number[]; texts: GoldenText[]}>('moving_mean')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {weight, mean, texts} = golden.input;
		matchesCase(t, golden, {row: follow(texts, weight, mean).total()});
	});
}

for (const golden of casesOf<{shrinkage: number; conversations: GoldenText[][]; rows: number[][]}>('measure')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {shrinkage, conversations, rows} = golden.input;
		const heard = (some: GoldenText[][]) => float32(some.flat().filter(text => text.heard).map(({vector}) => vector));
		const measure = learnMeasure(heard(conversations.filter((_, i) => i % 3 === 0)), shrinkage);
		matchesCase(t, golden, {
			mean: meanOf(heard(conversations.filter((_, i) => i % 3 !== 0))),
			distances: rows.map(row => distanceOf(measure, row)),
		});
	});
}

for (const golden of casesOf<{weight: number; mean: number[]; conversations: GoldenText[][]; order: number[]; looks: number[]}>('twin')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {weight, mean, conversations, order, looks} = golden.input;
		const texts = conversations.flat().map(({heard, vector}) => heard ? Float64Array.from(vector, (value, i) => value - mean[i]!) : null);
		let place = 0;
		const places = conversations.map(one => one.map(() => place++));
		const rows: Float64Array[] = [];
		followPlaces({texts, weight}, order.flatMap(one => places[one]!).slice(0, looks.at(-1)), (count, sums, left) => {
			if (looks.includes(count)) {
				rows.push(sums.map(value => value * left));
			}
		});
		matchesCase(t, golden, {rows});
	});
}

for (const golden of casesOf<{twins: number[][]; own: number[]}>('paths')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {twins, own} = golden.input;
		const chance = measurePaths(twins.map(twin => Float64Array.from(twin)));
		const looks = own.reduce((before: readonly Look[], distance) => addLook(chance, before, {distance, time: 0}), []);
		const found = looks.findIndex(({p}) => p <= 0.05);
		matchesCase(t, golden, {
			medians: chance.medians,
			p_now: own.map((distance, look) => rankOf(twins.map(twin => twin[look]!), distance)),
			p: looks.map(({p}) => p),
			found: found < 0 ? null : found,
		});
	});
}

for (const golden of casesOf<{
	shrinkage: number; texts: number[][]; row: number[]; twins: number[][]; directions: number[][]; level: number;
}>('directions')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {shrinkage, texts, row, twins, directions, level} = golden.input;
		const measure = learnMeasure(float32(texts), shrinkage);
		const whitened = float32(directions).map(direction => whitenDirection(measure, direction));
		const largest = largestProjections(twins.map(twin => ({row: whiten(measure, twin)})), whitened);
		const along = measureDirections(whiten(measure, row), whitened, largest);
		matchesCase(t, golden, {
			t: along.map(one => one.t), largest, p: along.map(({p}) => p), stand_out: [...along.keys()].filter(i => along[i]!.p <= level),
		});
	});
}

type Culprit = {weight: number; mean: number[]; shrinkage: number; texts: number[][]; life: GoldenText[]; twins: GoldenText[][]};

for (const golden of casesOf<Culprit>('culprit')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {weight, mean, shrinkage, texts, life, twins} = golden.input;
		const measure = learnMeasure(float32(texts), shrinkage);
		const sums = follow(life, weight, mean);
		const row = whiten(measure, sums.total());
		const whiteParts = sums.parts().map(part => ({...part, row: whiten(measure, part.row)}));
		const parts = divideAmong(whiteParts.map(part => ({source: part.source, weight: part.weight, projection: product(part.row, row)})));
		const pushes = twins.map(twin => pushOfTwin(measure, twin, weight, mean));
		const top = parts.toSorted((a, b) => b.push - a.push)[0]!.source;
		const rest = lengthOf(row.map((value, i) => value - whiteParts.find(({source}) => source === top)!.row[i]!));
		const distances = twins.map(twin => distanceOf(measure, follow(twin, weight, mean).total()));
		const bySource = (value: (part: typeof parts[number]) => number) => Object.fromEntries(parts.map(part => [part.source, value(part)]));
		matchesCase(t, golden, {
			squared_distance: product(row, row),
			parts: bySource(({part}) => part),
			push: bySource(({push}) => push),
			p: bySource(({push}) => rankOf(pushes, push)),
			top,
			rest_distance: rest,
			p_without_top_source: rankOf(distances, rest),
		});
	});
}

/** The largest push in a twin that draws each of its texts once. */
const pushOfTwin = (measure: Measure, texts: readonly GoldenText[], weight: number, mean: number[]): number => {
	const places = texts.map(({heard, vector}) => heard ? whiten(measure, vector, Float64Array.from(mean)) : null);
	const weights = Float64Array.from(texts, (_, i) => weight * (1 - weight) ** (texts.length - 1 - i));
	return largestPush({row: whiten(measure, follow(texts, weight, mean).total()), weights}, places, texts.map(({source}) => source));
};

for (const golden of casesOf<{before: TalkAlong[]; now: TalkAlong[]}>('uptake')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {before, now} = golden.input;
		matchesCase(t, golden, {...testAlong(before, now, mulberry32(1), 9999)});
	});
}

for (const golden of casesOf<{sources: Record<string, number[]>; tested: number}>('changed')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {sources, tested} = golden.input;
		matchesCase(t, golden, {p: Object.fromEntries(Object.entries(sources).map(([source, looks]) => [source, everP(looks, tested)]))});
	});
}

for (const golden of casesOf<{rows: VectorSpec[]; texts: Array<{vector: VectorSpec; source: string}>; baseline: VectorSpec[]}>('shares')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {rows, texts, baseline} = golden.input;
		const life = runTexts(kernel, rows.map(vectorFrom), texts.map(({vector}) => vectorFrom(vector)));
		const mean = meanOf(baseline.map(vectorFrom));
		const [faded, talked] = [new WeightedSums(0), new WeightedSums(mean.length)];
		for (const [k, {source}] of texts.entries()) {
			faded.fade(life.texts[k]!.factors.kept);
			faded.add(source, life.texts[k]!.factors.text, []);
			talked.add(source, 1, life.vectors[k]!, {mean});
		}

		const weights = new Map(faded.parts().map(({source, weight}) => [source, weight]));
		const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
		matchesCase(t, golden, Object.fromEntries(talked.parts().map(part => [part.source, {
			texts: part.added, text_share: part.added / texts.length, weight_share: weights.get(part.source)! / all,
			coherence: coherenceOf(part, mean),
		}])));
	});
}

for (const golden of casesOf<{baseline: number[][]; visits: number[][][]; span: number; shrinkage: number}>('chart')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {baseline, visits, span, shrinkage} = golden.input;
		const measure = learnMeasure(float32(baseline), shrinkage);
		const mean = meanOf(float32(baseline));
		const chart = new Chart({measure, mean, repeating: 1, usual: 1, charts: [{span, limit: 1}]});
		const readings = visits.map((visit, i) => {
			const texts = float32(visit).map(vector => ({id: '', source: `visit ${i}`, time: 0, vector}));
			chart.add(texts, sumBySource(measure, mean, texts));
			return chart.readings[0]!.reading;
		});
		const shares = new Map(chart.blame(0).map(({source, share}) => [source, share]));
		matchesCase(t, golden, {readings, blame: visits.map((_, i) => shares.get(`visit ${i}`))});
	});
}

for (const golden of casesOf<{
	whitened: number[][]; conversations: number; span: number; average_run_length: number; runs: number; length: number;
}>('limits_redrawn')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {whitened, conversations, span, average_run_length: runLength, runs, length} = golden.input;
		const observations = whitened.map(row => Float64Array.from(row));
		const [limit] = findLimits(observations, {spans: [span], runLength, conversations, random: mulberry32(1), runs, length});
		matchesCase(t, golden, {limit});
	});
}

type DealtTalk = {texts: number; sum: number[]};

for (const golden of casesOf<{before: DealtTalk[]; now: DealtTalk[]}>('source_change')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const [before, now] = [golden.input.before, golden.input.now]
			.map(some => some.map(({texts, sum}) => ({texts, sum: Float64Array.from(sum)})));
		matchesCase(t, golden, testChange(before!, now!, mulberry32(1), 9999));
	});
}

for (const golden of casesOf<{own: VectorSpec[]; text: VectorSpec; threshold: number}>('echo')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {own, text, threshold} = golden.input;
		const nearest = findNearestOwn(kernel, own.map(vectorFrom), vectorFrom(text))!;
		matchesCase(t, golden, {...nearest, echo: nearest.cosine > threshold});
	});
}

test('nearestLimit chooses the reading with the largest ratio to its limit', t => {
	t.is(nearestLimit([{span: 8, reading: 1, limit: 2}, {span: 32, reading: 1, limit: 1.5}]), 1);
});

test('one ordinary text in two hundred is above the echo threshold', t => {
	const cosines = Array.from({length: 1000}, (_, i) => i / 1000);
	t.is(cosines.filter(cosine => cosine > measureEchoThreshold(cosines)).length, 5);
});
