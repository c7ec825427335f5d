/**
 * Lists of messages in the form of language model APIs: `[{"role": …, "content": …}]`, an object with `messages`, a list of
 * such objects, or one per line. Also the exports of claude.ai, and ShareGPT’s `conversations`.
 */
import {readJsonLines} from '../../transfer/entry-reader.ts';
import {readJsonList} from '../json-values.ts';
import {fieldsOf, foundIn, said, speakerOf, textOf, timeOf, type Fields, type Format, type FoundText} from '../past-text.ts';

const lists = ['messages', 'chat_messages', 'conversations'] as const;

/** A message has a role, and a conversation has a list of them. */
const isMessage = (value: Fields): boolean => ['role', 'sender', 'from']
	.some(name => speakerOf(value[name]) !== null || value[name] === 'system')
	&& ['content', 'text', 'value'].some(name => name in value);

const messagesOf = (value: Fields): readonly unknown[] | null =>
	lists.map(name => value[name]).find((list): list is unknown[] => Array.isArray(list)) ?? null;

const isConversation = (value: Fields): boolean => messagesOf(value)?.some(message => isMessage(fieldsOf(message))) ?? false;

export const messageLists: Format = {
	name: 'lists of messages',
	detect: ({head, values: [first]}) => first === undefined
		? /^\s*(?:\[\s*)?\{[\s\S]{0,2000}?"(?:role|sender|from)"\s*:\s*"(?:system|developer|user|human|assistant|gpt)"/.test(head)
		: isConversation(first),
	read({path, name, head, values: [first]}) {
		const file = name.replace(/\.\w+$/, '');
		const list = /^\s*\{/.test(head) ? lists.find(each => head.includes(`"${each}"`)) ?? 'messages' : null;
		const entries = first && !/\.json$/i.test(name) ? readJsonLines(path) : readJsonList(path, list);
		return foundIn(entries, (value, place) => readValue(fieldsOf(value), file, place));
	},
};

/** Reads a whole conversation, or one message if the file is a single conversation. */
function * readValue(value: Fields, file: string, place: number): Generator<FoundText> {
	const messages = messagesOf(value);
	if (!messages) {
		yield * isMessage(value) || 'role' in value
			? readMessage(value, file, null)
			: [{line: place, reason: 'it is not a message: it has no role'}];
		return;
	}

	const {id, uuid, conversation_id: other, created_at: created, create_time: createdTime} = value;
	const conversation = String(id ?? uuid ?? other ?? `${file} ${place}`);
	for (const message of messages) {
		yield * readMessage(fieldsOf(message), conversation, timeOf(created ?? createdTime));
	}
}

const readMessage = (message: Fields, conversation: string, begun: number | null): FoundText[] => {
	const {role, sender, from, name, content, text, value} = message;
	const speaker = speakerOf(role ?? sender ?? from);
	const {created_at: created, create_time: createTime, timestamp, time, date} = message;
	const who = speaker === 'user' && typeof name === 'string' && name !== '' ? name : speaker;
	return who === null ? [] : said(textOf(text !== undefined && text !== '' ? text : content ?? value), who, {
		conversation, saidAt: timeOf(created ?? createTime ?? timestamp ?? time ?? date) ?? begun,
	});
};
