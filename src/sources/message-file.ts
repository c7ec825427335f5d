/**
 * What the reference person wrote: a SQLite file of conversations and their messages.
 *
 *     conversations(
 *       id       what its messages name it by
 *       title    text, or null
 *       deleted  0 or null where it stands; anything else where it was deleted
 *     )
 *     messages(
 *       conversation  the id of one
 *       role          'user' for the person's own words
 *       content       text
 *       created       when: ISO 8601, or a number that grows with time
 *     )
 *
 * Further columns and tables do no harm, and views of these names do as well. Reading never
 * changes the file. A message whose conversation is not there is not read.
 */
import {existsSync, renameSync, statSync} from 'node:fs';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {reasonOf, StoreError} from '../errors.ts';
import {makeFolder} from '../files/folders.ts';
import {openToRead, openToWrite} from '../sqlite/open-database.ts';
import {nulSafeColumn, nulSafeText} from '../sqlite/nul-safe-text.ts';

export type Message = {
	/** Id of the conversation. */
	conversation: string;
	/** The conversation's title. */
	title: string | null;
	/** Whether the conversation was deleted. */
	isDeleted: boolean;
	role: string;
	content: string;
	/** ISO 8601. */
	createdAt: string;
};

/** How many messages make the reference, and how many characters (code points) of them. */
const mostMessages = 100;
const mostCharacters = 8000;

/** A message says something when it is longer than this, in characters. */
const fewCharacters = 20;

/** Between two messages. */
const blankLine = '\n\n';

/**
 * The text that the reference is made of (`docs/spec/interface.md#reference`), newest
 * message first: a model that reads only the beginning of a text then reads the latest words.
 *
 * The person's 100 most recent messages that qualify are joined by blank lines, up to the first
 * that would make more than 8000 characters. One that is longer by itself and the newest is cut.
 *
 * @returns null where no message qualifies, or no file is there
 * @throws {StoreError} when the file cannot be read or is of another shape
 */
export const recentMessages = async (file: string): Promise<string | null> => {
	const recent: string[] = [];
	for (const message of everyMessage(file)) {
		if (qualifies(message) && recent.push(message.content) === mostMessages) {
			break;
		}
	}

	return recent.length > 0 ? joined(recent) : null;
};

const qualifies = ({title, isDeleted, role, content}: Message): boolean =>
	role === 'user' && !isDeleted && charactersIn(content) > fewCharacters && !isTest(title ?? '') && !isTest(content);

const isTest = (text: string): boolean => /test/i.test(text);

const charactersIn = (text: string): number => Array.from(text).length;

const joined = ([newest = '', ...older]: readonly string[]): string => {
	let text = Array.from(newest).slice(0, mostCharacters).join('');
	let room = mostCharacters - charactersIn(text);
	for (const content of older) {
		room -= blankLine.length + charactersIn(content);
		if (room < 0) {
			break;
		}

		text += blankLine + content;
	}

	return text;
};

/** Of equal times the contents' order decides, so that the same file always gives the same text. */
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
	order by ifnull(julianday(messages.created), messages.created) desc, messages.content
`;

/**
 * Every message, the newest first; none where no file is there.
 *
 * @throws {StoreError} when the file cannot be read or is of another shape
 */
export function * everyMessage(file: string): Generator<Message> {
	let database: DatabaseSync | undefined;
	try {
		if (!statSync(file, {throwIfNoEntry: false})) {
			return;
		}

		database = openToRead(file);
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
		throw explained(file, error);
	} finally {
		database?.close();
	}
}

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

/** Of a conversation that is there already, the title and the mark are brought up to date. */
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
 * Adds messages in one transaction, and makes the file where none is. A message that is there
 * already, the same in conversation, role, time and content, is not doubled.
 *
 * @throws {StoreError} when the file cannot be written or is of another shape; it then is as it was
 */
export const writeMessages = async (file: string, messages: readonly Message[]): Promise<{added: number; unchanged: number}> => {
	try {
		makeFolder(path.dirname(file));
		return existsSync(file) ? addTo(file, messages) : makeWith(file, messages);
	} catch (error) {
		throw explained(file, error);
	}
};

const addTo = (file: string, messages: readonly Message[]): {added: number; unchanged: number} => {
	const database = openToWrite(file);
	try {
		database.exec(`begin immediate; ${tables}`);
		return add(database, messages);
	} finally {
		// Without the commit, closing takes everything back.
		database.close();
	}
};

/** A new file gets its name when it is whole: one without tables is refused. What an import that was cut off left in it is discarded. */
const makeWith = (file: string, messages: readonly Message[]): {added: number; unchanged: number} => {
	const draft = `${file}.new`;
	const database = openToWrite(draft);
	try {
		// The lock is held until the file has its name, so that another import cannot have it in between.
		database.exec('pragma locking_mode = exclusive; begin immediate');
		if (existsSync(file)) {
			throw new Error('another import has made it at the same time; run this one again');
		}

		database.exec(`${tables} delete from messages; delete from conversations;`);
		const result = add(database, messages);
		renameSync(draft, file);
		return result;
	} finally {
		database.close();
	}
};

/** In a transaction that is open, which it commits. */
const add = (database: DatabaseSync, messages: readonly Message[]): {added: number; unchanged: number} => {
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

const explained = (file: string, error: unknown): StoreError =>
	new StoreError(`The messages in ${file} cannot be used: ${reasonOf(error)}. It must be a SQLite file with the tables conversations(id, title, deleted) and messages(conversation, role, content, created); correct MESSAGES_FILE or the file.`, {cause: error});
