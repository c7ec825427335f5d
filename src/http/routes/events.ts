/**
 * `GET /events`: what happens in the process, as server-sent events, for as long as the client
 * stays.
 *
 * What happens in one turn of the event loop is written at once. A consumer that reads more
 * slowly than things happen is told so, and its stream ends; like after any break it can go on
 * behind the last event that it got.
 */
import type {ServerResponse} from 'node:http';
import type {Context, Middleware} from 'koa';
import {BusyError, UnavailableError} from '../../errors.ts';
import {unrefTimers, type Timers} from '../../clock.ts';
import {invalid} from '../middleware/validation.ts';

/** An event as it is streamed. */
export type StreamedEvent = {
	readonly id: string;
	readonly type: string;
	/** One JSON object, without line breaks. */
	readonly json: string;
};

/** What a consumer asks for. */
export type StreamWish = {types: ReadonlySet<string>; contents: boolean; history: boolean; after: string | null};

/** Where events come from. */
export type EventSource = {
	/** Every type that there is. */
	readonly types: readonly string[];
	/** Tells of the past that is wished for, at once, then of everything as it happens. Returns what ends it. */
	watch(wish: StreamWish, hear: (event: StreamedEvent) => void): () => void;
};

/** How much may wait, and by which timers. */
export type StreamOptions = {
	timers?: Timers;
	/** Bytes that may wait for a consumer to read them, the past that it asked for aside; 1 MiB unless given. */
	backlogLimit?: number;
};

/** The stream of one source, for any number of consumers. */
export type EventStream = {
	/** Answers GET with the stream. */
	handle: Middleware;
	/** Ends every stream, and opens none any more. A server with open streams cannot close. */
	close(): void;
};

/** Proxies drop connections on which nothing comes. */
const pingEvery = 15_000;

/** How long a client that has lost its connection is to wait before it comes back. */
const retryAfter = 2000;

/** How long the end of a stream may take to be read. */
const grace = 10_000;

/** The process writes to each of them in its own turn. */
const mostStreams = 100;

/** Longer than all types by name. */
const maxQueryLength = 2048;

/** Types that may be named. */
const maxWords = 32;

const headers = {
	'Content-Type': 'text/event-stream; charset=utf-8',
	'Cache-Control': 'no-cache, no-transform',
	'X-Accel-Buffering': 'no',
};

/**
 * The stream of a source, for many clients.
 *
 * `handle` throws a refusal (422) for a query that says nothing known, {@link BusyError}
 * with 100 streams open, and {@link UnavailableError} once it is closed.
 */
export const eventStream = (source: EventSource, {timers = unrefTimers, backlogLimit = 2 ** 20}: StreamOptions = {}): EventStream => {
	const open = new Set<Stream>();
	let isClosed = false;

	return {
		handle(ctx) {
			if (isClosed) {
				throw new UnavailableError('The service is stopping.');
			}

			if (open.size >= mostStreams) {
				throw new BusyError(`${mostStreams} streams of events are open already; try again when one has ended.`, 30);
			}

			const wish = wishOf(ctx, source.types);
			if (ctx.method === 'HEAD') {
				ctx.status = 200;
				ctx.set(headers);
				return;
			}

			// Koa takes the end of a body that is a stream for a failed connection, and would tell of every client that leaves.
			ctx.respond = false;
			ctx.res.writeHead(200, headers);
			const stream = new Stream(ctx.res, timers, backlogLimit);
			open.add(stream);
			ctx.res.once('close', () => {
				stream.stop();
				open.delete(stream);
			});
			stream.begin(hear => source.watch(wish, hear));
		},

		close() {
			isClosed = true;
			for (const stream of open) {
				stream.end();
			}
		},
	};
};

/** An event in the format of `text/event-stream`. Its id, type and JSON hold no line breaks. */
const format = ({id, type, json}: StreamedEvent): string => `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;

class Stream {
	readonly #response: ServerResponse;
	readonly #timers: Timers;
	#backlogLimit: number;
	/** The text that is written at the end of this turn of the event loop. */
	#waiting = '';
	#waitingEvents = 0;
	#flush: NodeJS.Immediate | undefined;
	#lastId = '';
	#lastWrittenId = '';
	#timer: unknown;
	#stopWatching = (): void => {};
	#isOver = false;

	constructor(response: ServerResponse, timers: Timers, backlogLimit: number) {
		this.#response = response;
		this.#timers = timers;
		this.#backlogLimit = backlogLimit;
	}

	begin(watch: (hear: (event: StreamedEvent) => void) => () => void): void {
		this.#waiting = `retry: ${retryAfter}\n\n`;
		this.#stopWatching = watch((event) => {
			this.#hear(event);
		});
		// The past comes in one piece, and to read it takes its time.
		this.#backlogLimit += Buffer.byteLength(this.#waiting);
		this.#write();
		this.#pingLater();
	}

	/** Sends what waits, and leaves the client some time to read it. */
	end(): void {
		if (!this.#isOver) {
			this.stop();
			this.#response.end(this.#waiting);
			this.#timer = this.#timers.setTimeout(() => {
				this.#response.destroy();
			}, grace);
		}
	}

	/** Hears, writes and waits no more. */
	stop(): void {
		this.#isOver = true;
		this.#stopWatching();
		this.#timers.clearTimeout(this.#timer);
		clearImmediate(this.#flush);
	}

	#hear(event: StreamedEvent): void {
		this.#waiting += format(event);
		this.#waitingEvents++;
		this.#lastId = event.id;
		this.#flush ??= setImmediate(() => {
			this.#write();
		});
	}

	#write(): void {
		clearImmediate(this.#flush);
		this.#flush = undefined;
		if (this.#response.writableLength > this.#backlogLimit) {
			this.#drop();
		} else {
			this.#response.write(this.#waiting);
			this.#waiting = '';
			this.#waitingEvents = 0;
			this.#lastWrittenId = this.#lastId;
		}
	}

	/** Stops before what waits, so that a client which comes back misses nothing that is still in the past. */
	#drop(): void {
		const reason = 'Events are read more slowly than they happen.';
		this.#waiting = format({id: this.#lastWrittenId, type: 'stream.dropped', json: JSON.stringify({missed: this.#waitingEvents, reason})});
		this.end();
	}

	#pingLater(): void {
		this.#timer = this.#timers.setTimeout(() => {
			this.#waiting += ': ping\n\n';
			this.#write();
			if (!this.#isOver) {
				this.#pingLater();
			}
		}, pingEvery);
	}
}

/** What a request asks for. @throws {Refusal} (422) where it says what nobody knows */
const wishOf = (ctx: Context, known: readonly string[]): StreamWish => {
	if (ctx.querystring.length > maxQueryLength) {
		throw invalid([{type: 'string_too_long', loc: ['query'], msg: `The query should have at most ${maxQueryLength} characters`, input: ctx.querystring, ctx: {max_length: maxQueryLength}}]);
	}

	const faults: Parameters<typeof invalid>[0][number][] = [];
	const valueOf = (name: string): string | undefined => {
		const given = ctx.query[name];
		return Array.isArray(given) ? given.join(',') : given;
	};

	const flag = (name: string): boolean => {
		const input = valueOf(name) ?? 'false';
		if (input !== 'true' && input !== 'false') {
			faults.push({type: 'bool_parsing', loc: ['query', name], msg: 'Input should be a valid boolean, true or false', input});
		}

		return input === 'true';
	};

	const words = (valueOf('types') ?? '*').split(',').map(word => word.trim());
	if (words.length > maxWords) {
		throw invalid([{type: 'too_long', loc: ['query', 'types'], msg: `At most ${maxWords} types should be named, not ${words.length}; a word may end in * for several`, input: valueOf('types'), ctx: {max_length: maxWords}}]);
	}

	const types = words.flatMap((input) => {
		const meant = known.filter(input.endsWith('*') ? type => type.startsWith(input.slice(0, -1)) : type => type === input);
		if (meant.length === 0) {
			faults.push({type: 'enum', loc: ['query', 'types'], msg: `Input should be a type of event, or the beginning of one and *: ${known.join(', ')}`, input});
		}

		return meant;
	});
	const wish = {
		types: new Set(types),
		contents: flag('contents'),
		history: flag('history'),
		after: ctx.get('Last-Event-ID') || valueOf('last_event_id') || null,
	};
	if (faults.length > 0) {
		throw invalid(faults);
	}

	return wish;
};
