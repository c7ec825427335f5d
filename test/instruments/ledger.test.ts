/** The ledger against independent numbers, and against the state itself. */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {composeLedger, type Grouping, type UnrolledHistory} from '../../src/instruments/ledger.ts';
import {remainders, unrollFrom} from '../../src/instruments/unroll.ts';
import {dot} from '../../src/kernel/dot.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {casesOf, matchesCase, vectorFrom, type VectorSpec} from '../golden/instruments.ts';
import {liveThrough, unitVector} from './lives.ts';
import {normalise} from '../../src/kernel/normalise.ts';

const kernel = selectKernel();

type Input = {
	rows: VectorSpec[];
	texts: VectorSpec[];
	directions: VectorSpec[];
	authority?: {articles: Array<{vector: VectorSpec; critical: boolean}>; anchors: VectorSpec[]};
	corroborating?: VectorSpec[];
};

const partsOf = (life: UnrolledHistory, by: Grouping) => composeLedger(life, {by, limit: Infinity}).entries;

for (const golden of casesOf<Input>('compose')) {
	test(`a life is composed as by an independent program: ${golden.id}, ${golden.note}`, t => {
		const {rows, texts, directions, authority, corroborating} = golden.input;
		const life = liveThrough(kernel, rows.map(vectorFrom), texts.map(vectorFrom), {
			corroborating: corroborating?.map(vectorFrom),
			authority: authority && {
				articles: authority.articles.map(({vector, critical}) => ({vector: vectorFrom(vector), critical})),
				anchors: authority.anchors.map(vectorFrom),
			},
		});
		const factors = life.texts.map(text => text.factors);
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
			by_method: Object.fromEntries(partsOf(life, 'method').filter(({kind}) => kind === 'method').map(({key, weight}) => [key, weight])),
			projections: directions.map(spec => {
				const on = life.on(vectorFrom(spec));
				const entries = partsOf(on, 'text');
				const part = (kind: string) => entries.find(entry => entry.kind === kind)!.part;
				return {
					beginning: part('beginning'),
					push: part('push'),
					texts: on.texts.map(text => entries.find(entry => entry.text === text)!.part),
					total: dot(life.end, vectorFrom(spec)),
				};
			}),
			worst_component: Math.max(...Array.from(life.end, (value, i) =>
				Math.abs(
					beginning * life.rows[2]![i]! + secondness * life.rows[1]![i]! + valeurs * life.rows[7]![i]! + weights.reduce(
						(total, weight, k) => total + weight * life.vectors[k]![i]!, 0,
					) - value,
				))),
		});
	});
}

/** ‖row composed − row reached‖, and the parts on a direction against the row's own value there. */
const errorsOf = (life: ReturnType<typeof liveThrough>, direction: Float32Array) => {
	const left = remainders(life.texts.map(({factors}) => factors));
	const error = Float64Array.from(life.end, value => -value);
	const add = (weight: number, vector: Float32Array) => {
		for (let i = 0; i < vector.length; i++) {
			error[i]! += weight * vector[i]!;
		}
	};
	add(left[0]!, life.rows[2]!);
	for (const [k, {factors}] of life.texts.entries()) {
		add(factors.text * left[k + 1]!, life.vectors[k]!);
		add(factors.secondness * left[k + 1]!, life.rows[1]!);
		add(factors.valeurs * left[k + 1]!, life.rows[7]!);
	}

	const value = dot(life.end, direction);
	const on = life.on(direction);
	return {
		row: Math.hypot(...error),
		parts: (['text', 'source', 'method'] as const).map(by => Math.abs(partsOf(on, by).reduce((sum, {part}) => sum + part!, 0) - value)),
	};
};

const rowsFrom = (seed: number) => Array.from({length: 8}, (_, d) => unitVector(seed * 8 + d));

test('after 10,000 cycles the parts still sum to the value, and the rows to the row', t => {
	// Ten topics: a text lies nearer to others of its topic.
	const topics = Array.from({length: 10}, (_, topic) => unitVector(900 + topic, 512));
	const vectors = Array.from({length: 499}, (_, k) => normalise(unitVector(2000 + k, 512).map((value, i) => value + topics[k % 10]![i]!)));
	const {row, parts} = errorsOf(
		liveThrough(kernel, rowsFrom(11), Array.from({length: 10_000}, (_, k) => vectors[k % 499]!)), unitVector(5),
	);
	t.true(row <= 5e-6, `row ${row}`);
	for (const part of parts) {
		t.true(part <= 1e-6, `part ${part}`);
	}
});

test('parts sum to the value in any life', t => {
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
				liveThrough(kernel, rows, vectors, {authority, corroborating: corroborating.map(text => unitVector(text))}), unitVector(5),
			);
			t.true(Math.max(row, ...parts) <= 1e-6, `${row}, ${parts}`);
		},
	), {numRuns: 50});
});

test('ten thousand records are composed in a twentieth of a second of CPU', t => {
	const vectors = Array.from({length: 100}, (_, k) => unitVector(k, 512));
	const life = liveThrough(kernel, rowsFrom(1), Array.from({length: 10_000}, (_, k) => vectors[k % 100]!));
	const direction = unitVector(7);
	const times = Array.from({length: 5}, () => {
		const start = process.cpuUsage();
		const follow = unrollFrom(kernel, life.rows);
		composeLedger(
			{
				rows: life.rows, direction,
				texts: life.measured.map((measured, k) =>
					({...life.texts[k]!, projection: dot(measured.vector, direction), factors: follow(measured)})),
			},
			{by: 'text', limit: 20},
		);
		return process.cpuUsage(start).user / 1000;
	});
	t.log(times);
	t.true(Math.min(...times) < 400, 'eight times the bar, for machines that do much else');
});
