/**
 * The file of the reference person's messages: a SQLite database of conversations.
 *
 *     conversations(
 *       id
 *       title    text, or null
 *       deleted  0 or null; anything else if the conversation was deleted
 *     )
 *     messages(
 *       conversation  id of the conversation
 *       role          'user' for the person's own words
 *       content       text
 *       created       ISO 8601, or a number that grows with time
 *     )
 *
 * Other columns and tables are ignored, and the tables may be views. Reading never changes the
 * file, and ignores messages without a conversation.
 */
import {existsSync, renameSync, statSync} from 'node:fs';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {reasonOf, StoreError, withErrors} from '../platform/errors.ts';
import {makeFolder} from '../platform/files/folders.ts';
import {eraseRows, nulSafeColumn, nulSafeText, openToRead, openToWrite, runWithEach} from '../platform/sqlite/open-database.ts';
import type {Erased} from './forget-texts.ts';
import type {Message, Messages} from './recent-words.ts';
import {nameOf} from '../platform/option-names.ts';

/** The time, with the colon in its zone that SQLite requires: Python writes +0100. */
const created = `case when messages.created glob '*:*[+-][0-9][0-9][0-9][0-9]'
	then substr(messages.created, 1, length(messages.created) - 2) || ':' || substr(messages.created, -2) else messages.created end`;

/** Messages of the same time are ordered by content, so that a file always gives the same text. */
const newestFirst = `
	select
		${nulSafeColumn('conversation', 'cast(conversations.id as text)')},
		${nulSafeColumn('title', 'cast(conversations.title as text)')},
		${nulSafeColumn('role', 'ifnull(cast(messages.role as text), \'\')')},
		${nulSafeColumn('content', 'messages.content')},
		${nulSafeColumn('createdAt', 'ifnull(cast(messages.created as text), \'\')')},
		ifnull(conversations.deleted <> 0, 0) as isDeleted
	from messages join conversations on conversations.id = messages.conversation
	where typeof(messages.content) = 'text'
	order by ifnull(julianday(${created}), messages.created) desc, messages.content
`;

/** Opens the messages of a file, which need not exist. */
export const openMessageFile = (file: string): Messages => ({
	place: file,
	read: () => readMessages(file),
	write: async messages => writeMessages(file, messages),
	forget: async texts => forgetMessages(file, texts),
});

/**
 * Yields all messages, the newest first; none if the file does not exist.
 *
 * @throws {StoreError} if the file cannot be read or has other tables.
 */
export function * readMessages(file: string): Generator<Message> {
	try {
		if (!statSync(file, {throwIfNoEntry: false})) {
			return;
		}

		using database = openToRead(file);
		for (const row of database.prepare(newestFirst).iterate()) {
			const text = (column: string) => nulSafeText(row[column]) as string;
			yield {
				conversation: text('conversation'),
				title: nulSafeText(row['title']) as string | null,
				isDeleted: row['isDeleted'] !== 0,
				role: text('role'),
				content: text('content'),
				createdAt: text('createdAt'),
			};
		}
	} catch (error) {
		throw toStoreError(file, error);
	}
}

/** Other software may have numbers as ids, and 5 beside a message as 5.0: then it is found as it is read, by comparing the columns. */
const deleteConversation = `
	delete from messages where cast(conversation as text) = ?1
		or conversation in (select id from conversations where cast(id as text) = ?1)
`;

/** See {@link Messages.forget}. A missing file is not created. */
const forgetMessages = (file: string, {contents, conversations}: Parameters<Messages['forget']>[0]): Erased => {
	if (!existsSync(file)) {
		return {count: 0, left: null};
	}

	return withErrors(() => {
		const count = eraseRows(file, database => {
			const removed = runWithEach(database, 'delete from messages where content = ?', contents)
				+ runWithEach(database, deleteConversation, conversations);
			runWithEach(database, 'delete from conversations where cast(id as text) = ?', conversations);
			return removed;
		});
		return {count, left: null};
	}, error => toStoreError(file, error));
};

type Counts = Awaited<ReturnType<Messages['write']>>;

const tables = `
	create table if not exists conversations (id text primary key, title text, deleted integer not null);
	create table if not exists messages (
		conversation text not null references conversations (id),
		role text not null,
		content text not null,
		created text not null
	);
	create index if not exists messages_by_conversation on messages (conversation, created);
`;

/** Updates the title and the deletion of an existing conversation. */
const putConversation = `
	insert into conversations (id, title, deleted) values (:conversation, :title, :deleted)
	on conflict (id) do update set title = ifnull(excluded.title, title), deleted = excluded.deleted
`;

const addMessage = `
	insert into messages (conversation, role, content, created)
	select :conversation, :role, :content, :created where not exists (
		select 1 from messages where conversation = :conversation and created = :created and role = :role and content = :content
	)
`;

/**
 * Adds messages in one transaction, and creates the file if needed. A message with the same
 * conversation, role, time and content as an existing one is not added.
 *
 * @throws {StoreError} if the file cannot be written or has other tables; it is then unchanged.
 */
export const writeMessages = async (file: string, messages: readonly Message[]): Promise<Counts> => withErrors(() => {
	makeFolder(path.dirname(file));
	return existsSync(file) ? addTo(file, messages) : createWith(file, messages);
}, error => toStoreError(file, error));

const addTo = (file: string, messages: readonly Message[]): Counts => {
	// Closing it rolls back a transaction that was not committed.
	using database = openToWrite(file);
	database.exec(`begin immediate; ${tables}`);
	return add(database, messages);
};

/** A new file gets its name when it is complete: readers reject one without tables. Data from a killed import is discarded. */
const createWith = (file: string, messages: readonly Message[]): Counts => {
	const draft = `${file}.new`;
	using database = openToWrite(draft);
	// The lock is held until the rename, so that no other import writes in between.
	database.exec('pragma locking_mode = exclusive; begin immediate');
	if (existsSync(file)) {
		throw new Error('another import created it at the same time; run this one again');
	}

	database.exec(`${tables} delete from messages; delete from conversations;`);
	const result = add(database, messages);
	renameSync(draft, file);
	return result;
};

/** Adds messages, and commits the open transaction. */
const add = (database: DatabaseSync, messages: readonly Message[]): Counts => {
	const conversation = database.prepare(putConversation);
	const message = database.prepare(addMessage);
	let added = 0;
	for (const {conversation: id, title, isDeleted, role, content, createdAt} of messages) {
		conversation.run({conversation: id, title, deleted: Number(isDeleted)});
		added += Number(message.run({conversation: id, role, content, created: createdAt}).changes);
	}

	database.exec('commit');
	return {added, unchanged: messages.length - added};
};

const toStoreError = (file: string, error: unknown): StoreError => new StoreError(`The messages in ${file} cannot be used: `
	+ `${reasonOf(error)}. It must be a SQLite file with the tables conversations(id, title, deleted) and `
	+ `messages(conversation, role, content, created); correct ${nameOf('person.messagesFile')} or the file.`, {cause: error});
