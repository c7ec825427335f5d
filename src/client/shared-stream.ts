/** One event stream for all listeners of a connected identity, open while there are any. */
import type {Timers} from '../platform/clock.ts';
import {ProcessualError} from '../platform/errors.ts';
import type {IdentityEvents} from '../identity/events.ts';
import {createClient, type ClientOptions} from './create-client.ts';
import {sharedEventTypes, toIdentityError, toIdentityEvent} from './identity-events.ts';
import {wait} from '../platform/waiting.ts';

/** The pause before another attempt to open the stream. */
const reconnectPauseMs = 1000;

export class SharedStream {
	readonly #options: ClientOptions & {fetch: typeof fetch; timers: Timers};
	readonly #events: IdentityEvents;
	#listeners = 0;
	#isClosed = false;
	#stream: {leaving: AbortController; opened: Promise<void>} | undefined;

	/** @param events Receives the service's events, and `failed` if its stream cannot be followed. */
	constructor(options: ClientOptions & {fetch: typeof fetch; timers: Timers}, events: IdentityEvents) {
		this.#options = options;
		this.#events = events;
	}

	/** Resolves when the stream is open; at once if there are no listeners, or if the stream cannot be opened now. */
	get opened(): Promise<void> {
		return this.#stream?.opened ?? Promise.resolve();
	}

	/** Follows the events for one more listener, until the returned function is called. */
	listen(): () => void {
		if (!this.#isClosed) {
			this.#stream ??= this.#open();
		}

		this.#listeners++;
		let isListening = true;
		return () => {
			this.#listeners -= Number(isListening);
			isListening = false;
			if (this.#listeners === 0) {
				this.#leave();
			}
		};
	}

	close(): void {
		this.#isClosed = true;
		this.#leave();
	}

	#leave(): void {
		this.#stream?.leaving.abort();
		this.#stream = undefined;
	}

	#open() {
		const leaving = new AbortController();
		const opened = new Promise<void>(resolve => {
			void this.#keepReading(resolve, leaving.signal);
		});
		return {leaving, opened};
	}

	async #keepReading(onOpen: () => void, signal: AbortSignal): Promise<void> {
		// A browser's `fetch` throws if it is called as a method.
		const {fetch: send, timers, baseUrl} = this.#options;
		const client = createClient({
			...this.#options,
			fetch: async (input, init) => {
				const response = await send(input, init);
				onOpen();
				return response;
			},
		});
		while (!signal.aborted) {
			try {
				for await (const event of client.events({types: sharedEventTypes, contents: true, signal})) {
					const heard = toIdentityEvent(event);
					if (heard) {
						this.#events.emit(Object.freeze(heard));
					}
				}
			} catch (thrown) {
				onOpen();
				const error = toIdentityError(thrown, String(baseUrl), signal);
				if (signal.aborted) {
					return;
				}

				if (!(error instanceof ProcessualError && error.retryable)) {
					this.#stream = undefined;
					this.#events.emit(Object.freeze({type: 'failed', error}));
					return;
				}

				// The service may start later.
				await wait(reconnectPauseMs, timers, signal).catch(() => {});
			}
		}
	}
}
