/** A journal that broke while it took a record: whether the record is there is found out before a cycle is called failed. */
import test, {type ExecutionContext} from 'ava';
import {JournalError, UnknownOutcomeError} from '../../src/platform/errors.ts';
import type {JournalRecord} from '../../src/journal/journal.ts';
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

test('a cycle whose record is not there has failed, and its id is free', async t => {
	const {journal, identity, reopen} = await start(t);
	journal.breaksAt = 'before';
	const answer = identity.cycle({content: 'The sea is loud.', id: 'first'});
	const failed = t.throwsAsync(answer, {instanceOf: JournalError, code: 'journal', message: /before it had this cycle.*try again/});
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
	const failed = t.throwsAsync(answer, {instanceOf: UnknownOutcomeError, code: 'outcome'});
	await identity.dispose();
	await failed;
});
