/** A journal that broke while it took a record: whether the record is there is found out before a request is called failed. */
import test, {type ExecutionContext} from 'ava';
import {JournalError, UnknownOutcomeError} from '../../src/platform/errors.ts';
import {createInspection} from '../../src/observe/inspection.ts';
import type {CycleRecord, JournalRecord} from '../../src/journal/journal.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {settle, startIdentity} from '../actors/fixtures.ts';

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
}

const start = async (t: ExecutionContext) => {
	const journal = new BreakingJournal();
	const {identity, clock} = await startIdentity({journal});
	t.teardown(() => identity.dispose());
	const reopen = async (): Promise<void> => {
		await settle();
		clock.increment(250);
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
