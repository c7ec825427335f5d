/**
 * A process to be killed: runs one step on the journal below a folder, and records acknowledgements beside it.
 * `journal-steps.ts STEP FOLDER`
 */
import {appendFileSync} from 'node:fs';
import path from 'node:path';
import {whileOpen} from '../../src/host/beginning.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {JournalWriter} from '../../src/journal/sqlite/writer.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {genesis, range, recordOf} from '../journal/records.ts';
import {saidOnHold, saidWithKeys, withKeys} from './decision-scenarios.ts';

const [step, folder] = process.argv.slice(2) as [string, string];

const say = (line: string): void => {
	appendFileSync(path.join(folder, 'acknowledged'), `${line}\n`);
};

if (step === 'compact') {
	// Without its thread, so that the steps come in the same order each time.
	using writer = new JournalWriter(path.join(folder, 'journal'));
	while (writer.compact({keepRecords: 10, keepDays: 0, snapshotEvery: 10})) {
		// Until nothing is left to compact.
	}
} else if (step === 'forget' || step === 'forget with keys') {
	const options = step === 'forget' ? {folder: path.join(folder, 'journal')} : withKeys(folder);
	const {identity} = await startIdentity({journal: createSqliteJournal(options)});
	await identity.forget({sources: ['viktor'], note: 'A request.'});
	say('forgotten');
	await identity.dispose();
} else if (step === 'say with keys') {
	const {identity} = await startIdentity({journal: createSqliteJournal(withKeys(folder))});
	for (const {content, source, id} of saidWithKeys) {
		await identity.cycle({content, source, id});
		say(content);
	}

	await identity.dispose();
} else if (step === 'hold') {
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: path.join(folder, 'journal')})});
	await identity.revise({without: {sources: ['viktor']}, hold: true, note: 'Not his.'});
	say('revised');
	for (const [i, content] of saidOnHold.entries()) {
		await identity.cycle({content, source: 'viktor', id: `held-${i}`});
		say(content);
	}

	await identity.releaseHeld({sources: ['viktor']});
	say('released');
	await identity.dispose();
} else if (step === 'create' || step === 'aside') {
	const journals = openJournals({folder: path.join(folder, 'journals')});
	await journals.create('ada', async journal => whileOpen(journal, async () => journal.begin(genesis)));
	say('created');
	if (step === 'aside') {
		await journals.putAside('ada');
		say('aside');
	}

	await journals.close();
} else {
	const journal = createSqliteJournal({folder: path.join(folder, 'journal')});
	const restored = await journal.open();
	if (!restored) {
		await journal.begin(genesis);
		say('begun');
	}

	const records = restored?.records ?? 0;
	for (const seq of range(records + 1, records + 3)) {
		await journal.append(recordOf(seq));
		say(String(seq));
	}

	await journal.close();
}
