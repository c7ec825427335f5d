/**
 * The law of repeated requests: however requests with ids are repeated, interleaved, and interrupted by kills and
 * failures of the journal, each id is in the journal at most once, and all its answers are the same.
 */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {InputError, JournalError} from '../../src/platform/errors.ts';
import type {CycleAnswer} from '../../src/identity/views.ts';
import type {CycleRecord, JournalRecord} from '../../src/journal/journal.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {settle, startIdentity} from '../actors/fixtures.ts';

/** A journal whose thread may end during an append, which then fails although the record was written. */
class MortalJournal extends FakeJournal {
	endsNext = false;
	#isOver = false;

	override async append(record: JournalRecord): Promise<void> {
		if (this.#isOver) {
			throw new JournalError('The thread has ended.');
		}

		const ends = this.endsNext;
		this.endsNext = false;
		this.#isOver = ends;
		await super.append(record);
		if (ends) {
			throw new JournalError('The thread has ended.');
		}
	}

	override async open() {
		this.#isOver = false;
		return super.open();
	}
}

/** Starts an identity on the records of a killed one. */
const startOn = async (before?: FakeJournal) => {
	const journal = new MortalJournal();
	journal.genesis = before?.genesis ?? null;
	journal.records = [...before?.records ?? []];
	return {journal, ...await startIdentity({journal, newId: () => crypto.randomUUID()})};
};

const id = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
	{weight: 8, arbitrary: fc.record({
		type: fc.constant('send' as const),
		id,
		content: fc.constantFrom('sea', 'sea', 'sea', 'storm'),
		leaves: fc.boolean(),
	})},
	{weight: 2, arbitrary: fc.constant({type: 'other' as const})},
	{weight: 4, arbitrary: fc.constant({type: 'settle' as const})},
	{weight: 1, arbitrary: fc.constantFrom(
		{type: 'hold' as const},
		{type: 'release' as const},
		{type: 'break' as const},
		{type: 'end' as const},
		{type: 'reset' as const},
	)},
	{weight: 2, arbitrary: fc.constant({type: 'recover' as const})},
	{weight: 1, arbitrary: fc.record({type: fc.constant('kill' as const), keepsHeld: fc.boolean()})},
);

type Asked = {id: string; content: string; answer: Promise<CycleAnswer>};

test('each id is in the journal at most once, and all its answers are the same', async t => {
	const met = {replayed: 0, refused: 0, failed: 0, kept: 0};
	await fc.assert(fc.asyncProperty(fc.array(step, {maxLength: 40}), async steps => {
		let started = await startOn();
		const asked: Asked[] = [];
		const ignore = (call: Promise<unknown>): void => {
			call.catch(() => {});
		};

		const send = ({id: given, content}: {id: string; content: string}, signal?: AbortSignal): void => {
			const order = {id: given, content};
			const answer = started.identity.cycle(order, {signal});
			ignore(answer);
			asked.push({...order, answer});
		};

		const recover = async (): Promise<void> => {
			started.journal.mend();
			started.journal.release();
			do {
				started.clock.increment(5000);
				await settle();
			} while (started.identity.readiness().parts.journal !== 'ok');
		};

		for (const next of steps) {
			switch (next.type) {
				case 'send': {
					const caller = new AbortController();
					send(next, caller.signal);
					if (next.leaves) {
						await Promise.resolve();
						caller.abort(new Error('It hung up.'));
					}

					break;
				}

				case 'other': {
					ignore(started.identity.cycle('other'));
					break;
				}

				case 'reset': {
					ignore(started.identity.reset());
					break;
				}

				case 'settle': {
					await settle();
					break;
				}

				case 'hold':
				case 'release': {
					started.journal[next.type]();
					break;
				}

				case 'break': {
					started.journal.break('The disk is full.');
					break;
				}

				case 'end': {
					started.journal.endsNext = true;
					break;
				}

				case 'recover': {
					await recover();
					break;
				}

				case 'kill': {
					const {identity, journal} = started;
					if (next.keepsHeld) {
						journal.release();
						await identity.dispose();
						await settle();
						started = await startOn(journal);
					} else {
						const left = Object.assign(new FakeJournal(), {genesis: journal.genesis, records: [...journal.records]});
						await identity.dispose();
						started = await startOn(left);
					}
				}
			}
		}

		await recover();
		for (const content of ['sea', 'storm']) {
			for (const repeated of ['a', 'b', 'c']) {
				send({id: repeated, content});
			}

			await settle();
		}

		await recover();
		const outcomes = await Promise.all(
			asked.map(async ({answer, ...order}) => ({...order, result: (await Promise.allSettled([answer]))[0]})),
		);
		const records = started.journal.records.filter((record): record is CycleRecord => record.kind === 'cycle');
		t.is(new Set(records.map(record => record.id)).size, records.length, 'an id is in the journal twice');
		for (const {id: key, content, result} of outcomes) {
			const record = records.find(found => found.id === key);
			if (result.status === 'fulfilled') {
				const {isReplayed, id: answered, stateId, dissonanceTotal, deltaMagnitude} = result.value;
				t.like(record, {id: answered, content, stateId, total: dissonanceTotal, deltaMagnitude});
				met[isReplayed ? 'replayed' : 'kept']++;
			} else if (result.reason instanceof InputError) {
				t.true(outcomes.some(other => other.id === key && other.content !== content));
				met.refused++;
			} else {
				met.failed++;
			}
		}

		await started.identity.dispose();
	}), {numRuns: often(50, 150)});
	t.log(met);
	t.true(Object.values(met).every(count => count > often(15, 50)), 'every outcome occurs');
});
