// @ts-check
/**
 * The service's events, for as long as the page is open. The connection is kept up: after a
 * break it goes on behind the last event that came. Requests are used rather than EventSource,
 * which cannot carry a token.
 */
import {knock} from './api.js';
import {messageReader} from './event-messages.js';

/** @typedef {import('./event-messages.js').Message} Message */
/** @typedef {'connecting' | 'live' | 'lost' | 'none'} Connection */

/** Between two tries, in milliseconds. */
const pause = 2000;

/** The service says something every 15 seconds; after this long it is taken for gone. */
const patience = 40_000;

/** @param {string} id Of the form `<run>-<n>`. */
const runOf = id => id.slice(0, id.lastIndexOf('-'));

/**
 * @param {object} hearer
 * @param {(message: Message) => void} hearer.onMessage
 * @param {(connection: Connection) => void} hearer.onConnection
 * @param {() => void} hearer.onOtherRun The service is another run than before: what was known of its actors is void.
 */
export const follow = async ({onMessage, onConnection, onOtherRun}) => {
	let lastId = '';
	for (;;) {
		onConnection('connecting');
		try {
			const silence = new AbortController();
			const response = await knock('events?history=true', {
				signal: silence.signal,
				headers: {Accept: 'text/event-stream', ...(lastId && {'Last-Event-ID': lastId})},
			});
			if (response.status === 404) {
				onConnection('none');
				return;
			}

			if (response.ok && response.body) {
				onConnection('live');
				let timer = setTimeout(() => silence.abort(), patience);
				const read = messageReader();
				const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
				for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
					clearTimeout(timer);
					timer = setTimeout(() => silence.abort(), patience);
					for (const message of read(piece.value)) {
						if (lastId && message.id && runOf(message.id) !== runOf(lastId)) {
							onOtherRun();
						}

						lastId = message.id || lastId;
						onMessage(message);
					}
				}

				clearTimeout(timer);
			}
		} catch {
			// Told as a lost connection, and tried again.
		}

		onConnection('lost');
		await new Promise(resolve => {
			setTimeout(resolve, pause);
		});
	}
};
