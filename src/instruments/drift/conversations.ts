/**
 * Conversations: the unit of everything that chance is about
 * (`docs/spec/instruments.md#4-validate-conversations-drift`). Which texts belong together follows
 * from their ids, their times and whose they are, in their order alone.
 */

/** What of a text decides about its conversation. */
export type Said = {
	/** The conversation's id; null for a text without one. */
	readonly conversation: string | null;
	/** Whether the identity said it itself. */
	readonly isOwn: boolean;
	/** Milliseconds since the epoch. */
	readonly time: number;
};

/** A conversation under way. */
export type Conversation<Text> = {readonly key: string; readonly texts: readonly Text[]};

/** A longer pause ends a conversation. */
export const maxPauseMs = 1_800_000;

/** One that has as many texts ends, so that an endless stream has conversations too. */
const maxLength = 100;

/** More are not kept open at once: the one that is silent for longest ends. A stranger may send a new id with each text. */
const maxOpen = 1000;

/** What ended before a text came, and the conversation that it joined. */
export type Placed<Text> = {readonly conversation: Conversation<Text>; readonly ended: ReadonlyArray<Conversation<Text>>};

type Open<Text> = Conversation<Text> & {readonly texts: Text[]; time: number};

/** What is kept of conversations under way. Plain data. */
export type ConversationsState<Text> = {
	/** By key; the one with the newest text comes last. */
	readonly open: Map<string, Open<Text>>;
	/** The one of the text before. */
	last: Open<Text> | null;
};

export const startConversations = <Text>(): ConversationsState<Text> => ({open: new Map(), last: null});

/** Places texts in their order. */
export class Conversations<Text extends Said> {
	readonly #options: {readonly usesIds: boolean; readonly length: number};
	readonly #state: ConversationsState<Text>;

	/** @param usesIds Whether ids count. Where they divide no conversations, all texts are under one key. */
	constructor({usesIds = true, length = maxLength} = {}, state: ConversationsState<Text> = startConversations()) {
		this.#options = {usesIds, length};
		this.#state = state;
	}

	/** Takes the next text. What it ends is ordered by the newest text of each. */
	take(text: Text): Placed<Text> {
		const {open} = this.#state;
		const key = this.#keyOf(text);
		const isFull = (one: Open<Text>) => one.key === key && one.texts.length >= this.#options.length;
		const ended = this.#end(one => isSilent(one, text.time) || isFull(one));
		if (!open.has(key) && open.size >= maxOpen) {
			const [oldest] = open.values();
			ended.push(...this.#end(one => one === oldest));
		}

		const conversation = open.get(key) ?? {key, texts: [], time: text.time};
		conversation.texts.push(text);
		conversation.time = text.time;
		// Behind the others.
		open.delete(key);
		open.set(key, conversation);
		this.#state.last = conversation;
		return {conversation, ended};
	}

	/** Ends those that are silent for too long. @param now milliseconds since the epoch */
	endSilent(now: number): Array<Conversation<Text>> {
		return this.#end(one => isSilent(one, now));
	}

	/** When the next one ends unless more is said in it; null where none is open. */
	get endsAt(): number | null {
		const times = [...this.#state.open.values()].map(({time}) => time);
		return times.length === 0 ? null : Math.min(...times) + maxPauseMs;
	}

	#keyOf({conversation, isOwn, time}: Text): string {
		const {open, last} = this.#state;
		const isReply = isOwn && last !== null && open.get(last.key) === last && !isSilent(last, time);
		return this.#options.usesIds ? conversation ?? (isReply ? last.key : '') : '';
	}

	#end(isOver: (one: Open<Text>) => boolean): Array<Conversation<Text>> {
		const {open} = this.#state;
		const ended = [...open.values()].filter(one => isOver(one));
		for (const {key} of ended) {
			open.delete(key);
		}

		return ended;
	}
}

const isSilent = ({time}: {readonly time: number}, now: number): boolean => now - time > maxPauseMs;

/** Divides texts, oldest first, into conversations, in the order of their first texts. @param length after so many texts one ends */
export const conversationsOf = <Text extends Said>(texts: readonly Text[], usesIds = true, length = maxLength): Array<readonly Text[]> => {
	const conversations = new Conversations<Text>({usesIds, length});
	return [...new Set(texts.map(text => conversations.take(text).conversation))].map(conversation => conversation.texts);
};
