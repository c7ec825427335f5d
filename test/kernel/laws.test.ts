/** The laws that hold for every kernel and any input. */
import {isDeepStrictEqual} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import type {Kernel} from '../../src/kernel/kernel.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {measureDissonance} from '../../src/semiosis/dissonance.ts';
import {applyFixation, fixate, minimalAuthority} from '../../src/semiosis/fixation.ts';
import {StateTensor, type Rows} from '../../src/kernel/state-tensor.ts';
import {mulberry32} from '../actors/fixtures.ts';
import {unit, worst} from '../golden/read.ts';
import {kernelNames} from './kernels.ts';

const length = (v: Float32Array | Float64Array): number => {
	let sum = 0;
	for (const value of v) {
		sum += value * value;
	}

	return Math.sqrt(sum);
};

const unitOf = (seed: number): Float32Array => {
	const random = mulberry32(seed);
	const drawn = new Float64Array(1024);
	for (let i = 0; i < 1024; i++) {
		drawn[i] = random() - 0.5;
	}

	return unit(drawn);
};

/** 1 − cos in float64, by the difference of the unit vectors. */
const distance = (a: Float32Array, b: Float32Array): number => {
	const [m, n] = [length(a), length(b)];
	return a.reduce((sum, value, i) => sum + (value / m - b[i]! / n) ** 2, 0) / 2;
};

const rowsOf = (seed: number): Rows => Array.from({length: 8}, (_, d) => unitOf(seed * 8 + d));

/** An input between noise and one of the rows, so that every branch of the rules is reached. */
const inputOf = (seed: number, rows: Rows, near: number, share: number): Float32Array => {
	const noise = unitOf(seed);
	return unit(new Float64Array(noise).map((value, i) => (1 - share) * value + share * rows[near]![i]!));
};

const seed = fc.integer({min: 0, max: 2 ** 28});
const recipe = fc.record({
	seed,
	input: seed,
	near: fc.nat(7),
	share: fc.oneof(fc.constantFrom(0, 1), fc.double({min: 0, max: 1, noNaN: true})),
});

type Scene = {rows: Rows; e: Float32Array};

/** Drawn once for all laws: making a scene costs more than checking a law on it. A failed law prints the recipe. */
const scenes = fc.sample(recipe, 500).map(made => {
	const rows = rowsOf(made.seed);
	return {made, rows, e: inputOf(made.input, rows, made.near, made.share)};
});

/** Checks a law on the first scenes. */
const holdsFor = (t: ExecutionContext, count: number, holds: (given: Scene) => boolean): void => {
	for (const {made, ...given} of scenes.slice(0, count)) {
		if (!holds(given)) {
			t.fail(JSON.stringify(made));
		}
	}

	t.pass();
};

const cycle = (kernel: Kernel, rows: Rows, e: Float32Array) => {
	const dissonance = measureDissonance(kernel, rows, e);
	const fixation = fixate(kernel, e, dissonance.comparison);
	return {...dissonance, ...applyFixation(kernel, new StateTensor(0, '', rows), e, fixation, ''), fixation};
};

/** Whether an input is so close to a threshold of the rules that kernels may differ. */
const isNearThreshold = ({dots}: {dots: Float64Array}, total: number): boolean => {
	const coherence = (dots[0]! + dots[2]! + dots[4]! + dots[7]!) / 4;
	return [dots[2]! - 0.8, coherence - 0.5, total - 0.3].some(margin => Math.abs(margin) < 1e-5);
};

for (const name of kernelNames) {
	const kernel = selectKernel(name);
	const law = (title: string, holds: (given: Scene) => boolean) => {
		test(`${name}: ${title}`, t => {
			holdsFor(t, 200, holds);
		});
	};

	law('scores and their total are between 0 and 2', ({rows, e}) => {
		const {scores, total} = measureDissonance(kernel, rows, e);
		return scores.every(score => score >= 0 && score <= 2) && total >= 0 && total <= 2 + 1e-12;
	});

	law('thirdness keeps unit length', ({rows, e}) => Math.abs(length(cycle(kernel, rows, e).state.row('thirdness')) - 1) < 1e-6);

	law('the delta is never longer than 0.001, as reported and as measured', ({rows, e}) => {
		const {deltaMagnitude, state} = cycle(kernel, rows, e);
		const moved = Math.hypot(...state.row('thirdness').map((value, i) => value - rows[2]![i]!));
		return deltaMagnitude <= 0.001 && moved <= 0.001 + 1e-6;
	});

	law('only thirdness moves', ({rows, e}) => cycle(kernel, rows, e).state.rows.every((row, d) => (row === rows[d]) === (d !== 2)));

	law('a state has distance 0 from itself', ({rows}) => {
		const {distances, perCycle} = kernel.drift(rows, rows, rows);
		return perCycle === 0 && distances.every(one => Math.abs(one) < 1e-12);
	});

	law('a small distance keeps its relative precision', ({rows, e}) => [1e-1, 1e-2, 1e-3, 1e-4].every(share => {
		const near = rows.with(4, unit(e.map((value, i) => share * value + rows[4]![i]!)));
		const reported = kernel.drift(near, rows).distances[4]!;
		const exact = distance(near[4]!, rows[4]!);
		return Math.abs(reported - exact) <= 1e-5 * exact + 1e-13;
	}));

	law('a distance does not depend on the lengths of rows', ({rows, e}) => {
		const long = rows.with(1, e.map(value => 3 * value));
		const {distances} = kernel.drift(rows.with(1, e), long);
		return distances[1]! < 1e-6 && distances.every(one => one >= 0 && one <= 2);
	});

	law('similarity is symmetric, and 1 with itself', ({rows, e}) => {
		const other = [e, ...rows.slice(1)];
		return Math.abs(kernel.similarity(rows, other) - kernel.similarity(other, rows)) < 1e-9
			&& Math.abs(kernel.similarity(rows, rows) - 1) < 1e-6;
	});

	law('a projection is the dot product with its row', ({rows, e}) => {
		const matrix = {rows: Uint8Array.of(0, 2, 7), vectors: [e, e, e]};
		const {dots} = kernel.compare(rows, e);
		return worst(kernel.project([rows], matrix)[0]!, [dots[0]!, dots[2]!, dots[7]!]) < 1e-6;
	});

	law('two states projected together give the same bits as each alone', ({rows, e}) => {
		const matrix = {rows: Uint8Array.of(2, 5, 2, 7), vectors: [e, rows[0]!, rows[1]!, e]};
		const other = rows.with(5, e);
		const [a, b] = kernel.project([rows, other], matrix);
		return worst(a!, kernel.project([rows], matrix)[0]!) === 0 && worst(b!, kernel.project([other], matrix)[0]!) === 0;
	});

	law('a projection on a vector that ends in zeros has the same bits alone and beside a longer one', ({
		rows,
		e,
	}) => [0, 1, 4, 511, 512].every(used => {
		const narrow = e.map((value, i) => i < used ? value : 0);
		const alone = kernel.project([rows], {rows: Uint8Array.of(3), vectors: [narrow]})[0]!;
		const together = kernel.project([rows], {rows: Uint8Array.of(3, 3), vectors: [narrow, e]})[0]!;
		return alone[0] === together[0];
	}));

	law('a profile is linear in the state', ({rows, e}) => {
		const matrix = {rows: Uint8Array.of(3, 3, 0, 3, 3, 3), vectors: [e, rows[0]!, e, rows[1]!, rows[2]!, rows[4]!]};
		const [x, y] = [rows, rows.toReversed()];
		const sum = x.map((row, d) => row.map((value, i) => value + y[d]![i]!));
		const [a, b, both] = kernel.project([x, y, sum], matrix);
		return worst(both!, a!.map((value, i) => value + b![i]!)) < 2e-6;
	});

	law('a pull keeps its relative precision if its parts nearly cancel', ({rows, e}) => [1, 1e-2, 1e-4].every(share => {
		// Thirdness and valeurs close to e, or pulling against each other.
		const [a, b] = [unitOf(1), unitOf(2)];
		const close = unit(e.map((value, i) => value + share * a[i]!));
		const state = rows.with(2, close).with(7, unit(close.map((value, i) => value + share * b[i]!)));
		const lengths = [1, 2, 7].map(d => length(new Float64Array(e).map((value, i) => value - state[d]![i]!)));
		return [{
			secondness: 0,
			thirdness: 0.0125,
			valeurs: 0,
		}, {secondness: 0, thirdness: 0.3, valeurs: -0.3}, {secondness: 0.0225, thirdness: 0.0125, valeurs: -0.075}].every(pull => {
			const {rawMagnitude, gaps} = kernel.move(state, e, pull, 0.001);
			const raw = new Float64Array(e).map((value, i) => pull.secondness * (value - state[1]![i]!)
				+ pull.thirdness * (value - state[2]![i]!)
				+ pull.valeurs * (value - state[7]![i]!));
			const exact = length(raw);
			return Math.abs(rawMagnitude - exact) <= 1e-5 * exact
				&& (['secondness', 'thirdness', 'valeurs'] as const).every((from, i) => Math.abs(gaps[from] - lengths[i]!) <= 1e-5 * lengths[i]!);
		});
	}));

	law('later moves do not change a row that was returned', ({rows, e}) => {
		const {thirdness} = kernel.move(rows, e, {secondness: 0.02, thirdness: 0.01, valeurs: 0}, 0.001);
		const copy = thirdness.slice();
		for (let i = 0, state = rows; i < 20; i++) {
			state = state.with(2, kernel.move(state, rows[i % 8]!, {secondness: 0.1, thirdness: 0.1, valeurs: 0.1}, 1).thirdness);
		}

		return worst(thirdness, copy) === 0;
	});

	law('nearest gives the vectors with the largest cosines, nearest first', ({rows, e}) => {
		const cosines = kernel.cosines(e, rows);
		const places = [...rows.keys()].toSorted((a, b) => cosines[b]! - cosines[a]!);
		return [0, 1, 3, 8, 20].every(count => {
			const nearest = kernel.nearest(e, rows, count);
			return nearest.length === Math.min(count, 8)
				&& nearest.every(
					({place, cosine}, i) => Math.abs(cosine - cosines[places[i]!]!) < 1e-6 && Math.abs(cosine - cosines[place]!) < 1e-6,
				);
		});
	});

	test(`${name}: equally near vectors keep their order, and a zero vector has the cosine 0`, t => {
		const [a, b] = [unitOf(1), unitOf(2)];
		const opposite = a.map(value => -value);
		const nearest = kernel.nearest(a, [opposite, b, a, new Float32Array(1024), b, a], 6);
		const zero = nearest.findIndex(({place}) => place === 3);
		t.deepEqual(nearest.toSpliced(zero, 1).map(({place}) => place), [2, 5, 1, 4, 0]);
		t.is(nearest[zero]!.cosine, 0);
		t.true(kernel.nearest(new Float32Array(1024), [a, b], 2).every(({cosine}) => cosine === 0));
	});

	test(`${name}: a list to search may grow, shrink and change`, t => {
		const list = Array.from({length: 40}, (_, i) => unitOf(i));
		const e = unitOf(99);
		const searches = [list.slice(0, 3), list, list.slice(0, 7), list.slice(0, 20), list.toReversed(), list.with(5, unitOf(50)), []];
		for (const vectors of [...searches, ...searches.toReversed()]) {
			t.deepEqual(kernel.nearest(e, vectors, 5), selectKernel(name).nearest(e, vectors, 5));
		}
	});

	test(`${name}: a list to search may be changed in place`, t => {
		const list = Array.from({length: 10}, (_, i) => unitOf(i));
		const e = unitOf(99);
		const changes = [() => {}, () => list.shift(), () => list.push(unitOf(60)), () => list.splice(2, 1, unitOf(70), e)];
		for (const change of changes) {
			change();
			t.deepEqual(kernel.nearest(e, list, 5), selectKernel(name).nearest(e, list, 5));
		}
	});

	law('earlier computations do not change the bits of a result', ({rows, e}) => {
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

	test(`${name}: in any order of calls, each gives the same bits as with a fresh kernel`, t => {
		const states = [rowsOf(1), rowsOf(2)].flatMap(rows => [
			rows,
			rows.with(2, unitOf(100)),
			rows.with(2, unitOf(101)),
			rows.with(6, unitOf(102)),
		]);
		const inputs = [unitOf(103), unitOf(104), states[0]![2]!];
		const catalogues = [5, 17].map(count => ({
			rows: Uint8Array.from({length: count}, (_, i) => i * 3 % 8),
			vectors: Array.from({length: count}, (_, i) => unitOf(200 + i)),
		}));
		const pull = {secondness: 0.02, thirdness: -0.01, valeurs: 0.3};
		const step = fc.record({
			what: fc.constantFrom('compare', 'move', 'step', 'drift', 'project', 'similarity', 'dots', 'cosines', 'nearest', 'adjust'),
			state: fc.nat(states.length - 1),
			other: fc.nat(states.length - 1),
			before: fc.option(fc.nat(states.length - 1), {nil: undefined}),
			input: fc.nat(inputs.length - 1),
			catalogue: fc.nat(1),
		});
		type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
		const run = (one: Kernel, {what, state: s, other: o, before, input, catalogue}: Step): unknown => {
			const [state, other, e] = [states[s]!, states[o]!, inputs[input]!];
			switch (what) {
				case 'compare': {
					return one.compare(state, e);
				}

				case 'move': {
					return one.move(state, e, pull, 0.001);
				}

				case 'step': {
					const next = state.with(2, one.move(state, e, pull, 0.001).thirdness);
					return [one.drift(next, other, state), one.compare(next, e), one.move(next, e, pull, 1), one.drift(state, other, next)];
				}

				case 'drift': {
					return one.drift(state, other, before === undefined ? undefined : states[before]);
				}

				case 'project': {
					return one.project(before === undefined ? [state] : [state, other], catalogues[catalogue]!);
				}

				case 'similarity': {
					return one.similarity(state, other);
				}

				case 'nearest': {
					return one.nearest(e, [...other, ...inputs], 4);
				}

				case 'adjust': {
					return one.adjust(e, [{direction: inputs[0]!, target: 0.1}, {direction: inputs[1]!, target: -0.1}]);
				}

				default: {
					return one[what](e, state);
				}
			}
		};

		fc.assert(fc.property(fc.array(step, {maxLength: 12}), steps => {
			const used = selectKernel(name);
			return steps.every(one => isDeepStrictEqual(run(used, one), run(selectKernel(name), one)));
		}), {numRuns: often(20, 60)});
		t.pass();
	});

	test(`${name}: another catalogue of directions replaces the first, whatever its length`, t => {
		const rows = rowsOf(1);
		for (const count of [3, 1000, 0, 40]) {
			const matrix = {rows: new Uint8Array(count).fill(5), vectors: Array.from({length: count}, (_, i) => unitOf(i))};
			const [values] = kernel.project([rows], matrix) as [number[]];
			t.is(values.length, count);
			t.true(worst(values, kernel.dots(rows[5]!, matrix.vectors)) < 1e-6);
		}
	});
}

for (const name of kernelNames.filter(one => one !== 'js')) {
	test(`${name} and js agree within the tolerances`, t => {
		const [wasm, js] = [selectKernel(name), selectKernel('js')];
		let compared = 0;
		holdsFor(t, 500, ({rows, e}) => {
			const a = cycle(wasm, rows, e);
			if (isNearThreshold(a.comparison, a.total)) {
				return true;
			}

			compared++;
			const b = cycle(js, rows, e);
			const [x, y] = [wasm.drift(a.state.rows, rows, rows), js.drift(a.state.rows, rows, rows)];
			return worst(a.scores, b.scores) <= 2e-6
				&& Math.abs(a.total - b.total) <= 2e-6
				&& Math.abs(a.deltaMagnitude - b.deltaMagnitude) <= 1e-5 * b.deltaMagnitude
				&& worst(a.state.row('thirdness'), b.state.row('thirdness')) <= 1e-7
				&& Math.abs(x.perCycle - y.perCycle) <= 1e-4 * y.perCycle;
		});
		t.true(compared > 450, `${compared}`);
	});
}

test('authority and science give the same proposals in all kernels', t => {
	holdsFor(t, 50, ({rows, e}) => {
		const authority = {articles: [{vector: rows[1]!, critical: true}, {vector: rows[3]!, critical: false}], anchors: [rows[5]!]};
		const [first, ...others] = kernelNames.map(name => {
			const kernel = selectKernel(name);
			const {comparison} = measureDissonance(kernel, rows, e);
			return fixate(kernel, e, comparison, authority, [rows[6]!]);
		});
		return others.every(other => (['authority', 'science'] as const).every(method => isDeepStrictEqual(other[method], first![method])));
	});
	t.deepEqual(minimalAuthority, {articles: [], anchors: []});
});
