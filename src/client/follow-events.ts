/**
 * The service's events, for as long as somebody listens: read from `GET /events`, and when the
 * connection breaks, read on behind the last event that came. `fetch` is used rather than
 * EventSource, which can carry no token and is not everywhere.
 */
import type {Timers} from '../clock.ts';
import {ClientError} from './client-error.ts';
import {eventMessages} from './event-messages.ts';
import type {ServiceEvent} from './event-types.ts';

export type FollowOptions = {
	/** Connects. @throws {ClientError} for an answer that is no success */
	connect: (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
	lastEventId: string;
	signal: AbortSignal | undefined;
	timers: Timers;
};

/** The service says something every 15 seconds; after this long without a word it is taken for gone. */
const patience = 40_000;

/** Between two tries to connect, in milliseconds. It doubles with every try that fails. */
const shortestPause = 1000;
const longestPause = 30_000;

/** @throws {ClientError} what `connect` throws at first; later only what trying again cannot mend. The signal's reason when it aborts. */
export async function * followEvents({connect, lastEventId, signal, timers}: FollowOptions): AsyncGenerator<ServiceEvent, void, void> {
	let isFirst = true;
	let failures = 0;
	let retry = shortestPause;

	for (;;) {
		signal?.throwIfAborted();
		/** Ends this connection: by the caller's signal, by silence, or because nobody listens any more. */
		const connection = new AbortController();
		const leave = () => {
			connection.abort(signal!.reason);
		};

		signal?.addEventListener('abort', leave);
		const within = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
			const timer = timers.setTimeout(() => {
				connection.abort(new Error('The service has fallen silent.'));
			}, patience);
			try {
				return await answer;
			} finally {
				timers.clearTimeout(timer);
			}
		};

		let askedToWait = 0;
		try {
			const response = await within(connect({Accept: 'text/event-stream', ...(lastEventId && {'Last-Event-ID': lastEventId})}, connection.signal));
			const reader = textOf(response).getReader();
			isFirst = false;
			const messages = eventMessages(lastEventId);
			for (let piece = await within(reader.read()); !piece.done; piece = await within(reader.read())) {
				failures = 0;
				for (const {id, event, data} of messages.read(piece.value)) {
					lastEventId = id;
					yield {id, type: event, data: JSON.parse(data)} as ServiceEvent;
					signal?.throwIfAborted();
				}

				retry = messages.retry ?? retry;
			}
		} catch (error) {
			signal?.throwIfAborted();
			if (isFirst || (error instanceof ClientError && !isPassing(error))) {
				throw error;
			}

			askedToWait = error instanceof ClientError ? (error.retryAfter ?? 0) * 1000 : 0;
		} finally {
			signal?.removeEventListener('abort', leave);
			connection.abort();
		}

		await pause(Math.max(askedToWait, retry, Math.min(retry * 2 ** failures, longestPause)), timers, signal);
		failures++;
	}
}

/** Whether the same request may succeed later. */
const isPassing = ({status}: ClientError): boolean => status === 408 || status === 429 || status >= 500;

const textOf = ({status, headers, body}: Response) => {
	if (!body || !headers.get('Content-Type')?.startsWith('text/event-stream')) {
		throw new ClientError(status, 'The answer is no stream of events. Is the base URL the service\'s?');
	}

	return body.pipeThrough(new TextDecoderStream());
};

const pause = (milliseconds: number, timers: Timers, signal: AbortSignal | undefined): Promise<void> => new Promise((resolve, reject) => {
	const leave = () => {
		timers.clearTimeout(timer);
		reject(signal!.reason);
	};

	const timer = timers.setTimeout(() => {
		signal?.removeEventListener('abort', leave);
		resolve();
	}, milliseconds);
	signal?.addEventListener('abort', leave, {once: true});
});
