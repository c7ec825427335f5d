/** The newest texts, with which a dry run compares: what is read of the journal. */
import test from 'ava';
import {RecentTexts} from '../../../src/instruments/past/recent-texts.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import type {StoredCycle} from '../../../src/journal/journal.ts';
import {startHistory} from '../recorded-history.ts';

test('after a long import only the newest texts are read', async t => {
	const all = startHistory(1).talk(1200).entries();
	let read = 0;
	const journal = {
		records: 100,
		async read(from: number, count: number) {
			const entries = all.slice(from - 1, from - 1 + count);
			read += entries.length;
			return entries;
		},
	};
	const recent = new RecentTexts(journal, selectKernel());
	await recent.refresh();
	t.is(read, 100);
	const ofNewest = () => recent.nearest((all[journal.records - 1]!.record as StoredCycle).vector)[0]!.id;
	t.is(ofNewest(), all[99]!.record.id);
	for (const records of [1180, 1200]) {
		journal.records = records;
		await recent.refresh();
		t.is(ofNewest(), all[records - 1]!.record.id);
	}

	t.true(read < 800, `${read} of 1200`);
});
