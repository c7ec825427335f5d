/**
 * Follows the service's events: reads `GET /events`, and after a break reconnects and resumes
 * after the last event. It uses `fetch`: EventSource sends no token and is missing in some runtimes.
 */
import type {Timers} from '../platform/clock.ts';
import {ClientError, wrongResponse} from './client-error.ts';
import type {ServiceEvent} from './event-types.ts';
import {dataInEvents} from '../wire/event-types.ts';
import {camelName, renameAll} from '../wire/rename.ts';
import {globalTimers, wait} from '../platform/waiting.ts';

type EventMessage = {id: string; event: string; data: string};

/** A parser for `text/event-stream`, as the HTML standard defines it, fed with chunks of text. */
export class EventParser {
	/** The last id, even if its message has no data. */
	id: string;
	/** How long to wait before reconnecting, in milliseconds; null until the service says so. */
	retryMs: number | null = null;
	/** The message that is being read. Its id is valid until a later one has another. */
	#next: {id: string; event: string; data: string[]};
	#rest = '';
	#hasStarted = false;

	/** @param id The last known id. */
	constructor(id = '') {
		this.id = id;
		this.#next = {id, event: '', data: []};
	}

	/** Parses a chunk of the text. Returns the messages with data that it completes. */
	read(chunk: string): EventMessage[] {
		const text = this.#rest + (this.#hasStarted ? chunk : chunk.replace(/^\uFEFF/, ''));
		this.#hasStarted ||= chunk !== '';
		// A carriage return at the end may be half of a line break.
		const lines = text.split(/\r\n|\n|\r(?!$)/);
		this.#rest = lines.pop()!;
		return lines.flatMap(line => this.#readLine(line));
	}

	#readLine(line: string): EventMessage[] {
		if (line === '') {
			const {id, event, data} = this.#next;
			this.id = id;
			this.#next = {id, event: '', data: []};
			return data.length > 0 ? [{id, event: event || 'message', data: data.join('\n')}] : [];
		}

		const [, field, value = ''] = /^([^:]*)(?::? ?)([^]*)$/.exec(line)!;
		if (field === 'event') {
			this.#next.event = value;
		} else if (field === 'data') {
			this.#next.data.push(value);
		} else if (field === 'id' && !value.includes('\0')) {
			this.#next.id = value;
		} else if (field === 'retry' && /^\d+$/.test(value)) {
			this.retryMs = Number(value);
		}

		return [];
	}
}

/** An event with camelCase names. The frames of machines keep XState's. */
const toEvent = (id: string, type: string, data: object): ServiceEvent =>
	({id, type, data: type.startsWith('@xstate.') ? data : renameAll(data, camelName, dataInEvents)}) as ServiceEvent;

export type FollowOptions = {
	/** Connects. @throws {ClientError} for an error response */
	connect: (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
	lastEventId: string | undefined;
	signal: AbortSignal | undefined;
	timers?: Timers | undefined;
};

/** The service sends a ping every 15 seconds. After this long without data the connection counts as broken. */
const silenceTimeoutMs = 40_000;

/** The delay before a reconnect. It doubles with each failure; the maximum bounds how late a stream notices that the service is back. */
const minDelayMs = 1000;
const maxDelayMs = 5000;

/**
 * @throws {ClientError} whatever the first `connect` throws; later only errors that a retry cannot fix. The signal's
 * reason when it aborts.
 */
export async function * followEvents({
	connect, lastEventId = '', signal, timers = globalTimers,
}: FollowOptions): AsyncGenerator<ServiceEvent, void, void> {
	let isFirst = true;
	let failures = 0;
	let retryMs = minDelayMs;

	for (;;) {
		signal?.throwIfAborted();
		/** Ends this connection: on the caller's signal, on silence, or when the consumer stops. */
		const connection = new AbortController();
		const abort = () => connection.abort(signal!.reason);

		signal?.addEventListener('abort', abort);
		const withTimeout = async <Result>(result: Promise<Result>): Promise<Result> => {
			const timer = timers.setTimeout(() => connection.abort(new Error('The service has sent nothing for 40 seconds.')), silenceTimeoutMs);
			try {
				return await result;
			} finally {
				timers.clearTimeout(timer);
			}
		};

		let retryAfterMs = 0;
		try {
			const response = await withTimeout(connect(
				{Accept: 'text/event-stream', ...(lastEventId && {'Last-Event-ID': lastEventId})}, connection.signal,
			));
			const reader = readText(response).getReader();
			isFirst = false;
			const parser = new EventParser(lastEventId);
			for (let chunk = await withTimeout(reader.read()); !chunk.done; chunk = await withTimeout(reader.read())) {
				failures = 0;
				for (const {id, event, data} of parser.read(chunk.value)) {
					lastEventId = id;
					yield toEvent(id, event, JSON.parse(data) as object);
					signal?.throwIfAborted();
				}

				lastEventId = parser.id;
				retryMs = parser.retryMs ?? retryMs;
			}
		} catch (error) {
			signal?.throwIfAborted();
			if (isFirst || (error instanceof ClientError && !isTransient(error))) {
				throw error;
			}

			retryAfterMs = error instanceof ClientError ? (error.retryAfter ?? 0) * 1000 : 0;
		} finally {
			signal?.removeEventListener('abort', abort);
			connection.abort();
		}

		await wait(Math.max(retryAfterMs, retryMs, Math.min(retryMs * 2 ** failures, maxDelayMs)), timers, signal);
		failures++;
	}
}

/** Whether the same request may succeed later. */
const isTransient = ({status}: ClientError): boolean => status === 408 || status === 429 || status >= 500;

const readText = ({status, headers, body}: Response) => {
	if (!body || !headers.get('Content-Type')?.startsWith('text/event-stream')) {
		throw wrongResponse(status, 'an event stream');
	}

	return body.pipeThrough(new TextDecoderStream());
};
