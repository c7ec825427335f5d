/**
 * Lists of messages in the form of language model APIs: `[{"role": …, "content": …}]`, an object with `messages`, a list of
 * such objects, or one per line. Also the exports of claude.ai, and ShareGPT’s `conversations`.
 */
import {quoteInEnglish} from '../../../platform/plain-line.ts';
import {readJsonLines, readJsonList} from '../../transfer/entry-reader.ts';
import {fieldsOf, foundIn, isUnspoken, said, speakerOf, textOf, timeOf, type Fields, type Format, type FoundText} from '../past-text.ts';

const lists = ['messages', 'chat_messages', 'conversations'] as const;

/** Who says a message. Telegram has a name in `from`, with the text in `text`. */
const roleOf = ({role, sender, from, value}: Fields): unknown => role ?? sender ?? (value === undefined ? undefined : from);

/** A message has a role, and a conversation has a list of them. */
const isMessage = (value: Fields): boolean => (speakerOf(roleOf(value)) !== null || isUnspoken(roleOf(value)))
	&& ['content', 'text', 'value'].some(name => name in value);

const messagesOf = (value: Fields): readonly unknown[] | null =>
	lists.map(name => value[name]).find((list): list is unknown[] => Array.isArray(list)) ?? null;

const isConversation = (value: Fields): boolean => messagesOf(value)?.some(message => isMessage(fieldsOf(message))) ?? false;

/** The name of the list in an object that begins a file; null without one. */
const listIn = (head: string): string | null => lists.find(each => new RegExp(`"${each}"\\s*:\\s*\\[`).test(head)) ?? null;

export const messageLists: Format = {
	name: 'lists of messages',
	detect: ({head, values: [first]}) => first === undefined
		// A summary may come before the messages.
		? /^\s*(?:\[\s*)?\{[\s\S]{0,100000}?"(?:role|sender|from)"\s*:\s*"(?:system|developer|user|human|assistant|gpt)"/.test(head)
			&& (head.trimStart().startsWith('[') || listIn(head) !== null)
		: isConversation(first),
	read({path, name, head, values: [first]}) {
		const file = name.replace(/\.\w+$/, '');
		const entries = first && !/\.json$/i.test(name)
			? readJsonLines(path)
			: readJsonList(path, head.trimStart().startsWith('{') ? listIn(head) : null);
		return foundIn(entries, (value, place) => readValue(fieldsOf(value), file, place));
	},
};

/** Reads a whole conversation, or one message if the file is a single conversation. */
function * readValue(value: Fields, file: string, place: number): Generator<FoundText> {
	const messages = messagesOf(value);
	if (!messages) {
		yield * readMessage(value, place, file, null);
		return;
	}

	const {id, uuid, conversation_id: other, created_at: created, create_time: createdTime} = value;
	const conversation = String(id ?? uuid ?? other ?? `${file} ${place}`);
	for (const message of messages) {
		yield * readMessage(fieldsOf(message), place, conversation, timeOf(created ?? createdTime));
	}
}

const readMessage = (message: Fields, line: number, conversation: string, begun: number | null): FoundText[] => {
	const {name, content, text, value} = message;
	const role = roleOf(message);
	const speaker = speakerOf(role);
	if (speaker === null) {
		return isUnspoken(role) ? [] : [{line, reason: typeof role === 'string'
			? `a message has the role ${quoteInEnglish(role, 40)}, which is neither the user nor the assistant`
			: 'it is not a message: it has no role'}];
	}

	const {created_at: created, create_time: createTime, timestamp, time, date} = message;
	const who = speaker === 'user' && typeof name === 'string' && name !== '' ? name : speaker;
	// In `text`, claude.ai says for each use of a tool that a block is not supported.
	const isParts = Array.isArray(content) && content.length > 0;
	return said(textOf(!isParts && text !== undefined && text !== '' ? text : content ?? value), who, {
		conversation, saidAt: timeOf(created ?? createTime ?? timestamp ?? time ?? date) ?? begun,
	});
};
