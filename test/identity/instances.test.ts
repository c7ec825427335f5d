/** Many processes side by side in one program share nothing but code: no state, no environment, and nothing is left of one that is gone. */
import {execFile} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import type {IdentityOptions} from 'processual-state';
import {createSqliteJournal} from 'processual-state/journal';
import {selectKernel} from 'processual-state/kernel';
import type {Life} from '../helpers/one-life.ts';
import {begin, digestOf, encoderOf, handClock, letThink, numbersFrom} from '../runtimes/journey.ts';

/** What the processes of one program may be given in common. */
type Common = {folder: string; kernel: IdentityOptions['kernel']};

const variants: Array<(common: Common) => IdentityOptions> = [
	() => ({kernel: selectKernel('wasm')}),
	() => ({kernel: selectKernel('js'), random: numbersFrom(20)}),
	() => ({kernel: selectKernel('js'), encoder: async () => encoderOf('other letters')}),
	({folder}) => ({
		kernel: selectKernel('wasm'),
		journal: createSqliteJournal({folder: path.join(folder, 'one')}),
		time: {now: () => Date.UTC(2020, 1, 1), elapsed: () => 1000},
	}),
	({folder}) => ({
		kernel: selectKernel('js'),
		journal: createSqliteJournal({folder: path.join(folder, 'two')}),
		encoder: async () => encoderOf('third letters'),
		maxPendingCycles: 2,
	}),
	({kernel}) => ({kernel: kernel!, encoder: async () => encoderOf('letters in common')}),
	({kernel}) => ({kernel: kernel!, directions: async () => [], calibrate: false}),
];

const start = async (variant: (typeof variants)[number], common: Common) => {
	const clock = handClock();
	const identity = begin({...variant(common), clock});
	await identity.ready();
	let steps = 0;
	return {
		identity,
		/** Cycles, sometimes the daemon's, and now and then a reset: which one depends on the number of the step alone. */
		async step(): Promise<void> {
			steps++;
			if (steps % 7 === 0) {
				await identity.reset();
			} else if (steps % 3 === 0) {
				await letThink(identity, clock, 2);
			} else {
				await identity.cycle({content: `Thought ${steps}.`});
			}
		},
		steps: () => steps,
		/** All that can be seen of it: the state to the last bit, and the views. */
		async outcome(): Promise<unknown> {
			const profile = identity.readiness().ready && variant !== variants.at(-1) ? identity.profile() : null;
			return {
				state: await digestOf(identity),
				profile,
				daemon: identity.daemon.status(),
				vigilance: identity.vigilance(),
				metrics: identity.metrics(),
			};
		},
	};
};

const inFolder = async <Result>(work: (common: Common) => Promise<Result>): Promise<Result> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'processual-instances-'));
	try {
		return await work({folder, kernel: selectKernel('wasm')});
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

const longest = 10;

/** What each variant tells after each number of steps, with no other process beside it. */
const alone: unknown[][] = [];

test.before('each lives alone', async () => {
	for (const variant of variants) {
		alone.push(await inFolder(async common => {
			const one = await start(variant, common);
			const outcomes = [await one.outcome()];
			while (outcomes.length <= longest) {
				await one.step();
				outcomes.push(await one.outcome());
			}

			await one.identity.dispose();
			return outcomes;
		}));
	}
});

/** Who takes a step at the same time, again and again; and before which of these each is disposed of, if it is. */
const histories = fc.record({
	rounds: fc.array(fc.subarray([...variants.keys()], {minLength: 1}), {minLength: 1, maxLength: longest}),
	ends: fc.tuple(...variants.map(() => fc.option(fc.nat({max: longest})))),
});

test('identities side by side do not disturb each other: each gives the bits that it gives alone', async t => {
	await fc.assert(fc.asyncProperty(histories, async ({rounds, ends}) => inFolder(async common => {
		const lives = await Promise.all(variants.map(async variant => start(variant, common)));
		for (const [round, who] of rounds.entries()) {
			await Promise.all(lives.map(async ({identity, step}, index) => {
				const end = ends[index] ?? Infinity;
				if (round === end) {
					await identity.dispose();
				} else if (round < end && who.includes(index)) {
					await step();
				}
			}));
		}

		for (const [index, {identity, outcome, steps}] of lives.entries()) {
			if (ends[index] === null || ends[index]! >= rounds.length) {
				t.deepEqual(await outcome(), alone[index]![steps()]);
				await identity.dispose();
			}

			await t.throwsAsync(identity.cycle({content: 'Is anybody there?'}), {name: 'UnavailableError'});
		}
	})), {numRuns: often(4, 12)});
});

const lives: Record<Life, string> = {
	own: 'a process in memory with an encoder of its own',
	bundled: 'a process without options, with the bundled model',
	journal: 'a process with a journal in SQLite',
	http: 'a process behind HTTP',
};

/** Koa and packages under it look into the environment, when they are loaded and for what they print. */
const packagesThatLook: Partial<Record<Life, string>> = {http: 'koa,debug,depd,supports-color'};

for (const [life, what] of Object.entries(lives) as Array<[Life, string]>) {
	test(`${what} reads no environment, leaves no listener, global or handle, and lets the program end`, async t => {
		await inFolder(async ({folder}) => {
			const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
			// It rejects for a program that fails, or does not end.
			const {stdout, stderr} = await promisify(execFile)(process.execPath, [
				`--import=${new URL('../helpers/no-environment.ts', import.meta.url).href}`,
				file('../helpers/one-life.ts'),
				life,
				folder,
				packagesThatLook[life] ?? '',
			], {timeout: 600_000});
			t.notRegex(stderr, /environment/);
			const {before, during, after} = JSON.parse(stdout);
			// What threads print goes through the program's own streams while they live: there Node listens.
			t.deepEqual(during.listeners.identity, before.listeners.identity);
			t.deepEqual(during.globals, before.globals);
			t.deepEqual(after, before);
		});
	});
}
