/**
 * The kernels compared with other ways to do their work, in one run: `node benchmarks/kernel.ts [ROUNDS]`,
 * 41 rounds by default.
 *
 * Contestants, each in a separate process: our WebAssembly functions by themselves and through
 * their port, our TypeScript, a fused C program compiled for this machine (the limit), simsimd
 * with a call for each product, and NumPy with OpenBLAS and with the reference BLAS. First it asserts
 * that all compute the same, at the tolerances of `docs/spec/numerics.md#tolerances`. They take turns,
 * after longer turns as a warm-up; a time is the median of the rounds, a ratio the median of the
 * rounds' ratios.
 *
 * All cache what they know of unchanged rows. Through the port a cycle includes the cost of rows as
 * JavaScript values: the input is copied into WebAssembly's memory, the new row is copied out into
 * 4 KiB of new memory, and the outcome is returned in objects.
 *
 * Not measured: loading and compiling, the actor system around a cycle, more threads than one.
 */
import assert from 'node:assert/strict';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {worst} from '../test/golden/read.ts';
import {inC, inNode, inNumPy} from './peer/kernel/contestants.ts';
import type {Contestant, Missing, Results, Task} from './peer/kernel/lines.ts';
import {writeScene} from './peer/kernel/scene.ts';
import {figure, markdown, median} from './report.ts';

const rounds = Number(process.argv[2] ?? 41);

/** The turns of the warm-up are longer: V8 needs a few hundred runs and some time to compile the code. */
const warmUp = {turns: 8, longer: 40};

/** Nanoseconds of a turn: long compared with the clock's resolution and the overhead, but mostly uninterrupted on a busy machine. */
const turn = 1e6;

const titles: Record<Task, string> = {
	cycle: 'cycle: dissonance, fixation, apply, drift',
	rules: 'cycle with its rules',
	profile: 'profile: 128 directions on two states',
	nearest: 'nearest 10 of 10,000',
};

const names = {
	c: 'C, `-O3 -march=native`, fused',
	inPlace: 'WASM SIMD, its functions alone',
	wasm: 'WASM SIMD, through the port',
	js: 'TypeScript, through the port',
	simsimd: 'simsimd, a call per product',
	openBlas: 'NumPy, OpenBLAS',
	referenceBlas: 'NumPy, reference BLAS',
	plain: 'NumPy, OpenBLAS, as the formulas read',
};

const folder = await mkdtemp(path.join(tmpdir(), 'kernel-'));
const scene = path.join(folder, 'scene');
writeScene(scene);

const all: Array<Contestant | Missing> = [
	await inC(names.c, scene, folder),
	inNode(names.inPlace, 'wasm in place', scene),
	inNode(names.wasm, 'wasm', scene),
	inNode(names.js, 'js', scene),
	inNode(names.simsimd, 'simsimd', scene),
	await inNumPy(names.openBlas, 'OpenBLAS', scene),
	await inNumPy(names.referenceBlas, 'the reference BLAS', scene),
	await inNumPy(names.plain, 'OpenBLAS', scene, {plainly: true}),
];
const contestants = all.filter(one => 'time' in one);

/** Equal within the tolerances. Each of 100 cycles rounds thirdness, so it may differ by twice the tolerance of one. */
const assertSame = (name: string, a: Results, b: Results): void => {
	const near = (what: keyof Results, tolerance: number) => {
		if (a[what] !== undefined) {
			const difference = worst(a[what] as ArrayLike<number>, b[what] as ArrayLike<number>);
			assert.ok(difference <= tolerance, `${name}: ${what} differs by ${difference}`);
		}
	};

	near('thirdness', 2e-7);
	near('cosines', 2e-6);
	near('gaps', 2e-6);
	near('distances', 2e-6);
	near('profile', 2e-6);
	near('places', 0);
	near('near', 2e-6);
	assert.ok(Math.abs(a.drift / b.drift - 1) <= 1e-4, `${name}: drift differs`);
};

/** Nanoseconds per run of each contestant that does the task, round for round. */
const measure = async (task: Task): Promise<Map<string, number[]>> => {
	const able = contestants.filter(({tasks}) => tasks.includes(task));
	const times = new Map(able.map(({name}) => [name, [] as number[]]));
	const counts = new Map(able.map(({name}) => [name, 1]));
	for (let round = -warmUp.turns; round < rounds; round++) {
		for (const {name, time} of able) {
			const took = await time(task, counts.get(name)! * (round < 0 ? warmUp.longer : 1));
			if (round < 0) {
				counts.set(name, Math.ceil(turn / took));
			} else {
				times.get(name)!.push(took);
			}
		}
	}

	return times;
};

const duration = (nanoseconds: number): string => nanoseconds < 1e6 ? `${figure(nanoseconds / 1e3)} µs` : `${figure(nanoseconds / 1e6)} ms`;

const judged = (value: number | null, goal: number, most: boolean): string =>
	value === null ? '—' : `${figure(value)} (${(most ? value <= goal : value >= goal) ? 'met' : 'missed'})`;

const inverse = (value: number | null): number | null => value && 1 / value;

try {
	const js = contestants.find(({name}) => name === names.js)!;
	const expected = await js.results();
	for (const one of contestants) {
		assertSame(one.name, await one.results(), expected);
	}

	const measured = new Map<Task, Map<string, number[]>>();
	for (const task of Object.keys(titles) as Task[]) {
		measured.set(task, await measure(task));
	}

	/** The median over the rounds of a's times divided by b's. C has no rules, so a cycle with rules is compared with one without. */
	const ratio = (task: Task, a: string, b: string): number | null => {
		const [ofA, ofB] = [measured.get(task)!.get(a), measured.get(task === 'rules' ? 'cycle' : task)!.get(b)];
		return ofA && ofB ? median(ofA.map((took, round) => took / ofB[round]!)) : null;
	};

	const tasks = [...measured.keys()];
	console.log(markdown([
		['one thread', ...tasks.flatMap(task => [titles[task], '× C'])],
		...all.map(one => [one.name, ...'missing' in one
			? [`not measured: ${one.missing}`, ...Array.from({length: 2 * tasks.length - 1}, () => '—')]
			: tasks.flatMap(task => {
				const times = measured.get(task)!.get(one.name);
				const toC = ratio(task, one.name, names.c);
				return [times ? duration(median(times)) : '—', toC === null ? '—' : figure(toC)];
			})]),
	]));

	const atMost = (what: string, task: Task, goal: number, ...ours: string[]): string[] =>
		[what, `at most ${goal}`, ...ours.map(name => judged(ratio(task, name, names.c), goal, true))];

	const faster = (other: string, goal: number): string[] =>
		[`cycle: faster than ${other}`, `at least ${goal}`, ...[names.inPlace, names.wasm].map(name => judged(inverse(ratio('cycle', name, other)), goal, false))];

	console.log(`\n${markdown([
		['times', 'goal', 'functions alone', 'through the port'],
		atMost('cycle: WASM SIMD to C', 'cycle', 2.5, names.inPlace, names.wasm),
		faster(names.js, 8),
		faster(names.simsimd, 4),
		faster(names.openBlas, 30),
		faster(names.plain, 30),
		atMost('cycle: TypeScript to C', 'cycle', 30, '', names.js),
		atMost('profile: WASM SIMD to C', 'profile', 2.3, names.inPlace, names.wasm),
		atMost('nearest: WASM SIMD to C', 'nearest', 1.5, '', names.wasm),
	])}`);
} finally {
	for (const {close} of contestants) {
		close();
	}

	await rm(folder, {recursive: true});
}
