/** Journals of one folder: names, the shared thread, isolation of faults, and when a program may end. */
import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, readlink, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {ConfigurationError, InputError, JournalError, UnknownOutcomeError} from '../../src/platform/errors.ts';
import type {Journal} from '../../src/journal/journal.ts';
import {openJournals, type JournalsOptions} from '../../src/journal/sqlite/journals.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {withWorkers} from '../helpers/with-workers.ts';
import {
	asStored, cycle, genesis, ignored, openJournal, range, recordOf, recordsIn, reopen, revision, temporaryFolder, timeOf,
} from './records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

/** Journals in a temporary folder. They are closed at the test's end. */
const journalsIn = async (t: ExecutionContext, options: Partial<JournalsOptions> = {}) => {
	const folder = options.folder ?? await temporaryFolder(t);
	const journals = openJournals({...options, folder});
	t.teardown(async () => journals.close());
	return {
		folder,
		journals,
		async begin(name: string, count = 0) {
			const journal = journals.for(name);
			await journal.open();
			await journal.begin(genesis);
			await Promise.all(range(1, count).map(async seq => journal.append(recordOf(seq))));
			return journal;
		},
	};
};

test('a journal’s folder has its name, and can be opened and read as a single journal', async t => {
	const {folder, journals, begin} = await journalsIn(t);
	await begin('tenant-42', 3);
	await journals.close();
	const own = path.join(folder, 'tenant-42');
	deepEqual(t, await recordsIn(own), range(1, 3).map(seq => asStored(recordOf(seq))));
	t.is((await reopen(t, own)).records, 3);
	t.is((await journals.for('tenant-42').open())!.records, 3);
});

test('the backup of a closed journal is refused, and the error says so', async t => {
	const {journals, begin} = await journalsIn(t);
	await begin('a', 3);
	await journals.close();
	await t.throwsAsync(journals.backup('a'), {instanceOf: JournalError, message: /^The journal is closed/});
});

test('a journal that was created alone can be opened among others', async t => {
	const folder = await temporaryFolder(t);
	const alone = await openJournal(t, {folder: path.join(folder, 'moved')}, 2);
	await alone.close();
	const {journals} = await journalsIn(t, {folder});
	t.is((await journals.for('moved').open())!.records, 2);
});

test('the list has the journals that were ever opened, and nothing else in the folder', async t => {
	const {folder, journals, begin} = await journalsIn(t, {folder: path.join(await temporaryFolder(t), 'not yet there')});
	t.deepEqual(await journals.list(), []);
	journals.for('never-opened');
	await begin('b');
	const closed = await begin('a');
	await closed.close();
	await mkdir(path.join(folder, 'empty'));
	await writeFile(path.join(folder, 'a-file'), '');
	t.deepEqual(await journals.list(), ['a', 'b']);
	t.deepEqual((await readdir(folder)).toSorted(), ['a', 'a-file', 'b', 'empty']);
});

test('names that are valid for folders on every system are allowed', async t => {
	const {journals} = await journalsIn(t);
	for (const name of ['a', '7', 'tenant-42', 'a.b_c-d', '3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'x'.repeat(100), 'console', 'com10']) {
		t.notThrows(() => journals.for(name), name);
	}
});

test('names that are paths, devices, too long, or the same as another on some file systems are refused', async t => {
	const {folder, journals} = await journalsIn(t);
	const others = [
		'',
		'.',
		'..',
		'../a',
		'a/b',
		'a\\b',
		'/a',
		'a/',
		'.a',
		'a.',
		'-a',
		'a-',
		'A',
		'Tenant',
		'é',
		'a b',
		'a\0',
		'a\n',
		'c:',
		'con',
		'nul.txt',
		'com1',
		'x'.repeat(101),
		undefined,
		null,
		7,
		['a'],
	];
	for (const name of others) {
		t.throws(
			() => journals.for(name as string),
			{instanceOf: InputError, message: /^An identity cannot be named “.*lower-case letters, digits.*SHA-256/s},
			String(name),
		);
	}

	t.deepEqual(await readdir(folder), []);
});

test('openJournals refuses wrong options', t => {
	t.throws(() => openJournals(undefined as never), {instanceOf: ConfigurationError, message: /option folder/});
	t.throws(() => openJournals({folder: ''}), {instanceOf: ConfigurationError, message: /option folder/});
	t.throws(() => openJournals({folder: 'a', compaction: {keepRecords: -1}}), {instanceOf: ConfigurationError, message: /keepRecords/});
});

test.serial('50 journals share one thread', async t => {
	const {folder, journals, begin} = await journalsIn(t);
	const names = range(1, 50).map(number => `tenant-${number}`);
	const workers = await withWorkers(async () => {
		await Promise.all(names.map(async (name, i) => begin(name, i % 4)));
	});
	t.is(workers.length, 1);
	const ended = once(workers[0]!, 'exit');
	await journals.close();
	await ended;
	for (const [i, name] of names.entries()) {
		t.deepEqual((await readdir(path.join(folder, name))).toSorted(), ['journal.mark', 'journal.sqlite']);
		using reader = new JournalReader(path.join(folder, name));
		t.is(reader.records, i % 4);
	}
});

test('close writes the records in progress; then a journal can be opened again', async t => {
	const {journals, begin} = await journalsIn(t);
	const opened = await Promise.all(['a', 'b', 'c'].map(async name => begin(name)));
	const appended = opened.map(async journal => journal.append(recordOf(1)));
	await Promise.all([...appended, journals.close()]);
	await t.throwsAsync(opened[0]!.append(recordOf(2)), {instanceOf: JournalError, message: /closed/});
	for (const journal of opened) {
		t.is((await journal.open())!.records, 1);
		await journal.append(recordOf(2));
	}
});

test('a journal can be open only once at a time', async t => {
	const {folder, journals, begin} = await journalsIn(t);
	const first = await begin('a', 1);
	const second = journals.for('a');
	await t.throwsAsync(second.open(), {instanceOf: JournalError, message: /is already open\. Close it first/});
	await second.close();
	await first.append(recordOf(2));
	const other = await journalsIn(t, {folder});
	await t.throwsAsync(other.journals.for('a').open(), {instanceOf: JournalError, message: /in use by another process/});
	await first.close();
	t.is((await second.open())!.records, 2);
});

test('a journal that waits for a locked file does not delay the others', async t => {
	const {folder, begin} = await journalsIn(t);
	await begin('locked', 1);
	const other = await journalsIn(t, {folder});
	const ready = await other.begin('ready');
	const order: string[] = [];
	const refused = t.throwsAsync(other.journals.for('locked').open(), {message: /in use/}).then(() => order.push('refused'));
	await ready.append(recordOf(1));
	order.push('appended');
	await refused;
	t.deepEqual(order, ['appended', 'refused']);
});

// Serial: the thread waits only half a second for the test to release the file.
test.serial('a journal opens when the locked file that it waits for is released', async t => {
	const {folder, begin} = await journalsIn(t);
	const journal = await begin('a', 1);
	await journal.close();
	const ready = await begin('ready');
	const other = new DatabaseSync(path.join(folder, 'a', 'journal.sqlite'));
	other.exec('pragma locking_mode = exclusive; begin exclusive');
	const opened = journal.open();
	// When this is durable, the thread has found the file locked.
	await ready.append(recordOf(1));
	other.close();
	t.is((await opened)!.records, 1);
});

test('a journal that cannot write stops without the others, and continues after reopening', async t => {
	const errors: unknown[] = [];
	const {folder, begin} = await journalsIn(t, {logger: {info: ignored, warn: ignored, error: details => errors.push(details)}});
	const [broken, whole] = await Promise.all([begin('broken', 2), begin('whole', 2)]);
	await rm(path.join(folder, 'broken', 'journal.sqlite-wal'));
	const outcomes = await Promise.allSettled([broken.append(recordOf(3)), whole.append(recordOf(3)), whole.append(recordOf(4))]);
	t.deepEqual(outcomes.map(({status}) => status), ['rejected', 'fulfilled', 'fulfilled']);
	t.like(errors, [{folder: path.join(folder, 'broken')}]);
	await t.throwsAsync(broken.append(recordOf(3)), {instanceOf: JournalError, message: /until it is opened again/});
	t.is((await broken.open())!.records, 2);
	await broken.append(recordOf(3));
	await whole.append(recordOf(5));
});

test('a damaged journal is refused, and the others are not', async t => {
	const {folder, journals, begin} = await journalsIn(t);
	await begin('whole', 2);
	const damaged = await begin('damaged', 2);
	await damaged.close();
	const file = path.join(folder, 'damaged', 'journal.sqlite');
	const bytes = await readFile(file);
	await writeFile(file, bytes.fill(0xAA, 0, 4096));
	await t.throwsAsync(damaged.open(), {instanceOf: JournalError, message: /damaged.*no longer a SQLite database/});
	await begin('new', 1);
	await journals.close();
	deepEqual(t, await readFile(file), bytes);
});

test('a journal whose file is lost is listed, but refused; without its mark, a new one can begin in the empty folder', async t => {
	const {folder, journals, begin} = await journalsIn(t);
	await (await begin('lost', 2)).close();
	const own = path.join(folder, 'lost');
	await rm(path.join(own, 'journal.sqlite'));
	await writeFile(path.join(own, 'notes.txt'), '');
	t.deepEqual([journals.has('lost'), await journals.list()], [true, ['lost']]);
	await t.throwsAsync(
		journals.for('lost').open(), {code: 'lost_history', message: /records up to 2 were acknowledged.*remove journal\.mark/},
	);
	const again = async () => journals.create('lost', async journal => {
		await journal.open();
		await journal.begin(genesis);
		await journal.close();
	});
	await t.throwsAsync(again(), {code: 'conflict'});
	await rm(path.join(own, 'journal.mark'));
	await t.throwsAsync(again(), {code: 'journal', message: /lost cannot be made: other files are there\. Move them aside$/});
	await Promise.all((await readdir(own)).map(async file => rm(path.join(own, file))));
	await again();
	t.is((await journals.for('lost').open())!.records, 0);
});

test.serial('when the thread ends unexpectedly, every journal rejects, and each can be reopened', async t => {
	const {begin} = await journalsIn(t);
	let opened!: Array<Awaited<ReturnType<typeof begin>>>;
	const [worker] = await withWorkers(async () => {
		opened = await Promise.all(['a', 'b', 'c'].map(async name => begin(name, 1)));
	});
	const pending = opened.slice(0, 2).map(async journal => journal.append(recordOf(2)));
	void worker!.terminate();
	const outcomes = await Promise.allSettled(pending);
	t.true(
		outcomes.every(outcome => outcome.status === 'rejected' && outcome.reason instanceof UnknownOutcomeError && outcome.reason.retryable),
	);
	await t.throwsAsync(
		opened[2]!.append(recordOf(2)),
		{code: 'journal', message: /ended unexpectedly/},
		'it was not sent, so its outcome is known',
	);
	const restarted = await withWorkers(async () => {
		for (const journal of opened) {
			const {records} = (await journal.open())!;
			t.true(records === 1 || records === 2);
			await journal.append(recordOf(records + 1));
		}
	});
	t.is(restarted.length, 1);
});

test('journals compact in turn, and records of others are appended in between', async t => {
	const folder = await temporaryFolder(t);
	const {journals: before, begin} = await journalsIn(t, {folder});
	await Promise.all(['a', 'b'].map(async name => {
		const journal = await begin(name);
		await Promise.all(range(1, 3000).map(async seq => journal.append({kind: 'daemon.started', id: `${seq}`, timestamp: 't'})));
	}));
	await before.close();

	const {journals} = await journalsIn(t, {folder, compaction: {keepRecords: 0, snapshotEvery: 1}});
	const compacting = [journals.for('a'), journals.for('b')];
	await Promise.all(compacting.map(async journal => journal.open()));
	const busy = journals.for('c');
	await busy.open();
	await busy.begin(genesis);
	const hasBegun = async (journal: Journal): Promise<boolean> => (await journal.read(1, 1))[0]!.record.kind === 'snapshot';
	for (let seq = 1; !(await Promise.all(compacting.map(hasBegun))).every(Boolean); seq++) {
		await busy.append(recordOf(seq));
	}

	await journals.close();
	const compacted = ['a', 'b'].map(name => {
		using reader = new JournalReader(path.join(folder, name));
		return reader.compacted;
	});
	// Neither had finished when the other journal's records were written, and both had their turns.
	t.true(compacted.every(steps => steps > 0 && steps < 3000), `${compacted}`);
	t.true(Math.abs(compacted[0]! - compacted[1]!) <= 20, `${compacted}`);
});

const script = fileURLToPath(new URL('end-by-itself.ts', import.meta.url));

/** Runs a program that closes no journal, until it ends. @returns what it printed */
const endByItself = (step: string, folder: string, prelude = ''): string => {
	const {status, stdout, stderr} = spawnSync(
		'sh',
		['-c', `${prelude} exec "$0" "$@"`, process.execPath, script, step, folder],
		{encoding: 'utf8', timeout: 600_000},
	);
	if (status !== 0) {
		throw new Error(`status ${status}: ${stderr}`);
	}

	return stdout;
};

test('idle journals do not keep a program alive', async t => {
	const folder = await temporaryFolder(t);
	t.is(endByItself('idle', folder), 'opened\n');
	t.is((await reopen(t, path.join(folder, 'alone'))).records, 1);
	t.is((await reopen(t, path.join(folder, 'one'))).records, 1);
});

test('a record that is not durable yet keeps a program alive', async t => {
	const folder = await temporaryFolder(t);
	t.is(endByItself('pending', folder), 'opened\nalone is durable\none is durable\n');
	t.is((await reopen(t, path.join(folder, 'alone'))).records, 2);
	t.is((await reopen(t, path.join(folder, 'one'))).records, 2);
});

(existsSync('/proc/self/fd') ? test : test.skip)('a rewrite that fails at its end leaves no file open', async t => {
	const {folder, begin} = await journalsIn(t);
	await begin('other');
	const journal = await begin('ada', 16);
	const decisions = await journal.decisions();
	const listOpen = async () => {
		const links = (await readdir('/proc/self/fd')).map(async name => readlink(`/proc/self/fd/${name}`).catch(() => ''));
		return (await Promise.all(links)).filter(file => file.startsWith(path.join(folder, 'ada')));
	};

	const before = await listOpen();
	await t.throwsAsync(journal.rewrite(revision(30), {
		async * changes() {
			yield [{seq: 1, record: {kind: 'forgotten' as const, id: 'f', timestamp: timeOf(1)}}];
		},
		decisions: [...decisions, ...decisions], settled: [], forgotten: [1],
	}), {instanceOf: JournalError});
	t.is((await journal.open())!.records, 16);
	t.deepEqual((await listOpen()).toSorted(), before.toSorted());
});

test('with too many open files, one journal is refused with advice, and the others continue', async t => {
	const folder = await temporaryFolder(t);
	const [refusal, durable] = endByItself('many', folder, 'ulimit -n 100;').split('\n');
	t.regex(refusal!, /^JournalError retryable: The journal .*tenant-\d+.* too many files are open.*Close journals/);
	t.is(durable, 'tenant-1 is durable');
	t.is((await recordsIn(path.join(folder, 'tenant-1'))).length, 2);
});

test('journals of one thread do not mix up their texts', async t => {
	const {folder, journals, begin} = await journalsIn(t);
	await Promise.all(['a', 'b'].map(async name => {
		const journal = await begin(name);
		await journal.append(cycle(1, {content: `said to ${name}`}));
	}));
	await journals.close();
	for (const name of ['a', 'b']) {
		deepEqual(t, await recordsIn(path.join(folder, name)), [asStored(cycle(1, {content: `said to ${name}`}))]);
	}
});
