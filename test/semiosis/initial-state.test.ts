import test from 'ava';
import {randomState, stateFromThoughts} from '../../src/semiosis/initial-state.ts';
import {dimensions, type Dimension} from '../../src/kernel/dimensions.ts';
import {mulberry32} from '../actors/fixtures.ts';
import {expected, read, vector, worst} from '../golden/read.ts';

type Case = {
	name: string;
	base: number;
	thoughts: Array<{type: string | null; vector: number}>;
	expect: {state_id: number; timestamp: string; dims: Record<Dimension, number | null>};
};

const norm = (v: Float32Array): number => Math.hypot(...v);
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0) / norm(a) / norm(b);

for (const {name, base, thoughts, expect} of read<{cases: Case[]}>('initial_state.json').cases) {
	test(`golden: ${name}`, t => {
		const state = stateFromThoughts({
			stateId: expect.state_id,
			timestamp: expect.timestamp,
			base: vector(base),
			thoughts: thoughts.map(({type, vector: index}) => ({type, vector: vector(index)})),
		}, mulberry32(1));
		t.is(state.stateId, expect.state_id);
		t.is(state.timestamp, expect.timestamp);
		for (const dimension of dimensions) {
			const index = expect.dims[dimension];
			const row = state.row(dimension);
			t.true(Math.abs(norm(row) - 1) < 1e-6);
			if (index === null) {
				// 1024 components of noise 0.05 have a length of about 1.6; the base has length 1.
				t.true(Math.abs(cosine(row, vector(base)) - 0.53) < 0.08, `${dimension}: ${cosine(row, vector(base))}`);
			} else {
				t.true(worst(row, expected(index)) <= 1e-7, dimension);
			}
		}
	});
}

test('a random state has id 0 and eight unit rows with small cosines between them', t => {
	const {stateId, timestamp, rows} = randomState(mulberry32(7), '2026-01-01T00:00:00.000Z');
	t.is(stateId, 0);
	t.is(timestamp, '2026-01-01T00:00:00.000Z');
	for (const [d, row] of rows.entries()) {
		t.true(Math.abs(norm(row) - 1) < 1e-6);
		for (const other of rows.slice(0, d)) {
			t.true(Math.abs(cosine(row, other)) < 0.2);
		}
	}
});

test('the same random numbers give the same random state', t => {
	const [a, b] = [1, 1].map(seed => randomState(mulberry32(seed), ''));
	t.deepEqual(a!.rows, b!.rows);
});
