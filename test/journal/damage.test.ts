/** Every kind of damage is detected and named; no acknowledged record is lost without an error. */
import {cp, readdir, readFile, rename, rm, stat, truncate, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {isDeepStrictEqual} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {JournalError} from '../../src/platform/errors.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {JournalWriter} from '../../src/journal/sqlite/writer.ts';
import {
	asStored, bitsOf, cycle, entriesIn, genesis, openJournal, range, recordOf, reopen, stateOf, temporaryFolder,
	validation, validationUpTo,
} from './records.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const database = 'journal.sqlite';
const log = 'journal.sqlite-wal';
const mark = 'journal.mark';

/** A folder with a closed journal. */
const closed = async (t: ExecutionContext, count: number): Promise<string> => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, count);
	await journal.close();
	return folder;
};

/** A folder as a killed process leaves it: the newest records are in the write-ahead log only. */
const killed = async (t: ExecutionContext, count: number): Promise<string> => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder: path.join(folder, 'open')}, count);
	await cp(path.join(folder, 'open'), path.join(folder, 'killed'), {recursive: true});
	await journal.close();
	return path.join(folder, 'killed');
};

/** What another process would find if this one were killed now. */
const copyOf = async (t: ExecutionContext, folder: string): Promise<string> => {
	const copy = await temporaryFolder(t);
	await cp(folder, copy, {recursive: true});
	return copy;
};

const flip = async (file: string, where: (bytes: Buffer) => number): Promise<void> => {
	const bytes = await readFile(file);
	const offset = where(bytes);
	bytes[offset]! ^= 0x10;
	await writeFile(file, bytes);
};

const names = (...patterns: RegExp[]) =>
	({instanceOf: JournalError, message: new RegExp(patterns.map(({source}) => `(?=.*${source})`).join(''))});

test('a journal left behind by a killed process opens with all its records', async t => {
	const folder = await killed(t, 30);
	t.true((await readdir(folder)).includes(log));
	const {records, current} = await reopen(t, folder);
	t.is(records, 30);
	deepEqual(t, bitsOf(current), bitsOf(stateOf(30)));
});

test('a flipped bit in a new record prevents opening, and the error names the record', async t => {
	const folder = await closed(t, 30);
	await flip(path.join(folder, database), bytes => bytes.indexOf('What number 30 said.'));
	await t.throwsAsync(reopen(t, folder), names(/journal\.sqlite is damaged/, /record 30 is not what was written/, /restore a copy/));
});

test('a flipped bit in a vector is detected, like one in a text', async t => {
	const folder = await closed(t, 29);
	await flip(path.join(folder, database), bytes => bytes.indexOf(Buffer.from(cycle(29).thirdness.buffer, 2000, 16)));
	await t.throwsAsync(reopen(t, folder), names(/record 29 is not what was written/));
});

test('an old record is verified when it is read, and a replay gives the records before it', async t => {
	const folder = await closed(t, 400);
	await flip(path.join(folder, database), bytes => bytes.indexOf('What number 49 said.'));
	t.is((await reopen(t, folder)).records, 400);
	using reader = new JournalReader(folder);
	const read: number[] = [];
	await t.throwsAsync(async () => {
		for await (const {seq} of reader.replay()) {
			read.push(seq);
		}
	}, names(/record 49 is not what was written/));
	t.deepEqual(read, range(1, 48));
	t.throws(() => reader.stateAfter(49), names(/record 49/));
	deepEqual(t, bitsOf(reader.stateAfter(51)), bitsOf(stateOf(51)));
});

test('a flipped bit in the genesis is detected', async t => {
	const folder = await closed(t, 3);
	await flip(path.join(folder, database), bytes => bytes.indexOf('owner/name'));
	await t.throwsAsync(reopen(t, folder), names(/the genesis is not what was written/));
});

test('a flipped bit in a validation is detected: in its note, its sources, its anchor and its vectors', async t => {
	const {anchor, texts} = validation(25);
	const bytesAt = ({buffer}: Float32Array) => Buffer.from(buffer, 1000, 16);
	for (const place of ['Who it is at 25', 'said-2', bytesAt(anchor.thirdness), bytesAt(texts[0]!.vector)]) {
		const folder = await closed(t, 30);
		await flip(path.join(folder, database), bytes => bytes.lastIndexOf(place));
		await t.throwsAsync(reopen(t, folder), names(/journal\.sqlite is damaged/, /(?:the validation|record 25) is not what was written/));
	}
});

test('a missing validation is detected', async t => {
	const folder = await closed(t, 30);
	const file = new DatabaseSync(path.join(folder, database));
	file.exec('delete from validation');
	file.close();
	await t.throwsAsync(reopen(t, folder), names(/its validation is missing/));
});

test('a truncated file is detected', async t => {
	for (const size of [1, 100, 4096, 20_000, 100_000]) {
		const folder = await closed(t, 30);
		await truncate(path.join(folder, database), size);
		await t.throwsAsync(reopen(t, folder), names(/journal\.sqlite/, /damaged|acknowledged/, /copy/), `${size}`);
	}
});

test('an overwritten first page is detected', async t => {
	const folder = await closed(t, 30);
	const file = path.join(folder, database);
	const bytes = await readFile(file);
	await writeFile(file, bytes.fill(0xAA, 0, 4096));
	await t.throwsAsync(reopen(t, folder), names(/it is no longer a SQLite database/));
});

test('a missing or empty file is not taken for a new journal', async t => {
	const missing = await closed(t, 30);
	await rm(path.join(missing, database));
	const empty = await closed(t, 30);
	await truncate(path.join(empty, database), 0);
	for (const folder of [missing, empty]) {
		await t.throwsAsync(
			reopen(t, folder),
			names(/is missing or empty, but records up to 30 were acknowledged/, /to accept the loss and begin a new one, remove journal\.mark/),
		);
	}
});

test('a missing write-ahead log is not taken for an older journal', async t => {
	const folder = await closed(t, 30);
	const journal = createSqliteJournal({folder});
	t.teardown(async () => journal.close());
	await journal.open();
	await Promise.all(range(31, 33).map(async seq => journal.append(recordOf(seq))));
	const copy = await temporaryFolder(t);
	await cp(folder, copy, {recursive: true, filter: name => !name.endsWith(log)});
	const expected = names(/ends with record 30, but records up to 33 were acknowledged/, /continue from record 30, remove journal\.mark/);
	await t.throwsAsync(reopen(t, copy), expected);
	t.throws(() => new JournalReader(copy), expected);
});

test('a journal that lost all its records with its write-ahead log is not taken for a new one', async t => {
	const folder = await killed(t, 30);
	await rm(path.join(folder, log));
	await t.throwsAsync(reopen(t, folder), names(/is missing or empty, but records up to 30 were acknowledged/));
});

const markOf = async (t: ExecutionContext, seq: number): Promise<Buffer> => readFile(path.join(await closed(t, seq), mark));

test('a truncated write-ahead log, as after a power cut, gives its complete records', async t => {
	const folder = await closed(t, 0);
	const journal = createSqliteJournal({folder});
	t.teardown(async () => journal.close());
	await journal.open();
	for (const seq of range(1, 20)) {
		await journal.append(recordOf(seq));
	}

	const victim = await temporaryFolder(t);
	const whole = await readFile(path.join(folder, log));
	const counts = new Set<number>();
	for (const size of range(0, 150).map(part => Math.floor(whole.length * part / 150))) {
		await cp(folder, victim, {recursive: true, force: true});
		await truncate(path.join(victim, log), size);
		// After a power cut the mark may be as old as the file.
		await rm(path.join(victim, mark));
		const entries = await entriesIn(victim);
		counts.add(entries.length);
		t.deepEqual(entries, range(1, entries.length).map(seq => ({seq, record: asStored(recordOf(seq))})));
	}

	t.is(counts.size, 21, 'every count from 0 to 20 occurs');
});

test('a damaged write-ahead log is detected, and left unchanged for recovery', async t => {
	const folder = await killed(t, 30);
	await flip(path.join(folder, log), bytes => bytes.length >> 1);
	const before = await readFile(path.join(folder, log));
	for (let i = 0; i < 2; i++) {
		await t.throwsAsync(reopen(t, folder), names(/records up to 30 were acknowledged/));
	}

	deepEqual(t, await readFile(path.join(folder, log)), before);
});

test('without its high-water mark, a journal continues from its last whole record', async t => {
	const folder = await closed(t, 30);
	await writeFile(path.join(folder, mark), await markOf(t, 33));
	await t.throwsAsync(reopen(t, folder), names(/records up to 33/));
	await rm(path.join(folder, mark));
	t.is((await reopen(t, folder)).records, 30);
});

test('a high-water mark behind the journal, as after a power cut, is accepted', async t => {
	const folder = await closed(t, 30);
	await writeFile(path.join(folder, mark), await markOf(t, 12));
	t.is((await reopen(t, folder)).records, 30);
});

test('a damaged high-water mark is detected', async t => {
	const folder = await closed(t, 30);
	await flip(path.join(folder, mark), () => 20);
	await t.throwsAsync(reopen(t, folder), names(/journal\.mark is damaged/, /remove this file/));
});

/** Random bytes at random places of a folder's files. */
const overwritings = fc.array(fc.record({
	file: fc.constantFrom(database, database, database, log, mark),
	// Half of them where the file's structure is: in the header and at the beginnings of pages.
	place: fc.oneof(
		fc.record({page: fc.nat(999), offset: fc.nat(4095)}),
		fc.record({page: fc.oneof(fc.constant(0), fc.nat(999)), offset: fc.nat(120)}),
	),
	bytes: fc.uint8Array({minLength: 1, maxLength: 12}),
}), {minLength: 1, maxLength: 4});

test('fuzz: after random overwrites, a journal returns the original data or throws a JournalError', async t => {
	const count = 60;
	const truth = range(1, count).map(seq => ({seq, record: asStored(recordOf(seq))}));
	const inLog = await killed(t, count);
	const inFile = await closed(t, count);
	const victim = await temporaryFolder(t);
	let opened = 0;
	let refused = 0;

	const attempt = async (run: () => Promise<boolean>): Promise<boolean> => {
		try {
			const isTrue = await run();
			opened++;
			return isTrue;
		} catch (error) {
			refused++;
			return error instanceof JournalError;
		}
	};

	await fc.assert(fc.asyncProperty(fc.boolean(), overwritings, async (hot, damages) => {
		await rm(victim, {recursive: true, force: true});
		await cp(hot ? inLog : inFile, victim, {recursive: true});
		for (const {file, place: {page, offset}, bytes} of damages) {
			const name = path.join(victim, file === log && !hot ? database : file);
			const content = await readFile(name);
			const start = (page % Math.ceil(content.length / 4096)) * 4096 + offset;
			content.set(bytes.subarray(0, Math.max(0, content.length - start)), Math.min(start, content.length));
			await writeFile(name, content);
		}

		const read = await attempt(async () => isDeepStrictEqual(await entriesIn(victim), truth));
		const validated = await attempt(async () => {
			using reader = new JournalReader(victim);
			return isDeepStrictEqual(await reader.validation(), validationUpTo(count));
		});
		const taken = await attempt(async () => {
			using writer = new JournalWriter(victim);
			const {restored} = writer;
			return restored !== null && restored.records === count && restored.genesis.passport === JSON.stringify(genesis.passport)
				&& isDeepStrictEqual(new Uint8Array(restored.state!.thirdness), new Uint8Array(stateOf(count).rows[2]!.buffer));
		});
		return read && validated && taken;
	}), {numRuns: often(60, 300)});
	t.log(`${opened} opened with true data, ${refused} refused`);
	// If only one of them happens, the test tries nothing.
	t.true(opened > 0 && refused > 0);
});

for (const [what, remove] of Object.entries({
	'its folder is removed': async (folder: string) => rm(folder, {recursive: true}),
	'its file is removed': async (folder: string) => rm(path.join(folder, 'journal.sqlite')),
	'its file is replaced by a copy': async (folder: string) => {
		const file = path.join(folder, 'journal.sqlite');
		await cp(file, `${file}.copy`);
		await rename(`${file}.copy`, file);
	},
})) {
	test(`an open journal acknowledges no further record after ${what}`, async t => {
		const folder = await temporaryFolder(t);
		const journal = createSqliteJournal({folder});
		await journal.open();
		await journal.begin(genesis);
		await journal.append(cycle(1));
		await remove(folder);
		await t.throwsAsync(journal.append(cycle(2)), {
			instanceOf: JournalError,
			message: /removed or replaced while they were open\. Put them back/,
		});
		await journal.close();
	});
}

test('an open journal whose write-ahead log is removed keeps acknowledged records, and continues after reopening', async t => {
	const folder = await temporaryFolder(t);
	const journal = await openJournal(t, {folder}, 3);
	await rm(path.join(folder, log));
	await t.throwsAsync(journal.append(recordOf(4)), {instanceOf: JournalError, message: /removed or replaced while they were open/});
	t.is((await journal.open())!.records, 3);
	await journal.append(recordOf(4));
	t.is((await entriesIn(await copyOf(t, folder))).length, 4);
});

test('an empty high-water mark, as an interrupted start leaves it, counts as none', async t => {
	const folder = await closed(t, 3);
	await writeFile(path.join(folder, mark), '');
	t.is((await reopen(t, folder)).records, 3);
	deepEqual(t, await readFile(path.join(folder, mark)), await markOf(t, 3));
});

test('only the owner can read the journal’s files', async t => {
	const folder = path.join(await temporaryFolder(t), 'journal');
	await openJournal(t, {folder}, 3);
	for (const name of [database, log, mark]) {
		t.is((await stat(path.join(folder, name))).mode & 0o077, 0, name);
	}
});
