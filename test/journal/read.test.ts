/** Reading from an open journal in SQLite: damaged records, and pages of long texts. */
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import {readBackwards, readHeld, readPages} from '../../src/journal/read-pages.ts';
import {asStored, createJournal, cycle, held, openJournal, range, recordOf, temporaryFolder} from './records.ts';

const entryOf = (seq: number) => ({seq, record: asStored(recordOf(seq))});

test('reading a damaged record fails, and other records can still be appended and read', async t => {
	const folder = await temporaryFolder(t);
	const first = await openJournal(t, {folder}, 600);
	await first.close();
	const database = new DatabaseSync(path.join(folder, 'journal.sqlite'));
	database.exec('update records set content = \'something else\' where seq = 3');
	database.close();

	const journal = createJournal(t, {folder});
	await journal.open();
	await t.throwsAsync(journal.read(1, 10), {instanceOf: JournalError, message: /record 3 is not what was written/});
	await journal.append(recordOf(601));
	t.deepEqual(await journal.read(601, 1), [entryOf(601)]);
	t.deepEqual(await journal.read(1, 2), range(1, 2).map(entryOf));
});

test('pages of long texts have fewer records, and all records come in order from either end', async t => {
	const journal = await openJournal(t, {folder: await temporaryFolder(t)}, 0);
	const long = 'x'.repeat(2 ** 20);
	const numbers = range(1, 12);
	await Promise.all(numbers.map(async seq => journal.append(seq % 2 === 0 ? held(seq, {content: long}) : cycle(seq, {content: long}))));
	t.is((await journal.read(1, 12)).length, 4);
	t.is((await journal.held(0, 12)).length, 4);

	t.deepEqual((await Array.fromAsync(readPages(journal, 0, 12))).flat().map(({seq}) => seq), numbers);
	const backwards = await Array.fromAsync(readBackwards({read: journal.read.bind(journal), records: 12}), ({seq}) => seq);
	t.deepEqual(backwards, numbers.toReversed());
	t.deepEqual((await Array.fromAsync(readHeld(journal))).flat().map(({seq}) => seq), [2, 4, 6, 8, 10, 12]);
});
