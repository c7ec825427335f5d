/** A failed commit is cut off the log; earlier commits stay, even if SQLite restarted the log in between. */
import fs, {writeFileSync} from 'node:fs';
import {appendFile, cp, readFile, writeFile} from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import {DatabaseSync} from 'node:sqlite';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import fc from '../helpers/fast-check.ts';
import {JournalError} from '../../src/platform/errors.ts';
import {databasePath} from '../../src/journal/sqlite/database.ts';
import {cutLog, DurableCommits, logPath, rewriteLog, type LogPosition} from '../../src/journal/sqlite/write-ahead-log.ts';
import {temporaryFolder} from './records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

/** A database in write-ahead mode with one table, opened as by a journal, and commits to it. */
const open = async (t: ExecutionContext) => {
	const folder = await temporaryFolder(t);
	const database = new DatabaseSync(databasePath(folder));
	database.exec(
		'pragma locking_mode = exclusive; pragma journal_mode = wal; create table numbers (number integer, weight blob); pragma '
			+ 'wal_checkpoint(truncate)',
	);
	let failure: Error | null = null;
	/** Fails as SQLite does when the sync of a commit fails: its frames are in the log. */
	const failing = {
		exec(sql: string) {
			database.exec(sql);
			if (sql === 'commit' && failure) {
				throw failure;
			}
		},
		get isTransaction() {
			return database.isTransaction;
		},
	} as DatabaseSync;
	const commits = new DurableCommits(folder, failing);
	t.teardown(() => {
		commits.close();
		database.close();
	});
	const insert = database.prepare('insert into numbers values (?, zeroblob(?))');
	const commit = (number: number, bytes: number) => commits.commit(() => insert.run(number, bytes));
	return {
		folder,
		database,
		commits,
		commit,
		failCommit(number: number, bytes: number) {
			failure = new Error('no sync');
			t.throws(() => commit(number, bytes), {is: failure});
			t.is(commits.pendingCut, null);
			failure = null;
		},
	};
};

/** The position after the first commits of the log as it is. */
const positionIn = async (folder: string, commits: number): Promise<LogPosition> =>
	({salts: (await readFile(logPath(folder))).toString('hex', 16, 24), commits});

/** The numbers that another process finds in a copy of the files, as a kill leaves them. */
const numbersIn = async (t: ExecutionContext, folder: string): Promise<number[]> => {
	const copy = await temporaryFolder(t);
	await cp(folder, copy, {recursive: true});
	const database = new DatabaseSync(databasePath(copy));
	try {
		return database.prepare('select number from numbers order by number').all().map(({number}) => Number(number));
	} finally {
		database.close();
	}
};

/** A number is a commit with this number of bytes; null moves the log into the file, after which SQLite restarts it. */
const steps = fc.array(fc.option(fc.nat(20_000), {freq: 4}), {minLength: 1, maxLength: 12});

test('after any commits and restarts, a commit that fails is cut off, and the earlier ones stay', async t => {
	await fc.assert(fc.asyncProperty(steps, fc.nat(20_000), async (past, failing) => {
		const {folder, database, commit, failCommit} = await open(t);
		let count = 0;
		for (const bytes of past) {
			if (bytes === null) {
				database.exec('pragma wal_checkpoint(passive)');
			} else {
				commit(++count, bytes);
			}
		}

		failCommit(count + 1, failing);
		t.deepEqual(await numbersIn(t, folder), Array.from({length: count}, (_, i) => i + 1));
	}), {numRuns: 30});
});

test('a cut with nothing after it changes nothing, even if it is repeated', async t => {
	const {folder, commits, commit} = await open(t);
	commit(1, 5000);
	for (let i = 0; i < 3; i++) {
		t.throws(() => commits.commit(() => {
			throw new Error('not this one');
		}), {message: 'not this one'});
		t.deepEqual(await numbersIn(t, folder), [1]);
	}
});

test('a log that was restarted after the position was taken is not cut', async t => {
	const {folder, database, commit} = await open(t);
	commit(1, 10);
	const old = await positionIn(folder, 1);
	database.exec('pragma wal_checkpoint(truncate)');
	commit(2, 10);
	cutLog(folder, old);
	t.deepEqual(await numbersIn(t, folder), [1, 2]);
});

for (const [torn, at] of [['before', 13], ['in', 20], ['after', 28]] as const) {
	test(`a restart whose header is torn ${torn} the salts loses nothing: all was in the file before`, async t => {
		const {folder, database, commits, commit} = await open(t);
		commit(1, 10);
		database.exec('pragma wal_checkpoint(passive)');
		const bytes = await readFile(logPath(folder));
		bytes[at]! ^= 1;
		t.throws(() => commits.commit(() => {
			writeFileSync(logPath(folder), bytes);
			throw new Error('torn');
		}), {message: 'torn'});
		t.is(commits.pendingCut, null);
		t.deepEqual(await numbersIn(t, folder), [1]);
	});
}

test('a cut changes no byte before its position', async t => {
	const {folder, commit} = await open(t);
	commit(1, 10);
	const before = await readFile(logPath(folder));
	before[before.length - 100]! ^= 1;
	commit(2, 10);
	const damaged = await readFile(logPath(folder));
	before.copy(damaged);
	await writeFile(logPath(folder), damaged);
	cutLog(folder, await positionIn(folder, 1));
	const zeros = Buffer.alloc(24);
	deepEqual(t, await readFile(logPath(folder)), Buffer.concat([before, zeros]));
});

test('a log that lost a commit is not cut, and an error says so', async t => {
	const {folder, commit} = await open(t);
	commit(1, 10);
	commit(2, 10);
	const position = await positionIn(folder, 2);
	const bytes = (await readFile(logPath(folder))).subarray(0, -100);
	await writeFile(logPath(folder), bytes);
	t.throws(() => {
		cutLog(folder, position);
	}, {instanceOf: JournalError, message: /has 1 whole commits, but 2 were written/});
	deepEqual(t, await readFile(logPath(folder)), bytes);
});

test('cutting and rewriting do nothing if there is no log', async t => {
	const folder = await temporaryFolder(t);
	t.notThrows(() => {
		cutLog(folder, {salts: null, commits: 0});
		rewriteLog(folder);
	});
});

test('a rewritten log has the same bytes', async t => {
	const {folder, commit} = await open(t);
	commit(1, 300_000);
	await appendFile(logPath(folder), 'an unfinished frame');
	const before = await readFile(logPath(folder));
	rewriteLog(folder);
	deepEqual(t, await readFile(logPath(folder)), before);
	t.is(path.dirname(logPath(folder)), folder);
});

/** Makes every read of a file by its descriptor fail. @returns a function that ends this */
const failReads = (): (() => void) => {
	const {readSync} = fs;
	fs.readSync = () => {
		throw Object.assign(new Error('EIO: i/o error, read'), {code: 'EIO'});
	};

	syncBuiltinESMExports();
	return () => {
		fs.readSync = readSync;
		syncBuiltinESMExports();
	};
};

test.serial('a durable commit succeeds even if the log cannot be read after it, but the next commit then fails', async t => {
	const {folder, database} = await open(t);
	const durable = new DurableCommits(folder, database);
	t.teardown(() => {
		durable.close();
	});
	const insert = (number: number): void => {
		database.prepare('insert into numbers values (?, null)').run(number);
	};

	const numbers = () => database.prepare('select number from numbers').all().map(({number}) => number);

	const restoreReads = failReads();
	try {
		durable.commit(() => {
			insert(1);
		});
		t.throws(() => durable.commit(() => {
			insert(2);
		}), {code: 'EIO'});
	} finally {
		restoreReads();
	}

	t.deepEqual(numbers(), [1], 'the second did not begin');
	t.is(durable.pendingCut, null);
	durable.commit(() => {
		insert(3);
	});
	t.throws(() => durable.commit(() => {
		insert(4);
		throw new Error('not this one');
	}), {message: 'not this one'});
	t.deepEqual(numbers(), [1, 3]);
});
