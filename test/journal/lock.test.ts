/** One process at a time can write a journal. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {asStored, openJournal, recordOf, recordsIn, temporaryFolder} from './records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';
import {pattern} from '../helpers/pattern.ts';

const script = fileURLToPath(new URL('append-forever.ts', import.meta.url));

const inUse = (folder: string) => ({
	instanceOf: JournalError,
	message: pattern(
		new RegExp(`${folder}.* is in use by another process, or by another identity of this program\\. `),
		/Dispose of that identity, stop that process, or configure another folder \(journal\.folder\)/,
	),
});

test('a second process is refused while the first runs, and can open the journal after the first is killed', async t => {
	const folder = await temporaryFolder(t);
	const child = spawn(process.execPath, [script, folder], {stdio: ['ignore', 'pipe', 'inherit']});
	const exited = once(child, 'exit');
	await once(child.stdout, 'data');
	child.stdout.resume();

	const journal = createSqliteJournal({folder});
	t.teardown(async () => journal.close());
	const error = await t.throwsAsync(journal.open(), inUse(folder));
	t.true((error as JournalError).retryable);
	t.throws(() => new JournalReader(folder), inUse(folder));

	child.kill('SIGKILL');
	await exited;
	t.true((await journal.open())!.records > 0);
});

test('two journals on one folder in one process exclude each other too', async t => {
	const folder = await temporaryFolder(t);
	const first = await openJournal(t, {folder}, 1);
	const second = createSqliteJournal({folder});
	t.teardown(async () => second.close());
	await t.throwsAsync(second.open(), inUse(folder));
	await first.append(recordOf(2));
	await first.close();
	t.is((await second.open())!.records, 2);
	await t.throwsAsync(first.open(), inUse(folder));
});

test('while a reader has a journal open, it cannot be written, but others can read it', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 2);
	await journal.close();
	const reader = new JournalReader(folder);
	deepEqual(t, await recordsIn(folder), [1, 2].map(seq => asStored(recordOf(seq))));
	await t.throwsAsync(journal.open(), inUse(folder));
	reader.close();
	t.is((await journal.open())!.records, 2);
});
