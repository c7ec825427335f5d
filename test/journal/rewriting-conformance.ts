/** The behaviour of every journal when its records are rewritten. */
import test from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import type {StoredCycle} from '../../src/journal/journal.ts';
import {deepEqual} from '../helpers/deep-equal.ts';
import {helpersOf, type MakePlace} from './conformance.ts';
import {asStored, checkpointOf, cycle, range, recordOf, revision, rowOf, timeOf} from './records.ts';

export const testRewriting = (kind: string, makePlace: MakePlace): void => {
	const {begin} = helpersOf(makePlace);

	test(`${kind}: a rewrite replaces records and appends one, and the old records can no longer be read`, async t => {
		const {journal, reopen} = await begin(t, {count: 16});
		const [first, second] = [cycle(101), cycle(102)];
		await journal.append(first);
		await journal.append(second);
		const tombstone = {kind: 'forgotten' as const, id: 'f', timestamp: timeOf(101)};
		const other = {...asStored(second) as StoredCycle, total: 1 / 3, thirdness: rowOf(77), checkpoint: checkpointOf(99)};
		const made = revision(30);
		const decisions = (await journal.decisions()).map(decision => ({...decision, turnMrad: 1 / 7}));
		await journal.append({kind: 'daemon.started', id: 'd', timestamp: timeOf(103)});
		await journal.digests?.add({head: {last: 17}, body: new Uint8Array(8)});
		await journal.digests?.keep(first.content);
		let doneCalls = 0;
		await journal.rewrite(made, {
			async * changes() {
				yield [{seq: 17, record: tombstone}];
				yield [{seq: 18, record: other}];
			},
			decisions, validation: null, settled: [], forgotten: [17], onDone() {
				doneCalls++;
			},
		});
		await journal.append(cycle(104));
		deepEqual(t, (await journal.read(17, 30)).map(({record}) => record), [
			tombstone, other, {kind: 'daemon.started', id: 'd', timestamp: timeOf(103)}, asStored(made), asStored(cycle(104)),
		]);
		deepEqual(t, await journal.read(1, 16), range(1, 16).map(seq => ({seq, record: asStored(recordOf(seq))})));
		t.is(await journal.find(first.id), null);
		deepEqual(t, await journal.find(second.id), other);
		t.is(await journal.validation(), null);
		deepEqual(t, await journal.decisions(), [...decisions, {...made.facts, seq: 20}]);
		t.is(doneCalls, 1);
		t.deepEqual([await journal.digests?.read() ?? [], await journal.digests?.kept() ?? null], [[], null]);
		const {current, records, validation: none} = await reopen();
		t.deepEqual([current.stateId, records, none], [cycle(104).stateId, 21, null]);
	});

	test(`${kind}: a failed rewrite leaves the journal as it was`, async t => {
		const {journal, reopen} = await begin(t, {count: 6});
		await t.throwsAsync(journal.rewrite(revision(7), {
			async * changes() {
				yield [{seq: 2, record: {kind: 'forgotten' as const, id: 'f', timestamp: timeOf(2)}}];
				throw new JournalError('not read twice as the same');
			},
			decisions: [], settled: [], forgotten: [2],
		}), {message: /not read twice as the same/});
		deepEqual(t, (await reopen()).entries, range(1, 6).map(seq => asStored(recordOf(seq))));
	});
};
