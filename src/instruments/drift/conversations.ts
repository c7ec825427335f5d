/**
 * Divides texts into conversations, the unit of chance (`docs/spec/instruments.md#4-validate-conversations-drift`). The division
 * depends only on the order of the texts, their conversation ids, their times, and on which are the identity's own.
 */

/** The part of a text that decides its conversation. */
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

/** A conversation ends at this number of texts, so that an endless stream is divided too. */
const maxLength = 100;

/**
 * If open conversations have more texts, those that have been silent for longest end: a busy channel with ids, or a stranger with a
 * new id for each text, would else keep all vectors of half an hour in memory.
 */
const maxOpenTexts = 1000;

/** The conversation that a text joined, and those that ended before it. */
export type Placed<Text> = {readonly conversation: Conversation<Text>; readonly ended: ReadonlyArray<Conversation<Text>>};

type Open<Text> = Conversation<Text> & {readonly texts: Text[]; time: number};

/** Plain data. */
export type ConversationsState<Text> = {
	/** By key; the one with the newest text is last. */
	readonly open: Map<string, Open<Text>>;
	/** The conversation of the previous text. */
	last: Open<Text> | null;
};

export const startConversations = <Text>(): ConversationsState<Text> => ({open: new Map(), last: null});

export class Conversations<Text extends Said> {
	readonly #options: {readonly usesIds: boolean; readonly length: number};
	readonly #state: ConversationsState<Text>;

	/** @param usesIds Whether ids divide conversations. If not, all texts have one key. */
	constructor({usesIds = true, length = maxLength} = {}, state: ConversationsState<Text> = startConversations()) {
		this.#options = {usesIds, length};
		this.#state = state;
	}

	/** Takes the next text. The conversations that it ends come in the order of their newest texts. */
	take(text: Text): Placed<Text> {
		const {open} = this.#state;
		const key = this.#keyOf(text);
		const isFull = (one: Open<Text>) => one.key === key && one.texts.length >= this.#options.length;
		const ended = [...this.#end(one => isSilent(one, text.time) || isFull(one)), ...this.#makeRoom(key)];
		const conversation = open.get(key) ?? {key, texts: [], time: text.time};
		conversation.texts.push(text);
		conversation.time = text.time;
		// A Map keeps the place of a key that is set again.
		open.delete(key);
		open.set(key, conversation);
		this.#state.last = conversation;
		return {conversation, ended};
	}

	/** Ends the conversations that have been silent for too long. @param now Milliseconds since the epoch. */
	endSilent(now: number): Array<Conversation<Text>> {
		return this.#end(one => isSilent(one, now));
	}

	/** When the next conversation times out; milliseconds since the epoch. Null if none is open. */
	get endsAt(): number | null {
		const times = [...this.#state.open.values()].map(({time}) => time);
		return times.length === 0 ? null : Math.min(...times) + maxPauseMs;
	}

	#keyOf({conversation, isOwn, time}: Text): string {
		const {open, last} = this.#state;
		const isReply = isOwn && last !== null && open.get(last.key) === last && !isSilent(last, time);
		return this.#options.usesIds ? conversation ?? (isReply ? last.key : '') : '';
	}

	/** Ends conversations other than that of `key` until a text more may be kept. */
	#makeRoom(key: string): Array<Conversation<Text>> {
		let texts = [...this.#state.open.values()].reduce((sum, one) => sum + one.texts.length, 1);
		const over = new Set<Open<Text>>();
		for (const one of this.#state.open.values()) {
			if (texts > maxOpenTexts && one.key !== key) {
				over.add(one);
				texts -= one.texts.length;
			}
		}

		return this.#end(one => over.has(one));
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

/** Divides texts, oldest first, into conversations in the order of their first texts. @param length The most texts of one. */
export const conversationsOf = <Text extends Said>(texts: readonly Text[], usesIds = true, length = maxLength): Array<readonly Text[]> => {
	const conversations = new Conversations<Text>({usesIds, length});
	return [...new Set(texts.map(text => conversations.take(text).conversation))].map(conversation => conversation.texts);
};
