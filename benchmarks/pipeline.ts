/**
 * One cycle through the actor system, and the kernel's share of it: `node benchmarks/pipeline.ts
 * [ROUNDS]`, 61 rounds of 320 cycles by default. The encoder answers at once, and there is no journal.
 *
 * In turn with it: the functions that a cycle calls (dissonance, fixation, move, drift), one after
 * another without any actor, and only their calls to the kernel. A figure is the median of the
 * rounds.
 *
 * Not measured: an embedding model, a journal, HTTP, an observer.
 */
import {createIdentity} from '../src/identity/create-identity.ts';
import {tuneV8} from '../src/commands/tune-v8.ts';
import type {Kernel} from '../src/kernel/kernel.ts';
import {selectKernel} from '../src/kernel/select.ts';
import {minimalAuthority} from '../src/semiosis/fixation.ts';
import {runCycle, type WorkingState} from '../src/semiosis/run-cycle.ts';
import {startVigilance} from '../src/semiosis/vigilance.ts';
import {readWorld, writeWorld} from './peer/service/world.ts';
import {figure, markdown, median, passingFolder} from './report.ts';

tuneV8();
const rounds = Number(process.argv[2] ?? 61);
const cyclesInARound = 320;
const warmUp = 20_000;
const wanted = 60;

const folder = passingFolder('pipeline');
writeWorld(folder);
const world = readWorld(folder);
const {encoder, initialState: initial} = world;
const text = (n: number): string => `Thought ${n % 64}: what is said is weighed like anything else.`;
const vectors = await Promise.all(Array.from({length: 64}, async (_, n) => encoder.embed(text(n))));

let asked = 0;
const running = createIdentity(world);
await running.ready();

/** Runs cycles for several callers, each of which sends its next text when its last cycle is done. */
const throughActors = async (callers: number, cycles: number): Promise<void> => {
	let left = cycles;
	await Promise.all(Array.from({length: callers}, async () => {
		while (left-- > 0) {
			await running.cycle({content: text(asked++)});
		}
	}));
};

/** The functions alone, on a kernel. */
const functionsOn = (kernel: Kernel) => {
	const rules = {kernel, authority: minimalAuthority, reference: initial};
	let working: WorkingState = {state: initial, vigilance: startVigilance(kernel, initial.rows, initial.rows)};
	return (cycles: number): void => {
		for (let n = 0; n < cycles; n++) {
			working = runCycle(rules, working, {vector: vectors[asked++ % vectors.length]!}, '2026-01-01T00:00:00.000Z');
		}
	};
};

/** The kernel alone: the same calls, with a pull that is always the same. */
const callsOf = (kernel: Kernel) => {
	let {rows} = initial;
	return (cycles: number): void => {
		for (let n = 0; n < cycles; n++) {
			const vector = vectors[asked++ % vectors.length]!;
			kernel.compare(rows, vector);
			const before = rows;
			rows = rows.with(2, kernel.move(rows, vector, {secondness: 0.0225, thirdness: 0.0125, valeurs: 0}, 0.001).thirdness);
			kernel.drift(rows, initial.rows, before);
		}
	};
};

const contestants: Record<string, (cycles: number) => void | Promise<void>> = {
	'through the actor system, 16 at once': async cycles => throughActors(16, cycles),
	'through the actor system, one after another': async cycles => throughActors(1, cycles),
	'the functions it calls': functionsOn(selectKernel()),
	'of which the kernel': callsOf(selectKernel()),
};

const times = new Map<string, number[]>();
for (const run of Object.values(contestants)) {
	await run(warmUp);
}

for (let round = 0; round < rounds; round++) {
	for (const [name, run] of Object.entries(contestants)) {
		const began = performance.now();
		await run(cyclesInARound);
		times.set(name, [...times.get(name) ?? [], (performance.now() - began) / cyclesInARound * 1000]);
	}
}

await running.dispose();

const whole = times.get('through the actor system, 16 at once')!;
console.log(markdown([
	['a cycle', 'µs', 'fastest round µs', 'share of a cycle', `under ${wanted} µs`],
	...[...times].map(([name, of]) => [
		name,
		figure(median(of)),
		figure(Math.min(...of)),
		`${figure(100 * median(of.map((time, round) => time / whole[round]!)))} %`,
		name.startsWith('through') ? median(of) < wanted ? 'met' : 'missed' : '',
	]),
]));
