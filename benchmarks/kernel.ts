/**
 * The WebAssembly kernel beside the TypeScript one, interleaved in one process after a warm-up,
 * medians. Their results are asserted equal within the tolerances first.
 *
 * Both kernels' cycles contain the allocation of the new row, which its caller owns: most of a
 * microsecond of V8's time for 4 KiB.
 *
 * Not measured: loading and compiling, the actor system around a cycle, memory.
 */
import assert from 'node:assert/strict';
import {selectKernel} from '../src/kernel/select.ts';
import type {DirectionMatrix, Kernel} from '../src/kernel/kernel.ts';
import {measureDissonance} from '../src/semiosis/dissonance.ts';
import {applyFixation, fixate} from '../src/semiosis/fixation.ts';
import {checkDrift, startVigilance} from '../src/semiosis/vigilance.ts';
import {randomState} from '../src/semiosis/initial-state.ts';
import {indexOf} from '../src/tensor/dimensions.ts';
import {mulberry32} from '../test/actors/fixtures.ts';
import {worst} from '../test/golden/read.ts';

const random = mulberry32(1);
const start = randomState(random, '');
const reference = randomState(random, '');
const inputs = Array.from({length: 64}, () => randomState(random, '').rows[0]!);
const directions: DirectionMatrix = {
	rows: Uint8Array.from({length: 128}, (_, i) => i % 8),
	vectors: Array.from({length: 128}, () => randomState(random, '').rows[0]!),
};

const cycles = (kernel: Kernel, count: number) => {
	let state = start;
	let vigilance = startVigilance(kernel, state.rows, reference.rows);
	for (let i = 0; i < count; i++) {
		const e = inputs[i % inputs.length]!;
		const {comparison} = measureDissonance(kernel, state.rows, e);
		({state} = applyFixation(kernel, state, e, fixate(kernel, e, comparison), ''));
		vigilance = checkDrift(kernel, vigilance, state.rows, reference.rows);
	}

	return {state, drift: vigilance.report.cumulativeDrift};
};

/** What the kernel alone has to do for a cycle, with the pull of an input that no method favours. */
const kernelCycles = (kernel: Kernel, count: number) => {
	let {rows} = start;
	for (let i = 0; i < count; i++) {
		const e = inputs[i % inputs.length]!;
		kernel.compare(rows, e);
		const {thirdness} = kernel.move(rows, e, {secondness: 0.0225, thirdness: 0.0125, valeurs: 0}, 0.001);
		const next = rows.with(indexOf('thirdness'), thirdness);
		kernel.drift(next, reference.rows, rows);
		rows = next;
	}

	return rows;
};

const profiles = (kernel: Kernel, count: number) => {
	let sum = 0;
	for (let i = 0; i < count; i++) {
		sum += kernel.project(start.rows, directions)[i % 128]! + kernel.project(reference.rows, directions)[i % 128]!;
	}

	return sum;
};

const contestants = {wasm: selectKernel('wasm'), js: selectKernel('js')};
const [a, b] = [cycles(contestants.wasm, 100), cycles(contestants.js, 100)];
assert.ok(worst(a.state.row('thirdness'), b.state.row('thirdness')) <= 1e-7);
assert.ok(Math.abs(a.drift / b.drift - 1) <= 1e-4);
assert.ok(Math.abs(profiles(contestants.wasm, 3) - profiles(contestants.js, 3)) <= 1e-5);

const median = (values: number[]): number => values.toSorted((x, y) => x - y)[values.length >> 1]!;

/** Nanoseconds per run of each contestant, the rounds of both taking turns. */
const compare = (run: (kernel: Kernel, count: number) => unknown, count: number, rounds = 31) => {
	const times: Record<keyof typeof contestants, number[]> = {wasm: [], js: []};
	for (let round = -5; round < rounds; round++) {
		for (const name of ['wasm', 'js'] as const) {
			const began = process.hrtime.bigint();
			run(contestants[name], count);
			const nanoseconds = Number(process.hrtime.bigint() - began) / count;
			// The first rounds warm up what V8 compiles.
			if (round >= 0) {
				times[name].push(nanoseconds);
			}
		}
	}

	return {wasm: median(times.wasm), js: median(times.js)};
};

console.log('| what | wasm | js | js / wasm |\n|---|---|---|---|');
for (const [what, {wasm, js}] of Object.entries({
	'the kernel\'s part of a cycle: compare, move, drift': compare(kernelCycles, 500),
	'cycle with its rules: dissonance, fixation, applying, drift': compare(cycles, 500),
	'profile: 128 directions on two tensors': compare(profiles, 100),
})) {
	console.log(`| ${what} | ${(wasm / 1000).toFixed(2)} µs | ${(js / 1000).toFixed(2)} µs | ${(js / wasm).toFixed(1)} |`);
}
