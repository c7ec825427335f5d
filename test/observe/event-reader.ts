/** A small reader of server-sent events over a plain HTTP connection. */
import {once} from 'node:events';
import {get, type IncomingMessage} from 'node:http';

export type Message = {id?: string; event?: string; retry?: string; comment?: string; data?: any};

export class EventReader {
	readonly response: IncomingMessage;
	readonly messages: Message[] = [];
	/** Whether the stream has ended. */
	isOver = false;
	#rest = '';
	#taken = 0;
	#wake = Promise.withResolvers<void>();

	static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
		const request = get(url, {headers, agent: false});
		const [response] = await once(request, 'response') as [IncomingMessage];
		return new EventReader(response);
	}

	constructor(response: IncomingMessage) {
		this.response = response;
		response.setEncoding('utf8');
		response.on('data', (piece: string) => {
			const blocks = (this.#rest + piece).split('\n\n');
			this.#rest = blocks.pop()!;
			this.messages.push(...blocks.map(block => parse(block)));
			this.#notify();
		});
		response.once('close', () => {
			this.isOver = true;
			this.#notify();
		});
		response.once('error', () => {
			// The test itself ended the connection, or `isOver` reports it.
		});
	}

	/** The next message that fits; those before it are skipped. */
	async next(fits: (message: Message) => boolean = () => true): Promise<Message> {
		for (;;) {
			while (this.#taken < this.messages.length) {
				const message = this.messages[this.#taken++]!;
				if (fits(message)) {
					return message;
				}
			}

			if (this.isOver) {
				throw new Error('The stream ended before the message came.');
			}

			await this.#wake.promise;
		}
	}

	nextOf(event: string): Promise<Message> {
		return this.next(message => message.event === event);
	}

	/** Resolves when the service has ended the stream. */
	async end(): Promise<void> {
		while (!this.isOver) {
			await this.#wake.promise;
		}
	}

	/** Disconnects, as a closed tab does. */
	leave(): void {
		this.response.destroy();
	}

	#notify(): void {
		this.#wake.resolve();
		this.#wake = Promise.withResolvers();
	}
}

const parse = (block: string): Message => {
	const message: Message = {};
	for (const line of block.split('\n')) {
		const [, field, value] = /^([^:]*):(.*)$/.exec(line)!;
		if (field === '') {
			message.comment = value!;
		} else if (field === 'data') {
			message.data = JSON.parse(value!);
		} else {
			message[field as 'id' | 'event' | 'retry'] = value!.trimStart();
		}
	}

	return message;
};
