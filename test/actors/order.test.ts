/** The law of order: requests are applied in the order of their acceptance, whatever the latency of their embeddings. */
import {isDeepStrictEqual} from 'node:util';
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {SimulatedClock} from 'xstate';
import {defaultLoop} from '../../src/actors/loop.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {FakeJournal} from './fake-journal.ts';
import {FakeEncoder, settle, startIdentity} from './fixtures.ts';

type Request =
	| {kind: 'cycle'; trigger: string; fails: boolean}
	| {kind: 'reset'}
	/** The daemon's loop asks for its cycle. */
	| {kind: 'loop'};

const briskLoop = {...defaultLoop, cycleIntervalSeconds: 1};

const themes = {rumination: ['r0', 'r1'], corpus: ['c0', 'c1']};

/** A process whose wall clock stands still, so that all timestamps are equal. */
const begin = async ({isKept}: {isKept: boolean}) => {
	const journal = new FakeJournal();
	const clock = new SimulatedClock();
	const encoder = new FakeEncoder();
	const {identity} = await startIdentity({
		journal: isKept ? journal : null,
		clock,
		loop: briskLoop,
		time: {now: () => Date.UTC(2026, 0, 1), elapsed: () => 0},
		themes,
		encoder: async () => encoder,
		corroborate: async vector => [vector.toReversed()],
	});
	identity.daemon.start();
	await settle();
	const outcomes: Array<Promise<unknown>> = [];
	const ask = (request: Request, place: number): void => {
		switch (request.kind) {
			case 'cycle': {
				const content = `text ${place}`;
				if (request.fails) {
					encoder.fail(content, new Error(`no vector for ${content}`));
				}

				outcomes.push(identity.cycle({content, trigger: request.trigger}));
				break;
			}

			case 'reset': {
				outcomes.push(identity.reset());
				break;
			}

			case 'loop': {
				clock.increment(1000);
				break;
			}
		}
	};

	const end = async () => {
		const settled = await Promise.allSettled(outcomes);
		await settle();
		const {state, vigilance} = identity.actor.getSnapshot().context;
		// Left out: a cycle of the loop sets the last trigger in its turn, not when it is accepted.
		const {lastTrigger: _, ...counted} = identity.daemon.status();
		return {
			outcomes: settled.map(outcome => outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message),
			rows: dimensions.map(dimension => new Uint8Array(state!.row(dimension).buffer)),
			stateId: state!.stateId,
			drift: vigilance!.report,
			counted,
			metrics: identity.metrics(),
			records: journal.records,
		};
	};

	return {encoder, journal, ask, end};
};

/** Each request is done before the next is accepted. */
const oneAfterAnother = async (requests: readonly Request[], kept: {isKept: boolean}) => {
	const {ask, end} = await begin(kept);
	for (const [place, request] of requests.entries()) {
		ask(request, place);
		await settle();
	}

	return end();
};

/** All requests are accepted at once, or with pauses between them; embeddings end in any order. */
const atOnce = async (
	requests: readonly Request[],
	kept: {isKept: boolean},
	{pauses, latencies, isGrouped}: {pauses: ReadonlySet<number>; latencies: readonly number[]; isGrouped: boolean},
) => {
	const {encoder, journal, ask, end} = await begin(kept);
	if (isGrouped) {
		journal.hold();
	}

	const contents = [
		...requests.flatMap(({kind}, place) => kind === 'cycle' ? [`text ${place}`] : []),
		...themes.rumination,
		...themes.corpus,
	];
	const held = contents.map((content, place) => ({latency: latencies[place % latencies.length]!, ...encoder.hold(content)}));
	for (const [place, request] of requests.entries()) {
		ask(request, place);
		if (pauses.has(place)) {
			await settle();
		}
	}

	let ended = 0;
	for (const {resolve} of held.toSorted((one, other) => one.latency - other.latency)) {
		resolve();
		if (pauses.has(ended++)) {
			await settle();
		}
	}

	await settle();
	journal.release();
	return end();
};

const requests = fc.tuple(
	fc.array(fc.oneof(
		{
			weight: 5,
			arbitrary: fc.record({kind: fc.constant('cycle' as const), trigger: fc.constantFrom('user', 'veille', 'dream'), fails: fc.boolean()}),
		},
		{weight: 1, arbitrary: fc.constant({kind: 'reset' as const})},
	), {maxLength: 10}),
	fc.option(fc.nat(10)),
).map(([asked, loop]): readonly Request[] => loop === null ? asked : (asked as Request[]).toSpliced(loop, 0, {kind: 'loop'}));

const timing = fc.record({
	pauses: fc.uniqueArray(fc.nat(15)).map(places => new Set(places)),
	/** Whether all records become durable at the same moment. */
	isGrouped: fc.boolean(),
	latencies: fc.array(fc.nat(1000), {minLength: 1, maxLength: 15}),
});

for (const isKept of [true, false]) {
	test(`${isKept ? 'with' : 'without'} a journal, the same requests give the same bits, records and answers, however long `
		+ 'each embedding takes', async t => {
		await fc.assert(fc.asyncProperty(requests, timing, async (asked, times) => {
			const [actual, expected] = [await atOnce(asked, {isKept}, times), await oneAfterAnother(asked, {isKept})];
			// AVA compares megabytes slowly, so it is used only to show a difference.
			if (!isDeepStrictEqual(actual, expected)) {
				t.deepEqual(actual, expected);
			}
		}), {numRuns: often(15, 60)});
		t.pass();
	});
}
