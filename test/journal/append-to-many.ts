/**
 * A process for tests to kill: appends records to three journals of one thread, and prints the name and the number
 * of each that was acknowledged. `append-to-many.ts FOLDER`
 */
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {genesis, recordOf} from './records.ts';
import {say} from './say.ts';

const journals = openJournals({folder: process.argv[2]!, compaction: {keepRecords: 100, snapshotEvery: 20}});

await Promise.all(['a', 'b', 'c'].map(async name => {
	const journal = journals.for(name);
	const restored = await journal.open();
	if (!restored) {
		await journal.begin(genesis);
	}

	for (let seq = (restored?.records ?? 0) + 1; ; seq++) {
		await journal.append(recordOf(seq));
		say(`${name}${seq}\n`);
	}
}));
