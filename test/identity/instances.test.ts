/** Identities in one program are independent: they share no state, do not read the environment, and leave nothing behind. */
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
import type {Kind} from '../helpers/one-identity.ts';
import {begin, digestOf, encoderOf, handClock, letThink, numbersFrom} from '../runtimes/journey.ts';

/** What identities of one program may share. */
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
		/** Runs a cycle, cycles of the daemon, or a reset: the number of the step decides. */
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
		/** All that can be observed: the state, bit for bit, and the views. */
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

/** The outcomes of each variant, by the number of steps, when it runs alone. */
const alone: unknown[][] = [];

test.before('run each variant alone', async () => {
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

/** Which identities step concurrently in each round, and before which round each is disposed of, if at all. */
const histories = fc.record({
	rounds: fc.array(fc.subarray([...variants.keys()], {minLength: 1}), {minLength: 1, maxLength: longest}),
	ends: fc.tuple(...variants.map(() => fc.option(fc.nat({max: longest})))),
});

test('concurrent identities do not affect each other: each gives the same bits as alone', async t => {
	await fc.assert(fc.asyncProperty(histories, async ({rounds, ends}) => inFolder(async common => {
		const identities = await Promise.all(variants.map(async variant => start(variant, common)));
		for (const [round, stepping] of rounds.entries()) {
			await Promise.all(identities.map(async ({identity, step}, index) => {
				const end = ends[index] ?? Infinity;
				if (round === end) {
					await identity.dispose();
				} else if (round < end && stepping.includes(index)) {
					await step();
				}
			}));
		}

		for (const [index, {identity, outcome, steps}] of identities.entries()) {
			if (ends[index] === null || ends[index]! >= rounds.length) {
				t.deepEqual(await outcome(), alone[index]![steps()]);
				await identity.dispose();
			}

			await t.throwsAsync(identity.cycle({content: 'Is anybody there?'}), {name: 'UnavailableError'});
		}
	})), {numRuns: often(4, 12)});
});

const kinds: Record<Kind, string> = {
	own: 'an identity in memory with its own encoder',
	bundled: 'an identity without options, with the bundled model',
	journal: 'an identity with a SQLite journal',
	http: 'an identity behind HTTP',
};

/** Koa and its dependencies read the environment, when they load and when they print. */
const environmentReaders: Partial<Record<Kind, string>> = {http: 'koa,debug,depd,supports-color'};

for (const [kind, what] of Object.entries(kinds) as Array<[Kind, string]>) {
	test(`${what} reads no environment, leaves no listener, global or handle, and lets the program end`, async t => {
		await inFolder(async ({folder}) => {
			const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
			// Rejects if the program fails or does not end.
			const {stdout, stderr} = await promisify(execFile)(process.execPath, [
				`--import=${new URL('../helpers/no-environment.ts', import.meta.url).href}`,
				file('../helpers/one-identity.ts'),
				kind,
				folder,
				environmentReaders[kind] ?? '',
			], {timeout: 600_000});
			t.notRegex(stderr, /environment/);
			const {before, during, after} = JSON.parse(stdout);
			// While threads run, Node listens on the program's streams to print their output.
			t.deepEqual(during.listeners.identity, before.listeners.identity);
			t.deepEqual(during.globals, before.globals);
			t.deepEqual(after, before);
		});
	});
}
