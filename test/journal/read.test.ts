/** What an open journal in SQLite says of a damaged record. */
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import {asStored, createJournal, openJournal, range, recordOf, temporaryFolder} from './records.ts';

const entryOf = (seq: number) => ({seq, record: asStored(recordOf(seq))});

test('a damaged record is refused, and the journal takes records as before', async t => {
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

