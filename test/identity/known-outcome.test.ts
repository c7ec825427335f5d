/** A journal that broke while it took a record: whether the record is there is found out before a request is called failed. */
import test, {type ExecutionContext} from 'ava';
import {waitFor} from 'xstate';
import {JournalError, UnavailableError, UnknownOutcomeError} from '../../src/platform/errors.ts';
import {withCache} from '../../src/embedding/cache.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {IdentityOptions} from '../../src/identity/options.ts';
import {createInspection} from '../../src/observe/inspection.ts';
import {recordedTypes} from '../../src/observe/missed-events.ts';
import type {CycleRecord, JournalRecord, RevisionRecord, Rewriting} from '../../src/journal/journal.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, settle, startIdentity} from '../actors/fixtures.ts';

/** Breaks at the next record, before or behind its commit. */
class BreakingJournal extends FakeJournal {
	breaksAt: 'before' | 'behind' | null = null;

	override async append(record: JournalRecord): Promise<void> {
		const place = this.breaksAt;
		this.breaksAt = null;
		if (place !== 'before') {
			await super.append(record);
		}

		if (place !== null) {
			throw new UnknownOutcomeError('the connection broke');
		}
	}

	/** Before its commit it refuses. */
	override async rewrite(record: RevisionRecord, rewriting: Rewriting): Promise<void> {
		const place = this.breaksAt;
		this.breaksAt = null;
		if (place === 'before') {
			throw new JournalError('the disk is full');
		}

		await super.rewrite(record, rewriting);
		if (place === 'behind') {
			throw new UnknownOutcomeError('the connection broke');
		}
	}
}

const start = async (t: ExecutionContext, options: Partial<IdentityOptions> = {}) => {
	const journal = new BreakingJournal();
	const {identity, clock} = await startIdentity({journal, ...options});
	t.teardown(() => identity.dispose());
	/** Behind every pause before the journal is tried again. */
	const reopen = async (): Promise<void> => {
		await waitFor(identity.actor, snapshot => snapshot.matches({ready: {halted: 'pausing'}}));
		clock.increment(5000);
		await settle();
	};

	return {journal, identity, reopen};
};

test('a cycle whose record is there is answered as done, with what the record says', async t => {
	const {journal, identity, reopen} = await start(t);
	await identity.cycle('The sea is quiet.');
	journal.breaksAt = 'behind';
	const answer = identity.cycle({content: 'The sea is loud.', id: 'second'});
	await reopen();
	t.like(await answer, {id: 'second', stateId: 2});
	t.is(identity.state().stateId, 2);
	t.is(journal.records.length, 2);
	const {isReplayed, processingTimeMs: _, ...again} = await identity.cycle({content: 'The sea is loud.', id: 'second'});
	t.true(isReplayed);
	t.like(await answer, again);
});

test('what the journal has taken is published when it is open again, in its order and each under its own number', async t => {
	const {journal, identity, reopen} = await start(t);
	const inspection = createInspection({actor: identity.actor, run: 'run'});
	const seen: string[] = [];
	const types = new Set(['cycle.done', 'journal.recovered']);
	inspection.watch({types, contents: false, history: false, after: null}, ({id, type}) => {
		seen.push(`${type} ${id.replace(/-\d+$/, '')}`);
	});
	await identity.cycle('The sea is quiet.');
	journal.breaksAt = 'behind';
	const answer = identity.cycle('The sea is loud.');
	await settle();
	await journal.append({...journal.records[1] as CycleRecord, id: 'of another writer'});
	await reopen();
	t.like(await answer, {stateId: 2});
	t.deepEqual(seen, ['cycle.done 1.run', 'cycle.done 2.run', 'cycle.done 3.run', 'journal.recovered 3.run']);
	inspection.close();
});

/** What makes records, in an order that each can have. */
const acts: ReadonlyArray<(identity: LocalIdentity) => Promise<unknown>> = [
	async identity => identity.cycle({content: 'a', source: 'ada', id: 'a'}),
	async identity => identity.cycle({content: 'b', source: 'viktor', id: 'b'}),
	async identity => identity.revise({without: {sources: ['viktor']}, hold: true, note: 'It was not him.'}),
	...['c', 'd', 'e'].map(id => async (identity: LocalIdentity) => identity.cycle({content: id, source: 'viktor', id})),
	async identity => identity.releaseHeld({ids: ['c', 'd']}),
	async identity => identity.dropHeld({ids: ['e']}),
	async identity => identity.forget({ids: ['b'], note: 'He asked for it.'}),
	async identity => identity.reset(),
];

/** The events of records that each act is followed by, sorted, and the state behind all. */
const live = async (t: ExecutionContext, isBroken: boolean) => {
	const {journal, identity, reopen} = await start(t);
	const inspection = createInspection({actor: identity.actor, run: 'run'});
	let seen: string[] = [];
	inspection.watch({types: new Set(recordedTypes), contents: false, history: false, after: null}, ({type, json}) => {
		const {id, state_id: stateId, level, texts, delta_magnitude: delta} = JSON.parse(json) as Record<string, unknown>;
		seen.push(JSON.stringify({type, id, stateId, level, texts, delta}));
	});
	const events: string[][] = [];
	for (const act of acts) {
		seen = [];
		journal.breaksAt = isBroken ? 'behind' : null;
		// A revision's answer is told once.
		const ended = isBroken ? act(identity).catch((error: unknown) => t.true(error instanceof UnavailableError)) : act(identity);
		await (isBroken ? reopen() : ended);
		await ended;
		await settle();
		events.push(seen.toSorted());
	}

	inspection.close();
	t.is(journal.records.length, acts.length + 2);
	return {events, state: identity.state()};
};

test('each record whose answer was lost is published as it would have been', async t => {
	const {events, state} = await live(t, false);
	const broken = await live(t, true);
	t.deepEqual(broken.events, events);
	t.like(broken.state, {stateId: state.stateId});
	t.deepEqual(events.map(({length}) => length), [1, 1, 1, 1, 1, 1, 3, 1, 1, 1]);
});

test('a forgetting whose answer was lost, and whose record is there, leaves no vector of its texts in the cache', async t => {
	const encoder = new FakeEncoder();
	const {journal, identity, reopen} = await start(t, {encoder: async () => withCache(encoder, 10)});
	await identity.cycle({content: 'Trust nobody.', source: 'viktor'});
	await identity.dryRun('Trust nobody.');
	t.deepEqual(encoder.asked, ['Trust nobody.'], 'it is in the cache');
	journal.breaksAt = 'behind';
	const failed = t.throwsAsync(identity.forget({sources: ['viktor'], note: 'He asked for it.'}), {instanceOf: UnavailableError});
	await reopen();
	await failed;
	await identity.dryRun('Trust nobody.');
	t.is(encoder.asked.length, 2);
});

for (const [place, isKept] of [['before', false], ['behind', true]] as const) {
	test(`a journal that breaks ${place} the commit of a forgetting ${isKept ? 'leaves' : 'removes'} its receipt`, async t => {
		let receipts = 0;
		const {journal, identity, reopen} = await start(t, {
			async forgetElsewhere() {
				receipts++;
				return {removed: [], unreached: [], removeKept: async () => void receipts--};
			},
		});
		await identity.cycle({content: 'Trust nobody.', source: 'viktor'});
		journal.breaksAt = place;
		const failed = t.throwsAsync(identity.forget({sources: ['viktor'], note: 'He asked for it.'}));
		await reopen();
		await failed;
		t.is(receipts, Number(isKept));
	});
}

test('a reset whose record is there is answered as done', async t => {
	const {journal, identity, reopen} = await start(t);
	await identity.cycle('The sea is quiet.');
	journal.breaksAt = 'behind';
	const answer = identity.reset();
	await reopen();
	t.deepEqual(await answer, {stateId: 0});
	t.is(identity.state().stateId, 0);
});

test('a cycle whose record is not there has failed, and its id is free', async t => {
	const {journal, identity, reopen} = await start(t);
	journal.breaksAt = 'before';
	const answer = identity.cycle({content: 'The sea is loud.', id: 'first'});
	const failed = t.throwsAsync(answer, {instanceOf: JournalError, code: 'journal', message: /before it had this.*try again/});
	await reopen();
	await failed;
	t.is(identity.state().stateId, 0);
	t.like(await identity.cycle({content: 'The sea is loud.', id: 'first'}), {id: 'first', stateId: 1});
});

test('a reset of which it is not known whether it was done is not to be repeated without a look', async t => {
	const {journal, identity} = await start(t);
	journal.breaksAt = 'behind';
	const failed = t.throwsAsync(identity.reset(), {
		instanceOf: UnknownOutcomeError, message: /check them before you repeat it/,
	});
	await settle();
	await identity.dispose();
	t.false((await failed)!.retryable);
});

test('a cycle of which nobody knows says so when the identity stops', async t => {
	const {journal, identity} = await start(t);
	journal.breaksAt = 'behind';
	const answer = identity.cycle({content: 'The sea is loud.', id: 'first'});
	await settle();
	const failed = t.throwsAsync(answer, {
		instanceOf: UnknownOutcomeError, code: 'outcome_unknown', message: /“first” as its Idempotency-Key/,
	});
	await identity.dispose();
	await failed;
});
