/** The reference person's messages in PostgreSQL: the same, in the same order, as in a file. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {StoreError} from '../../src/platform/errors.ts';
import {escapeNul} from '../../src/platform/postgres/values.ts';
import {openMessageFile} from '../../src/sources/message-file.ts';
import {openMessageTable} from '../../src/sources/message-table.ts';
import {type Message, readRecentWords} from '../../src/sources/recent-words.ts';
import {anyText} from '../helpers/any-text.ts';
import {startPostgres} from '../helpers/postgres.ts';
import {openMigrated, openPatiently} from '../journal/postgres/places.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

const message = (content: string, change: Partial<Message> = {}): Message =>
	({conversation: 'one', title: 'A walk', isDeleted: false, role: 'user', content, createdAt: '2026-01-01T00:00:00Z', ...change});

const anyMessage = fc.record<Message>({
	conversation: fc.constantFrom('one', 'two'),
	title: fc.option(fc.constantFrom('A walk', 'Bread')),
	isDeleted: fc.boolean(),
	role: fc.constantFrom('user', 'assistant'),
	content: anyText({maxLength: 12}).map(text => text.toWellFormed()),
	createdAt: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01 00:00:00', '2026-01-01T00:30:00+01:00', '2026-01-01T00:45:00+0100',
		'2025-12-31T23:00:00.5Z'),
});

/** A table orders messages of the same time by their stored content, in which two characters replace NUL. */
const byTimeAndStored = (one: Message, other: Message): number =>
	timeOf(other) - timeOf(one) || Buffer.compare(Buffer.from(escapeNul(one.content)), Buffer.from(escapeNul(other.content)));

const timeOf = ({createdAt}: Message): number => Date.parse(createdAt.endsWith('00:00:00') ? `${createdAt}Z` : createdAt);

test('any imports give the same counts and messages as in a file', async t => {
	const {database} = await openMigrated(server);
	const folder = await mkdtemp(path.join(tmpdir(), 'message-table-'));
	let files = 0;
	const table = openMessageTable(database);
	await fc.assert(fc.asyncProperty(fc.array(fc.array(anyMessage, {maxLength: 8}), {minLength: 1, maxLength: 3}), async imports => {
		await database.query('truncate processual.conversation, processual.message');
		const file = openMessageFile(path.join(folder, `${files++}.sqlite`));
		for (const messages of imports) {
			t.deepEqual(await table.write(messages), await file.write(messages));
		}

		const inFile = await Array.fromAsync(file.read());
		const hasNul = inFile.some(({content}) => content.includes('\0'));
		t.deepEqual(await Array.fromAsync(table.read()), hasNul ? inFile.toSorted(byTimeAndStored) : inFile);
	}), {numRuns: 50});
	await rm(folder, {recursive: true});
	await database.close();
});

test('many messages are read newest first, and the recent words are of the newest hundred', async t => {
	const {database} = await openMigrated(server);
	const table = openMessageTable(database);
	const messages = Array.from(
		{length: 1030},
		(_, i) => message(`This is the message number ${i}.`, {createdAt: String(1_772_000_000 + Math.floor(i / 300))}),
	);
	t.deepEqual(await table.write(messages), {added: 1030, unchanged: 0});
	const read = await Array.fromAsync(table.read());
	t.is(new Set(read.map(({content}) => content)).size, 1030);
	t.deepEqual(read.map(({createdAt}) => createdAt), read.map(({createdAt}) => createdAt).toSorted().toReversed());
	const words = await readRecentWords(table.read());
	t.is(words!.split('\n\n').length, 100);
	t.true(words!.startsWith('This is the message number 1000.'), words!.slice(0, 40));
	await database.close();
});

test('two concurrent imports of the same messages add each message once', async t => {
	const {url, database} = await openMigrated(server);
	await using other = openPatiently(url);
	const messages = Array.from({length: 300}, (_, i) => message(`Message ${i}.`));
	const written = await Promise.all([database, other].map(async one => openMessageTable(one).write(messages)));
	t.is(written[0]!.added + written[1]!.added, 300);
	t.is((await Array.fromAsync(openMessageTable(other).read())).length, 300);
	await database.close();
});

test('the error for a database without tables says what to do', async t => {
	await using bare = openPatiently(await server.createDatabase());
	await t.throwsAsync(Array.fromAsync(openMessageTable(bare).read()), {
		instanceOf: StoreError,
		message: /the messages in the database .*Run “processual migrate”/,
	});
});
