/** Selects the reference person's recent words from their messages (`docs/spec/interface.md#reference`). */

import type {Erased, TextsToForget} from './forget-texts.ts';

export type Message = {
	/** Id of the conversation. */
	conversation: string;
	/** Title of the conversation. */
	title: string | null;
	/** Whether the conversation was deleted. */
	isDeleted: boolean;
	role: string;
	content: string;
	/** ISO 8601, or a number that grows with time. */
	createdAt: string;
};

/** The port of the reference person's messages. */
export type Messages = {
	/** Describes their place, for messages to users. */
	readonly place: string;
	/** All messages, the newest first. @throws {StoreError} */
	read: () => Iterable<Message> | AsyncIterable<Message>;
	/**
	 * Adds messages in one transaction. A message with the conversation, role, time and content of an existing one is
	 * not added.
	 * @throws {StoreError}
	 */
	write: (messages: readonly Message[]) => Promise<{added: number; unchanged: number}>;
	/** Removes messages with these contents or conversations, down to the last byte. @throws {StoreError} */
	forget: (texts: Pick<TextsToForget, 'contents' | 'conversations'>) => Promise<Erased>;
};

const maxMessages = 100;

/** Lengths are counted in code points. */
const maxCharacters = 8000;

/** Shorter messages are not used: they say too little. */
const minCharacters = 21;

const blankLine = '\n\n';

/**
 * Joins the person's 100 most recent usable messages with blank lines, up to the first that would
 * exceed 8000 characters. If the newest is longer, it is truncated. It comes first, because some
 * models read only the beginning of a text.
 *
 * @param messages The newest first.
 * @returns null if no message is usable.
 */
export const readRecentWords = async (messages: Iterable<Message> | AsyncIterable<Message>): Promise<string | null> => {
	const recent: string[] = [];
	for await (const message of messages) {
		if (isUsable(message) && recent.push(message.content) === maxMessages) {
			break;
		}
	}

	return recent.length > 0 ? join(recent) : null;
};

const isUsable = ({title, isDeleted, role, content}: Message): boolean =>
	role === 'user' && !isDeleted && countCharacters(content) >= minCharacters && !isTest(title ?? '') && !isTest(content);

const isTest = (text: string): boolean => /test/i.test(text);

const countCharacters = (text: string): number => Array.from(text).length;

const join = ([newest = '', ...older]: readonly string[]): string => {
	let text = Array.from(newest).slice(0, maxCharacters).join('');
	let room = maxCharacters - countCharacters(text);
	for (const content of older) {
		room -= blankLine.length + countCharacters(content);
		if (room < 0) {
			break;
		}

		text += blankLine + content;
	}

	return text;
};
