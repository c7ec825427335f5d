/** The behaviour of held texts in every journal; `isCompacted` is for journals that compact. */
import test, {type ExecutionContext} from 'ava';
import type {SettlementRecord, StoredCycle} from '../../src/journal/journal.ts';
import type {JournalOptions} from '../../src/journal/journal-options.ts';
import {deepEqual} from '../helpers/deep-equal.ts';
import {helpersOf, type MakePlace} from './conformance.ts';
import {
	asStored, bitsOf, cycle, decisionsUpTo, drop, genesis, held, heldUpTo, range, recordOf, rowOf, stateOf, untilCompacted,
} from './records.ts';

/** A release of texts, whose cycles are the records after it. */
const release = (seq: number, settled: readonly number[]): SettlementRecord => {
	const {id, timestamp, facts} = drop(seq, settled);
	return {
		kind: 'release', id, timestamp, settled, facts: {...facts, kind: 'release'},
		cycles: settled.map((number, i) => {
			const {content, timestamp: saidAt, ...text} = cycle(number);
			return asStored(cycle(seq + 1 + i, {id: text.id, content, saidAt})) as StoredCycle;
		}),
	};
};

const first = held(3);
const {stateId, stateTimestamp, thirdness} = first;
const second = held(4, {stateId, stateTimestamp, thirdness});

export const testHeld = (kind: string, makePlace: MakePlace, {isCompacted = true} = {}): void => {
	const {begin} = helpersOf(makePlace);
	/** A journal of two cycles and two held texts. */
	const beginWithHeld = async (t: ExecutionContext, options: JournalOptions = {}) => {
		const begun = await begin(t, {count: 2, ...options});
		await Promise.all([first, second].map(async record => begun.journal.append(record)));
		return begun;
	};

	test(`${kind}: gives the texts that are still held, oldest first, and counts them`, async t => {
		const {journal, reopen} = await begin(t, {count: 40});
		deepEqual(t, await journal.held(0, 1000), heldUpTo(40));
		const [oldest, ...others] = heldUpTo(40);
		deepEqual(t, await journal.held(oldest!.seq, 2), others.slice(0, 2));
		const {held: count, current} = await reopen();
		t.is(count, heldUpTo(40).length);
		deepEqual(t, bitsOf(current), bitsOf(stateOf(40)));
	});

	test(`${kind}: a held text does not move the state, but updates the counters`, async t => {
		const {journal, reopen} = await begin(t, {count: 2});
		await journal.append(held(3, {checkpoint: {...held(3).checkpoint, counters: {user: 99}}}));
		const {current, checkpoint} = await reopen();
		deepEqual(t, bitsOf(current), bitsOf(stateOf(2)));
		t.deepEqual(checkpoint.counters, {user: 99});
	});

	test(`${kind}: a release is written with its cycles, which have the ids of the held texts`, async t => {
		const {journal, reopen} = await beginWithHeld(t);
		const record = release(5, [3, 4]);
		await Promise.all([journal.append(record), journal.append(cycle(8))]);
		deepEqual(t, await journal.held(0, 10), []);
		deepEqual(t, await journal.decisions(), [{...record.facts, seq: 5}]);
		const {entries, records, current, held: count} = await reopen();
		deepEqual(t, entries.slice(4), [asStored(record), ...record.cycles, asStored(cycle(8))]);
		deepEqual(t, [records, count, current.row('thirdness')], [8, 0, rowOf(1008)]);
	});

	test(`${kind}: finds a held text as it was held, even after it is released or dropped`, async t => {
		const {journal} = await beginWithHeld(t);
		deepEqual(t, await journal.find('cycle-3'), asStored(first));
		await journal.append(release(5, [3]));
		await journal.append(drop(7, [4]));
		const found: unknown[] = [await journal.find('cycle-3'), await journal.find('cycle-4')];
		deepEqual(t, found, [first, second].map(asStored));
	});

	if (isCompacted) {
		test(`${kind}: held texts survive the compaction of their records, and so do decisions on others`, async t => {
			const {journal, reopen} = await beginWithHeld(t, {compaction: {keepRecords: 10, snapshotEvery: 10}});
			await journal.append(drop(5, [4]));
			await Promise.all(range(6, 40).map(async seq => journal.append(cycle(seq))));
			await untilCompacted(journal, 30);
			deepEqual(t, await journal.held(0, 10), [{seq: 3, record: asStored(first)}]);
			deepEqual(t, await journal.find('cycle-3'), asStored(first));
			t.is(await journal.find('cycle-4'), null);
			t.is((await journal.decisions()).length, 1);
			t.is((await reopen()).held, 1);
		});

		test(`${kind}: keeps the reason of a held text if texts are hashed`, async t => {
			const {journal} = await begin(t, {content: 'hash'});
			await journal.append(held(1));
			const [{record}] = await journal.held(0, 1) as [Awaited<ReturnType<typeof journal.held>>[number]];
			t.like(record, {isHashed: true, reason: held(1).reason, stateId: genesis.initial.stateId});
			t.not(record.content, held(1).content);
		});

		test(`${kind}: two held texts cannot have the same id`, async t => {
			const {journal} = await beginWithHeld(t);
			await t.throwsAsync(journal.append(held(5, {id: 'cycle-3'})), {name: 'JournalError'});
		});
	}

	test(`${kind}: gives decisions of all kinds in order`, async t => {
		const {journal} = await begin(t, {count: 33});
		deepEqual(t, await journal.decisions(), decisionsUpTo(33));
		t.true(decisionsUpTo(33).some(({kind: of}) => of === 'drop') && recordOf(33).kind === 'drop');
	});
};
