/** The port of the reference person's messages. */

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

export type Messages = {
	/** Where they are, in messages to users. */
	readonly place: string;
	/** All, the newest first. @throws {StoreError} */
	read: () => Iterable<Message> | AsyncIterable<Message>;
	/** Adds messages in one transaction. One with the conversation, role, time and content of an existing one is not added. @throws {StoreError} */
	write: (messages: readonly Message[]) => Promise<{added: number; unchanged: number}>;
};
