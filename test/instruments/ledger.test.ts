/** The ledger agrees with an independent program, and its parts sum to the state. */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {composeLedger, type Grouping, type UnrolledHistory} from '../../src/instruments/ledger.ts';
import {remainders, unrollFrom} from '../../src/instruments/unroll.ts';
import {dot} from '../../src/kernel/dot.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {casesOf, matchesCase, vectorFrom, type VectorSpec} from '../golden/instruments.ts';
import {runTexts, unitVector} from './run-texts.ts';
import {normalise} from '../../src/kernel/normalise.ts';

const kernel = selectKernel();

type Input = {
	rows: VectorSpec[];
	texts: VectorSpec[];
	directions: VectorSpec[];
	authority?: {articles: Array<{vector: VectorSpec; critical: boolean}>; anchors: VectorSpec[]};
	corroborating?: VectorSpec[];
};

const partsOf = (history: UnrolledHistory, by: Grouping) => composeLedger(history, {by, limit: Infinity}).entries;

for (const golden of casesOf<Input>('compose')) {
	test(`a ledger agrees with an independent program: ${golden.id}, ${golden.note}`, t => {
		const {rows, texts, directions, authority, corroborating} = golden.input;
		const history = runTexts(kernel, rows.map(vectorFrom), texts.map(vectorFrom), {
			corroborating: corroborating?.map(vectorFrom),
			authority: authority && {
				articles: authority.articles.map(({vector, critical}) => ({vector: vectorFrom(vector), critical})),
				anchors: authority.anchors.map(vectorFrom),
			},
		});
		const factors = history.texts.map(text => text.factors);
		const left = remainders(factors);
		const sum = (weightOf: (one: typeof factors[number]) => number) => factors.reduce(
			(total, one, k) => total + weightOf(one) * left[k + 1]!, 0,
		);
		const [beginning, secondness, valeurs] = [left[0]!, sum(one => one.secondness), sum(one => one.valeurs)];
		const weights = factors.map((one, k) => one.text * left[k + 1]!);
		matchesCase(t, golden, {
			beginning,
			secondness,
			valeurs,
			texts: weights,
			by_method: Object.fromEntries(partsOf(history, 'method').filter(({kind}) => kind === 'method').map(({key, weight}) => [key, weight])),
			projections: directions.map(spec => {
				const on = history.on(vectorFrom(spec));
				const entries = partsOf(on, 'text');
				const part = (kind: string) => entries.find(entry => entry.kind === kind)!.part;
				return {
					beginning: part('beginning'),
					push: part('push'),
					texts: on.texts.map(text => entries.find(entry => entry.text === text)!.part),
					total: dot(history.end, vectorFrom(spec)),
				};
			}),
			worst_component: Math.max(...Array.from(history.end, (value, i) =>
				Math.abs(
					beginning * history.rows[2]![i]! + secondness * history.rows[1]![i]! + valeurs * history.rows[7]![i]! + weights.reduce(
						(total, weight, k) => total + weight * history.vectors[k]![i]!, 0,
					) - value,
				))),
		});
	});
}

/** How far the composed row is from the state's, and the sum of the parts from the row's projection. */
const errorsOf = (history: ReturnType<typeof runTexts>, direction: Float32Array) => {
	const left = remainders(history.texts.map(({factors}) => factors));
	const error = Float64Array.from(history.end, value => -value);
	const add = (weight: number, vector: Float32Array) => {
		for (let i = 0; i < vector.length; i++) {
			error[i]! += weight * vector[i]!;
		}
	};
	add(left[0]!, history.rows[2]!);
	for (const [k, {factors}] of history.texts.entries()) {
		add(factors.text * left[k + 1]!, history.vectors[k]!);
		add(factors.secondness * left[k + 1]!, history.rows[1]!);
		add(factors.valeurs * left[k + 1]!, history.rows[7]!);
	}

	const value = dot(history.end, direction);
	const on = history.on(direction);
	return {
		row: Math.hypot(...error),
		parts: (['text', 'source', 'method'] as const).map(by => Math.abs(partsOf(on, by).reduce((sum, {part}) => sum + part!, 0) - value)),
	};
};

const rowsFrom = (seed: number) => Array.from({length: 8}, (_, d) => unitVector(seed * 8 + d));

test('after 10,000 cycles the parts still sum to the projection, and the weighted vectors to thirdness', t => {
	// Ten topics: a text lies nearer to others of its topic.
	const topics = Array.from({length: 10}, (_, topic) => unitVector(900 + topic, 512));
	const vectors = Array.from({length: 499}, (_, k) => normalise(unitVector(2000 + k, 512).map((value, i) => value + topics[k % 10]![i]!)));
	const {row, parts} = errorsOf(
		runTexts(kernel, rowsFrom(11), Array.from({length: 10_000}, (_, k) => vectors[k % 499]!)), unitVector(5),
	);
	t.true(row <= 5e-6, `row ${row}`);
	for (const part of parts) {
		t.true(part <= 1e-6, `part ${part}`);
	}
});

test('the parts sum to the projection, and the weighted vectors to thirdness, for any texts and authority', t => {
	const weight = fc.double({min: -1, max: 1, noNaN: true});
	fc.assert(fc.property(
		fc.integer({min: 0, max: 1000}),
		fc.array(fc.tuple(fc.integer({min: 0, max: 20}), weight), {maxLength: 40}),
		fc.array(fc.record({seed: fc.integer({min: 0, max: 20}), critical: fc.boolean()}), {maxLength: 3}),
		fc.array(fc.integer({min: 0, max: 20}), {maxLength: 2}),
		(seed, said, articles, corroborating) => {
			const rows = rowsFrom(seed);
			// Texts that agree with thirdness, and texts that contradict it.
			const vectors = said.map(([text, nearness]) => normalise(unitVector(text).map((value, i) => value + 2 * nearness * rows[2]![i]!)));
			const authority = {
				articles: articles.map(article => ({vector: unitVector(article.seed), critical: article.critical})),
				anchors: [unitVector(3)],
			};
			const {row, parts} = errorsOf(
				runTexts(kernel, rows, vectors, {authority, corroborating: corroborating.map(text => unitVector(text))}), unitVector(5),
			);
			t.true(Math.max(row, ...parts) <= 1e-6, `${row}, ${parts}`);
		},
	), {numRuns: 50});
});

test('after a million cycles the half-life is still known', t => {
	const {rows, texts} = runTexts(kernel, rowsFrom(1), [unitVector(1)]);
	const fading = {...texts[0]!, factors: {...texts[0]!.factors, kept: 0.5}};
	const history = {rows, direction: null, texts: Array.from({length: 2000}, () => fading)};
	const {beginningLeft, halfLifeCycles} = composeLedger(history, {by: 'source', limit: 20});
	t.is(beginningLeft, 0);
	t.true(Math.abs(halfLifeCycles! - 1) < 1e-9, `${halfLifeCycles}`);
});

test('a ledger of ten thousand records takes less than 0.4 seconds of CPU', t => {
	const vectors = Array.from({length: 100}, (_, k) => unitVector(k, 512));
	const history = runTexts(kernel, rowsFrom(1), Array.from({length: 10_000}, (_, k) => vectors[k % 100]!));
	const direction = unitVector(7);
	const times = Array.from({length: 5}, () => {
		const start = process.cpuUsage();
		const follow = unrollFrom(history.rows);
		composeLedger(
			{
				rows: history.rows, direction,
				texts: history.measured.map((measured, k) =>
					({...history.texts[k]!, projection: dot(measured.vector, direction), factors: follow(measured)})),
			},
			{by: 'text', limit: 20},
		);
		return process.cpuUsage(start).user / 1000;
	});
	t.log(times);
	t.true(Math.min(...times) < 400, 'eight times the target, for busy machines');
});
