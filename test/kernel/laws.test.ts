/** The laws that every kernel keeps, whatever it is given. */
import test from 'ava';
import fc from 'fast-check';
import type {Kernel} from '../../src/kernel/kernel.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {measureDissonance} from '../../src/semiosis/dissonance.ts';
import {applyFixation, fixate, minimalAuthority} from '../../src/semiosis/fixation.ts';
import {StateTensor, type Rows} from '../../src/tensor/state-tensor.ts';
import {mulberry32} from '../actors/fixtures.ts';
import {unit, worst} from '../golden/read.ts';

const norm = (v: Float32Array): number => Math.sqrt(v.reduce((sum, value) => sum + value * value, 0));

const unitOf = (seed: number): Float32Array => {
	const random = mulberry32(seed);
	return unit(Float64Array.from({length: 1024}, () => random() - 0.5));
};

const rowsOf = (seed: number): Rows => Array.from({length: 8}, (_, d) => unitOf(seed * 8 + d));

/** An input between noise and one of the rows themselves, so that every branch of the rules is met. */
const inputOf = (seed: number, rows: Rows, near: number, share: number): Float32Array => {
	const noise = unitOf(seed);
	return unit(Float64Array.from(noise, (value, i) => (1 - share) * value + share * rows[near]![i]!));
};

const seed = fc.integer({min: 0, max: 2 ** 28});
const scene = fc.record({seed, input: seed, near: fc.nat(7), share: fc.oneof(fc.constantFrom(0, 1), fc.double({min: 0, max: 1, noNaN: true}))})
	.map(({seed: start, input, near, share}) => {
		const rows = rowsOf(start);
		return {rows, e: inputOf(input, rows, near, share)};
	});

const cycle = (kernel: Kernel, rows: Rows, e: Float32Array) => {
	const dissonance = measureDissonance(kernel, rows, e);
	const fixation = fixate(kernel, e, dissonance.comparison);
	return {...dissonance, ...applyFixation(kernel, new StateTensor(0, '', rows), e, fixation, ''), fixation};
};

/** Inputs so close to a threshold of the rules that a kernel may decide either way. */
const isNearThreshold = ({dots}: {dots: Float64Array}, total: number): boolean => {
	const coherence = (dots[0]! + dots[2]! + dots[4]! + dots[7]!) / 4;
	return [dots[2]! - 0.8, coherence - 0.5, total - 0.3].some(distance => Math.abs(distance) < 1e-5);
};

for (const name of ['wasm', 'js'] as const) {
	const kernel = selectKernel(name);
	const law = (title: string, holds: (given: {rows: Rows; e: Float32Array}) => boolean | void) => {
		test(`${name}: ${title}`, t => {
			fc.assert(fc.property(scene, holds), {numRuns: 200});
			t.pass();
		});
	};

	law('scores lie in [0, 2] and the total between them', ({rows, e}) => {
		const {scores, total} = measureDissonance(kernel, rows, e);
		return scores.every(score => score >= 0 && score <= 2) && total >= 0 && total <= 2 + 1e-12;
	});

	law('thirdness keeps unit length', ({rows, e}) => Math.abs(norm(cycle(kernel, rows, e).state.row('thirdness')) - 1) < 1e-6);

	law('the delta is never longer than 0.001, as told and as done', ({rows, e}) => {
		const {deltaMagnitude, state} = cycle(kernel, rows, e);
		const moved = Math.hypot(...state.row('thirdness').map((value, i) => value - rows[2]![i]!));
		return deltaMagnitude <= 0.001 && moved <= 0.001 + 1e-6;
	});

	law('only thirdness moves', ({rows, e}) => cycle(kernel, rows, e).state.rows.every((row, d) => (row === rows[d]) === (d !== 2)));

	law('a state lies at distance 0 from itself', ({rows}) => {
		const {distances, perCycle} = kernel.drift(rows, rows, rows);
		return perCycle === 0 && distances.every(distance => Math.abs(distance) < 1e-12);
	});

	law('similarity is symmetric, and 1 with itself', ({rows, e}) => {
		const other = [e, ...rows.slice(1)];
		return Math.abs(kernel.similarity(rows, other) - kernel.similarity(other, rows)) < 1e-9 && Math.abs(kernel.similarity(rows, rows) - 1) < 1e-6;
	});

	law('a projection is the product with its row', ({rows, e}) => {
		const matrix = {rows: Uint8Array.of(0, 2, 7), vectors: [e, e, e]};
		const {dots} = kernel.compare(rows, e);
		return worst(kernel.project(rows, matrix), [dots[0]!, dots[2]!, dots[7]!]) < 1e-6;
	});

	law('what was computed before leaves no trace in the bits of a result', ({rows, e}) => {
		const fresh = selectKernel(name);
		const used = cycle(kernel, rows, e);
		const alone = cycle(fresh, rows, e);
		const drifts = [kernel, fresh].map(one => one.drift(used.state.rows, rows, rows));
		return worst(used.scores, alone.scores) === 0
			&& used.deltaMagnitude === alone.deltaMagnitude
			&& worst(used.state.row('thirdness'), alone.state.row('thirdness')) === 0
			&& drifts[0]!.perCycle === drifts[1]!.perCycle
			&& worst(drifts[0]!.distances, drifts[1]!.distances) === 0;
	});

	test(`${name}: another catalogue of directions takes the place of the first, however long it is`, t => {
		const rows = rowsOf(1);
		for (const count of [3, 1000, 0, 40]) {
			const matrix = {rows: new Uint8Array(count).fill(5), vectors: Array.from({length: count}, (_, i) => unitOf(i))};
			const values = kernel.project(rows, matrix);
			t.is(values.length, count);
			t.true(worst(values, kernel.dots(rows[5]!, matrix.vectors)) < 1e-6);
		}
	});
}

test('the kernels agree within the tolerances', t => {
	const wasm = selectKernel('wasm');
	const js = selectKernel('js');
	fc.assert(fc.property(scene, ({rows, e}) => {
		const a = cycle(wasm, rows, e);
		fc.pre(!isNearThreshold(a.comparison, a.total));
		const b = cycle(js, rows, e);
		const [x, y] = [wasm.drift(a.state.rows, rows, rows), js.drift(a.state.rows, rows, rows)];
		return worst(a.scores, b.scores) <= 2e-6
			&& Math.abs(a.total - b.total) <= 2e-6
			&& Math.abs(a.deltaMagnitude - b.deltaMagnitude) <= 1e-5 * b.deltaMagnitude
			&& worst(a.state.row('thirdness'), b.state.row('thirdness')) <= 1e-7
			&& Math.abs(x.perCycle - y.perCycle) <= 1e-4 * y.perCycle;
	}), {numRuns: 500});
	t.pass();
});

test('authority and science decide alike in both kernels', t => {
	fc.assert(fc.property(scene, ({rows, e}) => {
		const authority = {articles: [{vector: rows[1]!, critical: true}, {vector: rows[3]!, critical: false}], anchors: [rows[5]!]};
		const [a, b] = (['wasm', 'js'] as const).map(name => {
			const kernel = selectKernel(name);
			const {comparison} = measureDissonance(kernel, rows, e);
			return fixate(kernel, e, comparison, authority, [rows[6]!]);
		});
		return a!.authority.from === b!.authority.from && a!.science.from === b!.science.from;
	}), {numRuns: 50});
	t.deepEqual(minimalAuthority, {articles: [], anchors: []});
});
