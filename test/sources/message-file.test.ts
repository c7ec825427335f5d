/** The reference person's messages: which of them count, how they become one text, and how they are kept. */
import {mkdtemp, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test, {type ExecutionContext} from 'ava';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {StoreError} from '../../src/platform/errors.ts';
import {openMessageFile, readMessages, writeMessages} from '../../src/sources/message-file.ts';
import {type Message, readRecentWords} from '../../src/sources/recent-words.ts';
import {cutOffWrite} from './store/cut-off.ts';
import {anyText} from '../helpers/any-text.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const place = async (t: ExecutionContext) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'messages-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	return path.join(folder, 'new', 'messages.sqlite');
};

const message = (content: string, change: Partial<Message> = {}): Message =>
	({conversation: 'one', title: 'A walk', isDeleted: false, role: 'user', content, createdAt: '2026-01-01T00:00:00Z', ...change});

/** Messages a minute apart, the last one the newest. */
const inTurn = (contents: string[]) =>
	contents.map((content, i) => message(content, {createdAt: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString()}));

const textOf = async (t: ExecutionContext, messages: Message[]) => {
	const file = await place(t);
	await writeMessages(file, messages);
	return readRecentWords(readMessages(file));
};

/** A file made by other software. */
const foreign = async (t: ExecutionContext, sql: string) => {
	const file = path.join(path.dirname(path.dirname(await place(t))), 'foreign.sqlite');
	const database = new DatabaseSync(file);
	database.exec(sql);
	database.close();
	return file;
};

const conversations = 'create table conversations (id, title, deleted); insert into conversations values (1, null, 0);';

test('a missing file has no messages, and reading does not create it', async t => {
	const file = await place(t);
	t.is(await readRecentWords(readMessages(file)), null);
	t.deepEqual([...readMessages(file)], []);
	await t.throwsAsync(readFile(file), {code: 'ENOENT'});
});

test('the messages are joined by blank lines, the newest first', async t => {
	t.is(await textOf(t, inTurn(['The first of three thoughts.', 'The second of three thoughts.', 'The third of three thoughts.'])),
		'The third of three thoughts.\n\nThe second of three thoughts.\n\nThe first of three thoughts.');
});

const long = 'A sentence that says something.';
for (const [what, counts, change] of [
	['of the user', true, {}],
	['of the assistant', false, {role: 'assistant'}],
	['of a deleted conversation', false, {isDeleted: true}],
	['of a conversation without a title', true, {title: null}],
	['of 20 characters', false, {content: 'x'.repeat(20)}],
	['of 21 characters', true, {content: 'x'.repeat(21)}],
	['of 20 characters that take two code units each', false, {content: '🌊'.repeat(20)}],
	['of 21 characters that take two code units each', true, {content: '🌊'.repeat(21)}],
	['with “test” in the title', false, {title: 'My TeSt'}],
	['with “test” in the content', false, {content: `${long} This is a TEST.`}],
	['with “test” within a word', false, {content: `${long} It is the latest.`}],
	['with “test” behind a null character', false, {content: `${long}\0test`}],
	['with “tést”', true, {content: `${long} Un tést.`}],
] as const) {
	test(`a message ${what} ${counts ? 'counts' : 'does not count'}`, async t => {
		t.is(await textOf(t, [message(long, change)]), counts ? {content: long, ...change}.content : null);
	});
}

test('the text has the hundred most recent messages that count', async t => {
	const said = Array.from({length: 150}, (_, i) => `This is message number ${i}.`);
	const messages = inTurn(said.flatMap(content => [content, 'Short.']));
	t.is(await textOf(t, messages), said.slice(50).toReversed().join('\n\n'));
});

test('the text ends before the message that would take it over 8,000 characters, blank lines included', async t => {
	const [older, newer] = ['o'.repeat(3000), '🌊'.repeat(4998)];
	t.is(await textOf(t, inTurn(['The one that is too much.', older, newer])), `${newer}\n\n${older}`);
	t.is(await textOf(t, inTurn(['The one behind the gap.', `${older}o`, newer])), newer);
});

test('a newest message of over 8,000 characters is cut between two characters', async t => {
	t.is(await textOf(t, inTurn(['The one before the long one.', `x${'🌊'.repeat(9000)}`])), `x${'🌊'.repeat(7999)}`);
});

test('messages are ordered by time, whatever the zone and precision of their timestamps', async t => {
	const inOrder = ['2026-01-01T10:00:00+02:00', '2026-01-01T10:15:00+0200', '2026-01-01T08:30:00Z', '2026-01-01T08:30:00.500Z',
		'2026-01-01T08:00:00-01:00']
		.map(createdAt => message(`This was said at ${createdAt}.`, {createdAt}));
	t.is(await textOf(t, [3, 0, 4, 1, 2].map(i => inOrder[i]!)), inOrder.toReversed().map(({content}) => content).join('\n\n'));
});

/** Each distinct message once, sorted. */
const listed = (messages: Iterable<Message>) =>
	[...new Set(Array.from(messages, ({conversation, title, isDeleted, role, content, createdAt}) => JSON.stringify([
		conversation, title, isDeleted, role, content, createdAt,
	])))].toSorted();

test('written messages are read back, each distinct one once', async t => {
	const text = anyText().map(value => value.toWellFormed());
	const titles = ['A walk', null, ''];
	await fc.assert(fc.asyncProperty(fc.array(fc.record({
		conversation: fc.nat({max: 2}),
		role: fc.constantFrom('user', 'assistant', ''),
		content: text,
		createdAt: fc.date({noInvalidDate: true, min: new Date(0), max: new Date(4e12)}).map(date => date.toISOString()),
	})), async parts => {
		const messages = parts.map(({conversation, ...rest}) => ({
			...rest,
			conversation: String(conversation),
			title: titles[conversation]!,
			isDeleted: conversation === 1,
		}));
		const file = await place(t);
		const distinct = listed(messages);
		t.deepEqual(await writeMessages(file, messages), {added: distinct.length, unchanged: messages.length - distinct.length});
		t.deepEqual(listed(readMessages(file)), distinct);
		t.deepEqual(await writeMessages(file, messages), {added: 0, unchanged: messages.length});
	}), {numRuns: 30});
});

test('a later import updates the title and deletion mark of a conversation, but no title keeps the old one', async t => {
	const file = await place(t);
	await writeMessages(file, [message(long, {title: 'Old'})]);
	await writeMessages(file, [message(long, {title: 'New', isDeleted: true})]);
	t.deepEqual([...readMessages(file)], [message(long, {title: 'New', isDeleted: true})]);
	await writeMessages(file, [message(long, {title: null})]);
	t.deepEqual([...readMessages(file)], [message(long, {title: 'New'})]);
});

test('a file of other software may have additional columns, other types and views', async t => {
	const file = await foreign(t, `
		create table chats (id integer primary key, title text, created text, role text, hidden text);
		insert into chats values (1, null, 'x', 'y', null), (2, 7, 'x', 'y', 'yes'), (3, 'Lab test', 'x', 'y', null);
		create view conversations as select id, title, hidden as deleted, created, role from chats;
		create table messages (id integer primary key, conversation, role, content, created, title, deleted);
		insert into messages (conversation, role, content, created) values
			(1, 'user', 'The older of the two messages.', 1767225600000),
			(1, 'user', 'The newer of the two messages.', 1767225600001),
			(2, 'user', 'Of a conversation that was deleted.', 1767225600002),
			(3, 'user', 'Of a conversation about the laboratory.', 1767225600003),
			(9, 'user', 'Of a conversation that is not there.', 1767225600004),
			(1, null, 'Of a person without a name.', null),
			(1, 'user', x'00', 1767225600005);
	`);
	t.is(await readRecentWords(readMessages(file)), 'The newer of the two messages.\n\nThe older of the two messages.');
});

test('a conversation whose id is a number in the file is forgotten by that id', async t => {
	const file = await foreign(t, `
		create table conversations (id, title, deleted);
		insert into conversations values (1, 'About bread', 0), (2, 'About tea', 0);
		create table messages (conversation, role, content, created);
		insert into messages values (1, 'user', 'The bread is still warm.', 1), (2, 'user', 'The tea is cold by now.', 2);
	`);
	const {count} = await openMessageFile(file).forget({contents: new Set(), conversations: ['1']});
	t.is(count, 1);
	t.deepEqual([...readMessages(file)].map(({title, content}) => [title, content]), [['About tea', 'The tea is cold by now.']]);
	t.false((await readFile(file, 'latin1')).includes('bread'));
});

test('a conversation whose id has a fraction beside its messages is forgotten by the id that is read', async t => {
	const file = await foreign(t, `
		create table conversations (id integer, title, deleted);
		insert into conversations values (1, 'About bread', 0), (2, 'About tea', 0);
		create table messages (conversation real, role, content, created);
		insert into messages values (1, 'user', 'The bread is still warm.', 1), (2, 'user', 'The tea is cold by now.', 2);
	`);
	const [newest] = readMessages(file);
	const {count} = await openMessageFile(file).forget({contents: new Set(), conversations: [newest!.conversation]});
	t.is(count, 1);
	t.deepEqual([...readMessages(file)].map(({content}) => content), ['The bread is still warm.']);
	t.false((await readFile(file, 'latin1')).includes('tea'));
});

test('reading does not change the file', async t => {
	const file = await place(t);
	await writeMessages(file, inTurn(Array.from({length: 200}, (_, i) => `This is message number ${i}.`)));
	const before = await readFile(file);
	await readRecentWords(readMessages(file));
	deepEqual(t, await readFile(file), before);
});

for (const [what, sql, missing] of [
	['without the messages', conversations, /no such table: messages/],
	['without the conversations', 'create table messages (conversation, role, content, created)', /no such table: conversations/],
	['without a column', `${conversations} create table messages (conversation, role, content, date)`, /no such column: messages\.created/],
	['without tables', '', /no such table/],
] as const) {
	test(`a database ${what} is refused, and the error says what is missing and what is expected`, async t => {
		const file = await foreign(t, sql);
		const error = await t.throwsAsync(readRecentWords(readMessages(file)), {instanceOf: StoreError, message: missing});
		t.true(error.message.includes(file), error.message);
		t.regex(error.message, /conversations\(id, title, deleted\) and messages\(conversation, role, content, created\)/);
	});
}

test('a file that is not a database is refused and not changed', async t => {
	const file = path.join(path.dirname(await foreign(t, '')), 'diary.txt');
	await writeFile(file, 'Dear diary, today was a good day. '.repeat(100));
	const before = await readFile(file);
	const refused = {instanceOf: StoreError, message: /diary\.txt.*not a database.*person.messagesFile/};
	await t.throwsAsync(readRecentWords(readMessages(file)), refused);
	await t.throwsAsync(writeMessages(file, [message(long)]), refused);
	await t.throwsAsync(readRecentWords(readMessages(path.dirname(file))), {instanceOf: StoreError});
	deepEqual(t, await readFile(file), before);
});

test('a damaged file gives messages or a StoreError', async t => {
	const file = await place(t);
	await writeMessages(file, inTurn(Array.from({length: 200}, (_, i) => `This is message number ${i}. ${'It says little. '.repeat(10)}`)));
	const whole = await readFile(file);
	let refused = 0;
	await fc.assert(fc.asyncProperty(fc.nat({max: whole.length - 1}), fc.uint8Array({minLength: 1, maxLength: 2000}), async (at, bytes) => {
		const damaged = Buffer.from(whole);
		damaged.set(bytes.subarray(0, whole.length - at), at);
		await writeFile(file, damaged);
		try {
			await readRecentWords(readMessages(file));
		} catch (error) {
			refused++;
			t.true(error instanceof StoreError, String(error));
		}
	}), {numRuns: often(50, 200)});
	await writeFile(file, whole.fill(0xff, 4096));
	await t.throwsAsync(readRecentWords(readMessages(file)), {instanceOf: StoreError, message: /malformed/});
	t.log(`${refused} damages were found`);
});

test('an import adds all its messages or none', async t => {
	const file = await foreign(t, `
		create table conversations (id primary key, title, deleted);
		create table messages (conversation, role check (role in ('user', 'assistant')), content, created);
	`);
	await t.throwsAsync(writeMessages(file, [message(long), message(long, {role: 'system'})]), {instanceOf: StoreError, message: /CHECK/});
	t.deepEqual([...readMessages(file)], []);
	t.deepEqual(await writeMessages(file, [message(long)]), {added: 1, unchanged: 0});
});

test('an import that was killed halfway is rolled back, and earlier messages are kept', async t => {
	const file = await place(t);
	const [before] = inTurn(['What was said before the kill.']);
	await writeMessages(file, [before!]);
	await cutOffWrite(file);
	t.deepEqual([...readMessages(file)], [before]);
	t.is((await writeMessages(file, inTurn(['What was said before the kill.', 'What was said after it.']))).added, 1);
});

test('an import that was killed before it renamed its new file has written nothing, and can be repeated', async t => {
	const file = await place(t);
	await writeMessages(file, inTurn(['What was brought in before the kill.']));
	await rename(file, `${file}.new`);
	t.is(await readRecentWords(readMessages(file)), null);
	t.deepEqual(await writeMessages(file, inTurn(['What was said after the kill.'])), {added: 1, unchanged: 0});
	t.is(await readRecentWords(readMessages(file)), 'What was said after the kill.');
	t.deepEqual(await readdir(path.dirname(file)), [path.basename(file)]);
});
