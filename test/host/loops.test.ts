/** Loops of more identities than maxLive: each runs its cycles when they are due, and blocks no other identity. */
import {setTimeout as nextTurn} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {SimulatedClock} from 'xstate';
import {createEmbeddedHost} from '../../src/host/embedded-host.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {Journal} from '../../src/journal/journal.ts';
import {createMemoryJournal} from '../../src/journal/memory-journal.ts';
import {noCheckpoint} from '../../src/journal/record-storage.ts';
import type {Journals} from '../../src/journal/sqlite/journals.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {FakeEncoder, mulberry32, settle, startIdentity} from '../actors/fixtures.ts';
import {often} from '../helpers/often.ts';
import {kernel} from './host-in.ts';

const initial = randomState(mulberry32(1), '2026-01-01T00:00:00.000Z');
const genesis = {initial, reference: initial, passport: new FakeEncoder().passport, isRandom: false};

const journalsInMemory = (): Journals => {
	const journals = new Map<string, Journal>();
	const close = async () => {};
	return {
		for: name => journals.get(name) ?? createMemoryJournal({genesis, current: initial, checkpoint: noCheckpoint}),
		has: name => journals.has(name),
		list: async () => [...journals.keys()],
		newest: () => null,
		count: async () => journals.size,
		async create(name) {
			journals.set(name, this.for(name));
		},
		async putAside(name) {
			journals.delete(name);
			return name;
		},
		backup: async file => ({file, [Symbol.asyncDispose]: close}),
		close,
		[Symbol.asyncDispose]: close,
	};
};

const cycleIntervalSeconds = 864;
const intervalMs = cycleIntervalSeconds * 1000;

/** A host with journals in memory and a simulated clock. */
const start = (t: ExecutionContext, maxLive: number) => {
	const clock = new SimulatedClock();
	const time = {now: () => Date.UTC(2026, 0, 1) + clock.now(), elapsed: () => clock.now()};
	const encoder = new FakeEncoder();
	const warnings: string[] = [];
	/** The times of each loop's cycles, in milliseconds; the first is that of its start. */
	const cycleTimes = new Map<string, number[]>();
	const live = new Set<LocalIdentity>();
	let mostLive = 0;
	let begun = 0;
	let opened = 0;
	const host = createEmbeddedHost({
		journals: journalsInMemory(),
		async open(name, journal) {
			begun++;
			const {identity} = await startIdentity({
				kernel, journal, encoder, clock, time, newId: () => crypto.randomUUID(),
				loop: {cycleIntervalSeconds, probRuminationFree: 0.5, probCorpus: 0.3, probUnresolved: 0.2},
			});
			opened++;
			mostLive = Math.max(mostLive, live.add(identity).size);
			identity.actor.subscribe({complete: () => live.delete(identity)});
			identity.actor.on('cycle.done', ({origin}) => origin === 'daemon' && cycleTimes.get(name)!.push(clock.now()));
			return identity;
		},
		maxLive, time, timers: clock, idleMs: 300_000, maxIdentities: 100_000,
		warn(warning) {
			warnings.push(warning);
		},
	});
	t.teardown(async () => host[Symbol.asyncDispose]());
	// The host checks at other times than those at which loops are due.
	clock.increment(370);
	const find = async (name: string): Promise<LocalIdentity> => (await host.place(name)).here;
	const createLoop = async (name: string): Promise<void> => {
		await host.create(name);
		await (await find(name)).daemon.start();
		cycleTimes.set(name, [clock.now()]);
	};

	const isBusy = () => begun > opened || [...live].some(({untilCycle}) => untilCycle() === 0);
	/** Lets seconds pass one by one, and completes the work of each, which takes no time by this clock. */
	const pass = async (seconds = 1): Promise<void> => {
		for (let second = 0; second < seconds; second++) {
			clock.increment(1000);
			await settle();
			const isDue = [...cycleTimes.values()].some(times => times.at(-1)! + intervalMs <= clock.now());
			for (let quiet = isDue ? 0 : 3; quiet < 3; quiet++) {
				const before = opened;
				await nextTurn();
				clock.increment(0);
				quiet = opened > before || isBusy() ? 0 : quiet;
			}
		}
	};

	return {host, find, createLoop, pass, clock, cycleTimes, encoder, warnings, most: () => mostLive};
};

test('more loops than maxLive run each cycle on time', async t => {
	const count = often(100, 10_000);
	const maxLive = Math.max(2, count / 100);
	const {createLoop, pass, cycleTimes, clock, warnings, most} = start(t, maxLive);
	for (let i = 0; i < count; i++) {
		// Due times are spread over the interval.
		while (clock.now() < i / count * intervalMs) {
			await pass();
		}

		await createLoop(`loop-${i}`);
	}

	await pass(2 * cycleIntervalSeconds + 2);
	const lateness = [...cycleTimes].flatMap(([name, times]) => {
		t.true(times.length >= 3, `${name} has ${times.length - 1} cycles`);
		return times.slice(1).map((each, i) => each - times[i]! - intervalMs);
	}).toSorted((a, b) => a - b);
	t.true(lateness[0]! >= 0, 'none is early');
	const p99 = lateness[Math.floor(lateness.length * 0.99)]!;
	t.log(`${lateness.length} cycles of ${count} loops, ${most()} in memory; p99 ${p99} ms late, the most ${lateness.at(-1)} ms`);
	t.true(p99 <= 2000);
	t.true(most() <= maxLive);
	t.deepEqual(warnings, []);
});

test('a running loop does not block another identity, and is not stopped by it', async t => {
	const {host, find, createLoop, pass, cycleTimes} = start(t, 1);
	await createLoop('ada');
	await pass(10);
	await host.create('ben');
	await t.notThrowsAsync(async () => (await find('ben')).cycle('I am here.'));
	t.true((await find('ada')).daemon.status().daemonRunning);
	t.is((await find('ada')).untilCycle(), intervalMs - 10_000, 'due when it was before');
	await find('ben');
	await pass(cycleIntervalSeconds);
	t.is(cycleTimes.get('ada')!.length, 2);
});

test('a loop that was stopped, or whose identity was put aside, is not resumed', async t => {
	const {host, find, createLoop, pass, cycleTimes} = start(t, 3);
	await createLoop('ada');
	await createLoop('ben');
	await pass(400);
	t.false((await host.list(null, 9)).some(({isLive}) => isLive), 'neither is in memory any more');
	await (await find('ada')).daemon.stop();
	await host.putAside('ben');
	await host.create('ben');
	await pass(cycleIntervalSeconds);
	t.deepEqual([...cycleTimes.values()].map(({length}) => length), [1, 1]);
});

test('a failed cycle is tried again an interval later', async t => {
	const {createLoop, pass, encoder} = start(t, 3);
	for (const text of ['r0', 'r1', 'c0', 'c1']) {
		encoder.fail(text, new Error('The model is away.'));
	}

	await createLoop('ada');
	await pass(cycleIntervalSeconds + 2);
	t.is(encoder.asked.length, 1);
	await pass(cycleIntervalSeconds);
	t.is(encoder.asked.length, 1, 'it is not tried again at once');
	await pass(10);
	t.is(encoder.asked.length, 2);
});
