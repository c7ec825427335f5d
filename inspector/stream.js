// @ts-check
/**
 * The events of the service, for as long as the page is open. A broken connection is opened
 * again, and resumes after the last event. It uses fetch, since EventSource cannot send a token.
 */
import {readFailure, request} from './api.js';
import {EventParser} from '../src/client/follow-events.ts';

/** @typedef {{type: string, data: any}} Message */
/** @typedef {'connecting' | 'live' | 'lost' | 'none' | 'unknown'} Connection Unknown: there is no such identity. */

const reconnectMs = 2000;

/** The service sends a ping every 15 seconds; a connection that is silent for this long counts as broken. */
const silenceTimeoutMs = 40_000;

/** @param {string} id Of the form `<run>-<n>`; with a journal `<seq>.<run>-<n>`, or `<seq>` alone, which names no run. */
const runOf = id => /(?:^|\.)(?<run>[^.]*)-\d+$/.exec(id)?.groups?.run ?? '';

/**
 * @param {object} options
 * @param {string} options.types The types of events, as `GET /events` takes them.
 * @param {(message: Message) => void} options.onMessage
 * @param {(connection: Connection, reason: string) => void} options.onConnection With the service's reason where it refused the stream.
 * @param {() => void} options.onOtherRun Called when the service was restarted: what the page knows of the earlier run no longer applies.
 */
export const followEvents = async ({types, onMessage, onConnection, onOtherRun}) => {
	let lastId = '';
	for (;;) {
		let reason = '';
		try {
			const silence = new AbortController();
			const response = await request(`events?history=true&types=${types}`, {
				signal: silence.signal,
				headers: {Accept: 'text/event-stream', ...(lastId && {'Last-Event-ID': lastId})},
			});
			if (!response.ok) {
				const {message, code} = await readFailure(response);
				if (response.status === 404) {
					onConnection(code === 'unknown_identity' ? 'unknown' : 'none', message);
					return;
				}

				reason = message;
			} else if (response.body) {
				onConnection('live', '');
				let timer = setTimeout(() => silence.abort(), silenceTimeoutMs);
				const parser = new EventParser(lastId);
				const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
				for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
					clearTimeout(timer);
					timer = setTimeout(() => silence.abort(), silenceTimeoutMs);
					for (const {id, event: type, data} of parser.read(chunk.value)) {
						if (lastId && runOf(id) !== runOf(lastId)) {
							onOtherRun();
						}

						lastId = id;
						onMessage({type, data: JSON.parse(data)});
					}
				}

				clearTimeout(timer);
			}
		} catch {
			// Reported as a lost connection, and tried again.
		}

		onConnection('lost', reason);
		await new Promise(resolve => {
			setTimeout(resolve, reconnectMs);
		});
	}
};
