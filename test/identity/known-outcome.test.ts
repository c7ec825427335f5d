/** A journal that fails during a write: before the request fails, the identity finds out whether the record was written. */
import test, {type ExecutionContext} from 'ava';
import {SimulatedClock, waitFor} from 'xstate';
import {JournalError, UnavailableError, UnknownOutcomeError} from '../../src/platform/errors.ts';
import {withCache} from '../../src/embedding/cache.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {IdentityOptions} from '../../src/identity/options.ts';
import {createInspection} from '../../src/observe/inspection.ts';
import {recordedTypes} from '../../src/observe/missed-events.ts';
import type {CycleRecord, JournalRecord, RevisionRecord, Rewriting} from '../../src/journal/journal.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, settle, startIdentity} from '../actors/fixtures.ts';

/** Fails at the next record, before or after its commit. */
class FailingJournal extends FakeJournal {
	failsAt: 'before' | 'after' | null = null;

	override async append(record: JournalRecord): Promise<void> {
		const place = this.failsAt;
		this.failsAt = null;
		if (place !== 'before') {
			await super.append(record);
		}

		if (place !== null) {
			throw new UnknownOutcomeError('the connection broke');
		}
	}

	/** A failure before the commit has a known outcome. */
	override async rewrite(record: RevisionRecord, rewriting: Rewriting): Promise<void> {
		const place = this.failsAt;
		this.failsAt = null;
		if (place === 'before') {
			throw new JournalError('the disk is full');
		}

		await super.rewrite(record, rewriting);
		if (place === 'after') {
			throw new UnknownOutcomeError('the connection broke');
		}
	}
}

const start = async (t: ExecutionContext, options: Partial<IdentityOptions> = {}) => {
	const journal = new FailingJournal();
	const {identity, clock} = await startIdentity({journal, ...options});
	t.teardown(() => identity.dispose());
	/** Waits for the pause after the failure, and advances the clock past it. */
	const reopen = async (): Promise<void> => {
		await waitFor(identity.actor, snapshot => snapshot.matches({ready: {halted: 'pausing'}}));
		clock.increment(5000);
		await settle();
	};

	return {journal, identity, reopen};
};

test('no timer is left when a request in doubt was answered', async t => {
	const simulated = new SimulatedClock();
	const timers = new Set<unknown>();
	const clock = {
		setTimeout(callback: (...given: unknown[]) => void, ms: number) {
			const timer = simulated.setTimeout(() => {
				timers.delete(timer);
				callback();
			}, ms);
			timers.add(timer);
			return timer;
		},
		clearTimeout(timer: number) {
			timers.delete(timer);
			simulated.clearTimeout(timer);
		},
	};
	const journal = new FailingJournal();
	const {identity} = await startIdentity({journal, clock});
	journal.failsAt = 'after';
	const answer = identity.cycle('The sea is loud.');
	await waitFor(identity.actor, snapshot => snapshot.matches({ready: {halted: 'pausing'}}));
	simulated.increment(5000);
	await answer;
	await identity.dispose();
	t.is(timers.size, 0);
});

test('a cycle whose record was written is answered with the values of the record', async t => {
	const {journal, identity, reopen} = await start(t);
	await identity.cycle('The sea is quiet.');
	journal.failsAt = 'after';
	const answer = identity.cycle({content: 'The sea is loud.', id: 'second'});
	await reopen();
	t.like(await answer, {id: 'second', stateId: 2});
	t.is(identity.state().stateId, 2);
	t.is(journal.records.length, 2);
	const {isReplayed, processingTimeMs: _, ...again} = await identity.cycle({content: 'The sea is loud.', id: 'second'});
	t.true(isReplayed);
	t.like(await answer, again);
});

test('records found when the journal reopens are published in order, each with its own number', async t => {
	const {journal, identity, reopen} = await start(t);
	const inspection = createInspection({actor: identity.actor, run: 'run'});
	const seen: string[] = [];
	const types = new Set(['cycle.done', 'journal.recovered']);
	inspection.watch({types, contents: false, history: false, after: null}, ({id, type}) => {
		seen.push(`${type} ${id.replace(/-\d+$/, '')}`);
	});
	await identity.cycle('The sea is quiet.');
	journal.failsAt = 'after';
	const answer = identity.cycle('The sea is loud.');
	await settle();
	await journal.append({...journal.records[1] as CycleRecord, id: 'of another writer'});
	await reopen();
	t.like(await answer, {stateId: 2});
	t.deepEqual(seen, ['cycle.done 1.run', 'cycle.done 2.run', 'cycle.done 3.run', 'journal.recovered 3.run']);
	inspection.close();
});

/** Calls that write records, in an order in which all succeed. */
const calls: ReadonlyArray<(identity: LocalIdentity) => Promise<unknown>> = [
	async identity => identity.cycle({content: 'a', source: 'ada', id: 'a'}),
	async identity => identity.cycle({content: 'b', source: 'viktor', id: 'b'}),
	async identity => identity.revise({without: {sources: ['viktor']}, hold: true, note: 'It was not him.'}),
	...['c', 'd', 'e'].map(id => async (identity: LocalIdentity) => identity.cycle({content: id, source: 'viktor', id})),
	async identity => identity.releaseHeld({ids: ['c', 'd']}),
	async identity => identity.dropHeld({ids: ['e']}),
	async identity => identity.forget({ids: ['b'], note: 'He asked for it.'}),
	async identity => identity.reset(),
];

/** The sorted events after each call, and the final state. */
const runCalls = async (t: ExecutionContext, isBroken: boolean) => {
	const {journal, identity, reopen} = await start(t);
	const inspection = createInspection({actor: identity.actor, run: 'run'});
	let seen: string[] = [];
	inspection.watch({types: new Set(recordedTypes), contents: false, history: false, after: null}, ({type, json}) => {
		const {id, state_id: stateId, level, texts, delta_magnitude: delta} = JSON.parse(json) as Record<string, unknown>;
		seen.push(JSON.stringify({type, id, stateId, level, texts, delta}));
	});
	const events: string[][] = [];
	for (const call of calls) {
		seen = [];
		journal.failsAt = isBroken ? 'after' : null;
		// The answer of a revision cannot be given again, so its call fails.
		const ended = isBroken ? call(identity).catch((error: unknown) => t.true(error instanceof UnavailableError)) : call(identity);
		await (isBroken ? reopen() : ended);
		await ended;
		await settle();
		events.push(seen.toSorted());
	}

	inspection.close();
	t.is(journal.records.length, calls.length + 2);
	return {events, state: identity.state()};
};

test('every record whose answer was lost is published with the same events', async t => {
	const {events, state} = await runCalls(t, false);
	const broken = await runCalls(t, true);
	t.deepEqual(broken.events, events);
	t.like(broken.state, {stateId: state.stateId});
	t.deepEqual(events.map(({length}) => length), [1, 1, 1, 1, 1, 1, 3, 1, 1, 1]);
});

test('a forgetting whose record was written removes the vectors of its texts from the cache, although it fails', async t => {
	const encoder = new FakeEncoder();
	const {journal, identity, reopen} = await start(t, {encoder: async () => withCache(encoder, 10)});
	await identity.cycle({content: 'Trust nobody.', source: 'viktor'});
	await identity.dryRun('Trust nobody.');
	t.deepEqual(encoder.asked, ['Trust nobody.'], 'the vector is in the cache');
	journal.failsAt = 'after';
	const failed = t.throwsAsync(identity.forget({sources: ['viktor'], note: 'He asked for it.'}), {instanceOf: UnavailableError});
	await reopen();
	await failed;
	await identity.dryRun('Trust nobody.');
	t.is(encoder.asked.length, 2);
});

for (const [place, isKept] of [['before', false], ['after', true]] as const) {
	test(`a journal failure ${place} the commit of a forgetting ${isKept ? 'keeps' : 'removes'} its receipt`, async t => {
		let receipts = 0;
		const {journal, identity, reopen} = await start(t, {
			async forgetElsewhere() {
				receipts++;
				return {removed: [], unreached: [], removeKept: async () => void receipts--};
			},
		});
		await identity.cycle({content: 'Trust nobody.', source: 'viktor'});
		journal.failsAt = place;
		const failed = t.throwsAsync(identity.forget({sources: ['viktor'], note: 'He asked for it.'}));
		await reopen();
		await failed;
		t.is(receipts, Number(isKept));
	});
}

test('a reset whose record was written is answered as done', async t => {
	const {journal, identity, reopen} = await start(t);
	await identity.cycle('The sea is quiet.');
	journal.failsAt = 'after';
	const answer = identity.reset();
	await reopen();
	t.deepEqual(await answer, {stateId: 0});
	t.is(identity.state().stateId, 0);
});

test('a cycle whose record was not written fails, and its id can be used again', async t => {
	const {journal, identity, reopen} = await start(t);
	journal.failsAt = 'before';
	const answer = identity.cycle({content: 'The sea is loud.', id: 'first'});
	const failed = t.throwsAsync(answer, {instanceOf: JournalError, code: 'journal', message: /before it had this.*try again/});
	await reopen();
	await failed;
	t.is(identity.state().stateId, 0);
	t.like(await identity.cycle({content: 'The sea is loud.', id: 'first'}), {id: 'first', stateId: 1});
});

test('a reset with an unknown outcome fails when the identity stops, and is not retryable', async t => {
	const {journal, identity} = await start(t);
	journal.failsAt = 'after';
	const failed = t.throwsAsync(identity.reset(), {
		instanceOf: UnknownOutcomeError, message: /check them before you repeat it/,
	});
	await settle();
	await identity.dispose();
	t.false((await failed)!.retryable);
});

test('a cycle with an unknown outcome says so when the identity stops', async t => {
	const {journal, identity} = await start(t);
	journal.failsAt = 'after';
	const answer = identity.cycle({content: 'The sea is loud.', id: 'first'});
	await settle();
	const failed = t.throwsAsync(answer, {
		instanceOf: UnknownOutcomeError, code: 'outcome_unknown', message: /“first” as its Idempotency-Key/,
	});
	await identity.dispose();
	await failed;
});
