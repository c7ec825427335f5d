/**
 * A process for tests to kill: appends records to the journal in a folder, several at once,
 * and prints the number of each that was acknowledged. `append-forever.ts FOLDER [UP_TO]`
 */
import {setuid} from 'node:process';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {genesis, recordOf} from './records.ts';
import {say} from './say.ts';

const [folder, upTo = 'Infinity'] = process.argv.slice(2);
const inFlight = 5;

// Root ignores file permissions.
if (process.env['AS_NOBODY']) {
	setuid!(65_534);
}

const journal = createSqliteJournal({folder: folder!, compaction: {keepRecords: 300, snapshotEvery: 20}});
try {
	const restored = await journal.open();
	if (!restored) {
		await journal.begin(genesis);
	}

	let next = (restored?.records ?? 0) + 1;
	const appendInTurn = async () => {
		while (next <= Number(upTo)) {
			const seq = next++;
			await journal.append(recordOf(seq));
			say(`${seq}\n`);
		}
	};

	await Promise.all(Array.from({length: inFlight}, appendInTurn));
} catch (error) {
	process.stderr.write((error as Error).message);
	process.exitCode = 3;
}

await journal.close();
