/** The reference person's messages in PostgreSQL, beside the store there. */
import {readTime} from '../platform/clock.ts';
import {type Database, inTransaction} from '../platform/postgres/database.ts';
import {columnsOf, toValue, unescapeNul} from '../platform/postgres/values.ts';
import {writeAgainNow} from '../platform/postgres/write-again.ts';
import {withStoreErrors} from './store/postgres/store.ts';
import {digestOf} from './store/row-codec.ts';
import type {Message, Messages} from './recent-words.ts';

const place = 'the messages in the database';

/** Maximum messages per statement. */
const pageSize = 200;

type Row = {
	conversation: string; title: string | null; deleted: boolean; role: string; content: string; created: string; age: number; no: number;
};

/** A page after a place in the order. As in a file, messages of the same time are ordered by content, here in its stored form. */
const newestFirst = `
	select conversation, title, deleted, role, content, created, age, no
	from processual.message join processual.conversation on conversation.id = message.conversation
	where (age, content, no) > ($1, $2, $3) order by age, content, no limit ${pageSize}`;

const putConversations = `
	insert into processual.conversation as kept (id, title, deleted) select * from unnest($1::text[], $2::text[], $3::boolean[])
	on conflict (id) do update set title = coalesce(excluded.title, kept.title), deleted = excluded.deleted`;

const addMessages = `
	insert into processual.message (digest, conversation, role, content, created, age)
	select digest, conversation, role, content, created, age
	from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[])
		with ordinality as given (digest, conversation, role, content, created, age, place)
	order by place on conflict do nothing returning no`;

/** Opens the messages of a database. The caller closes the database. */
export const openMessageTable = (database: Pick<Database, 'query' | 'session'>): Messages => ({
	place,

	async * read() {
		type Place = Pick<Row, 'age' | 'content' | 'no'>;
		let page: Row[];
		let last: Place | undefined = {age: -Infinity, content: '', no: 0};
		do {
			const {age, content, no}: Place = last;
			page = await withStoreErrors(place, async () => database.query<Row>(newestFirst, [age, content, no]));
			yield * page.map(toMessage);
			last = page.at(-1);
		} while (last && page.length === pageSize);
	},

	write: async messages => withStoreErrors(place, async () => inTransaction(database, async query => {
		await query('lock table processual.conversation, processual.message in share row exclusive mode');
		for (const columns of columnsOf([...conversationsOf(messages)].map(([id, {title, isDeleted}]) => [id, title, isDeleted]), pageSize)) {
			await query(putConversations, columns);
		}

		let added = 0;
		for (const columns of columnsOf(messages.map(messageFields), pageSize)) {
			added += (await query(addMessages, columns)).length;
		}

		return {added, unchanged: messages.length - added};
	})),

	forget: async ({contents, conversations}) => withStoreErrors(place, async () => {
		const removed = await inTransaction(database, async query => {
			const gone = await query('delete from processual.message where content = any($1) or conversation = any($2) returning no', [
				[...contents].map(toValue), conversations.map(toValue),
			]);
			if (gone.length > 0) {
				await query('delete from processual.conversation where id = any($1)', [conversations.map(toValue)]);
				// Vectors of the reference's texts, which contain messages. They are made again when needed.
				await query('delete from processual.text_vector');
			}

			return gone.length;
		});
		const tables = ['processual.message', 'processual.conversation', 'processual.text_vector'];
		return {count: removed, left: removed === 0 ? null : await writeAgainNow(database, tables)};
	}),
});

/** For each conversation, the deletion mark of its last message, and its last title. */
const conversationsOf = (messages: readonly Message[]): Map<string, Pick<Message, 'title' | 'isDeleted'>> => {
	const conversations = new Map<string, Pick<Message, 'title' | 'isDeleted'>>();
	for (const {conversation, title, isDeleted} of messages) {
		conversations.set(conversation, {title: title ?? conversations.get(conversation)?.title ?? null, isDeleted});
	}

	return conversations;
};

const messageFields = ({conversation, role, content, createdAt}: Message) =>
	[digestOf([conversation, role, content, createdAt]), conversation, role, content, createdAt, -timeOf(createdAt)] as const;

/** A value that is neither a time nor a number counts as oldest. */
const timeOf = (created: string): number => {
	const time = /^\d{4}-/.test(created) ? readTime(created) : Number(created);
	return Number.isFinite(time) ? time : -Number.MAX_VALUE;
};

const toMessage = ({conversation, title, deleted, role, content, created}: Row): Message => ({
	conversation: unescapeNul(conversation),
	title: title === null ? null : unescapeNul(title),
	isDeleted: deleted,
	role: unescapeNul(role),
	content: unescapeNul(content),
	createdAt: unescapeNul(created),
});
