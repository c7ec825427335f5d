/** A program that ends without closing its journals: `end-by-itself.ts idle|pending|many FOLDER` */
import path from 'node:path';
import type {Journal} from '../../src/journal/journal.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {genesis, recordOf} from './records.ts';

const [step, folder] = process.argv.slice(2) as [string, string];
const journals = openJournals({folder});

const begin = async (journal: Journal): Promise<Journal> => {
	await journal.open();
	await journal.begin(genesis);
	await journal.append(recordOf(1));
	return journal;
};

const appendLast = async (name: string, journal: Journal): Promise<void> => {
	await journal.append(recordOf(2));
	console.log(`${name} is durable`);
};

if (step === 'many') {
	const first = await begin(journals.for('tenant-1'));
	try {
		for (let number = 2; ; number++) {
			await begin(journals.for(`tenant-${number}`));
		}
	} catch (error) {
		const {name, message, retryable} = error as Error & {retryable: boolean};
		console.log(`${name}${retryable ? ' retryable' : ''}: ${message}`);
	}

	await appendLast('tenant-1', first);
} else {
	const [alone, one] = await Promise.all([begin(createSqliteJournal({folder: path.join(folder, 'alone')})), begin(journals.for('one'))]);
	console.log('opened');
	if (step === 'pending') {
		void appendLast('alone', alone).then(async () => appendLast('one', one));
	}
}
