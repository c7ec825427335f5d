/**
 * The connection of one client of an event stream. Events of one turn of the event loop are written together. A client that
 * reads more slowly than events happen is notified and disconnected.
 */
import type {ServerResponse} from 'node:http';
import type {WatchedEvent} from '../observe/inspection.ts';
import type {Timers} from '../platform/clock.ts';

/** The interval of pings. Proxies drop connections that are silent for longer. */
const pingIntervalMs = 15_000;

const retryDelayMs = 2000;

/** How long a client may take to read the end of its stream. */
const closeTimeoutMs = 10_000;

type Watch = (listener: (event: WatchedEvent) => void) => () => void;

/** Events in the format of `text/event-stream`. Id, type and JSON contain no line breaks. */
const format = (events: readonly WatchedEvent[]): string =>
	events.map(({id, type, json}) => `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`).join('');

export class EventConnection {
	readonly #response: ServerResponse;
	readonly #timers: Timers;
	#maxBacklogBytes: number;
	/** The events to write at the end of this turn of the event loop. */
	#pending: WatchedEvent[] = [];
	#flush: NodeJS.Immediate | undefined;
	#lastWrittenId = '';
	#timer: unknown;
	#unwatch = (): void => {};
	#isOver = false;

	constructor(response: ServerResponse, timers: Timers, maxBacklogBytes: number) {
		this.#response = response;
		this.#timers = timers;
		this.#maxBacklogBytes = maxBacklogBytes;
	}

	/**
	 * @param place The line with the id after which the stream begins. It is sent only if no past event comes first: before the
	 * past, it would let a client skip the events that a break withholds.
	 * @param isCurrent Called with each ping; if it returns false, the stream ends.
	 */
	start(place: string, watch: Watch, isCurrent: () => boolean): void {
		this.#unwatch = watch(event => this.#add(event));
		const beginning = `retry: ${retryDelayMs}\n${this.#pending.length === 0 ? place : ''}\n`;
		// The history is sent in one piece, and reading it takes time.
		this.#maxBacklogBytes += Buffer.byteLength(beginning + format(this.#pending));
		this.#write(beginning);
		this.#schedulePing(isCurrent);
	}

	/** Sends the pending events, and gives the client 10 s to read them. */
	end(): void {
		if (!this.#isOver) {
			this.stop();
			this.#response.end(format(this.#pending));
			this.#timer = this.#timers.setTimeout(() => this.#response.destroy(), closeTimeoutMs);
		}
	}

	stop(): void {
		this.#isOver = true;
		this.#unwatch();
		this.#timers.clearTimeout(this.#timer);
		clearImmediate(this.#flush);
	}

	#add(event: WatchedEvent): void {
		this.#pending.push(event);
		this.#flush ??= setImmediate(() => this.#write());
	}

	/** @param first A text to write before the pending events. */
	#write(first = ''): void {
		clearImmediate(this.#flush);
		this.#flush = undefined;
		if (this.#response.writableLength > this.#maxBacklogBytes) {
			this.#drop();
		} else {
			this.#response.write(first + format(this.#pending));
			this.#lastWrittenId = this.#pending.at(-1)?.id ?? this.#lastWrittenId;
			this.#pending = [];
		}
	}

	/** Ends the stream before the pending events: a client that reconnects gets those that are still buffered. */
	#drop(): void {
		const reason = 'Events are read more slowly than they happen.';
		const json = JSON.stringify({missed: this.#pending.length, reason});
		this.#pending = [{id: this.#lastWrittenId, type: 'stream.dropped', json}];
		this.end();
	}

	#schedulePing(isCurrent: () => boolean): void {
		this.#timer = this.#timers.setTimeout(() => {
			this.#write(': ping\n\n');
			if (!isCurrent()) {
				this.end();
			} else if (!this.#isOver) {
				this.#schedulePing(isCurrent);
			}
		}, pingIntervalMs);
	}
}
