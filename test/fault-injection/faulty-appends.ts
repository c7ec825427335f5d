/**
 * A process whose journal sometimes meets faults: it appends records one by one, opens the
 * journal again after each that failed, and records the outcome of each. `faulty-appends.ts FOLDER COUNT`
 */
import {appendFileSync} from 'node:fs';
import path from 'node:path';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {cycle, genesis, range} from '../journal/records.ts';

const [folder, count] = process.argv.slice(2) as [string, string];
const note = (outcome: 'kept' | 'refused', seq: number): void => {
	appendFileSync(path.join(folder, 'outcomes'), `${outcome} cycle-${seq}\n`);
};

const journal = createSqliteJournal({folder: path.join(folder, 'journal')});

/** Tries until it succeeds, as the service does. */
const open = async (): Promise<void> => {
	for (let tries = 0; tries < 50; tries++) {
		try {
			if (!await journal.open()) {
				await journal.begin(genesis);
			}

			return;
		} catch {
			await journal.close();
		}
	}
};

await open();
for (const seq of range(1, Number(count))) {
	try {
		await journal.append(cycle(seq));
		note('kept', seq);
	} catch {
		note('refused', seq);
		await open();
	}
}

await journal.close();
