/**
 * `GET /events`: the events of the identity as server-sent events, until the client disconnects. After a break, a client can
 * resume after the last event that it received.
 */
import type {Context, Middleware} from 'koa';
import {Type} from '../../platform/typebox.ts';
import {EventConnection} from '../event-connection.ts';
import type {EventFeed} from '../http-options.ts';
import {unrefTimers, type Timers} from '../../platform/clock.ts';
import {BusyError, UnavailableError} from '../../platform/errors.ts';
import type {StreamFilter} from '../../observe/inspection.ts';
import {nameOf} from '../../platform/option-names.ts';
import {hintAt} from '../../platform/unknown-names.ts';
import type {InvalidField} from '../../wire/errors.ts';
import {toRequestError} from '../middleware/validation.ts';
import {errorResponses} from '../schemas/errors.ts';
import type {Operation} from './route.ts';
import {flag, text} from '../../wire/builders.ts';

export const events: Operation = {
	method: 'GET',
	path: '/events',
	summary: 'Events as they happen',
	description: 'A stream of server-sent events: first the present actors, state and mode, then every event. A client that reconnects '
		+ 'sends the id of its last event as Last-Event-ID, and the stream resumes after it, as far back as a bounded buffer reaches; '
		+ 'after a restart, or on another node, what the journal keeps is sent again: cycles, held texts and what became of them, resets, '
		+ 'validations and revisions. A client that reads too slowly hears how many events it missed, and is disconnected.',
	query: Type.Object({
		types: text('Types of events, separated by commas; a word may end in * for any ending. At most 32 words; '
			+ 'default all types.', 'cycle.*,mode.changed'),
		contents: flag('Whether texts are included; otherwise “…” replaces them.', false),
		history: flag('Whether the buffered events come first.', false),
		last_event_id: text('The same as the header Last-Event-ID, for clients that cannot set it.', '1042.4f1c-12'),
	}),
	responses: errorResponses(422, 429, 503),
	texts: {'text/event-stream': text('Events, each with an id, a type and one JSON object.', 'id: 1042.4f1c-12\nevent: '
		+ 'mode.changed\ndata: {"mode":"conversation","is_ruminating":false,"daemon_running":false}\n\n')},
};

export type EventStreamOptions = {
	timers?: Timers;
	/** Maximum bytes that wait for one client, besides the history that it requested. @default 1 MiB */
	maxBacklogBytes?: number;
	/** Counts the streams of all identities served together. @default those of this identity */
	all?: {
		open: number;
		/** Identities with streams, at most `maxIdentities`: each stays in memory. */
		identities: number;
		maxIdentities: number;
	};
	/** Returns false if another node may have the identity by now. Then its streams end, and clients resume there. @default always true */
	isCurrent?: (() => boolean) | undefined;
};

/** The event stream of one identity, for up to 100 clients. */
export type EventRoute = {
	handle: Middleware;
	/** Ends every stream and refuses new ones. A server with open streams cannot close. */
	close(): void;
};

/** Streams of one identity, which writes to all of them on its own thread. */
const maxStreams = 100;

/** Streams of all identities. Each keeps its unread events and its identity in memory. */
const maxStreamsOfAll = 500;

/** Longer than a list of all types. */
const maxQueryLength = 2048;

const maxTypes = 32;

const headers = {
	'Content-Type': 'text/event-stream; charset=utf-8',
	'Cache-Control': 'no-cache, no-transform',
	'X-Accel-Buffering': 'no',
};

/**
 * Creates the event stream of an inspection.
 *
 * `handle` throws a request error (422) for an invalid query, `UnavailableError` once the stream is closed, and
 * {@link BusyError} when 100 streams are open, 500 of all identities, or streams of too many identities.
 */
export const createEventStream = (
	feed: EventFeed,
	{
		timers = unrefTimers, maxBacklogBytes = 2 ** 20, all = {open: 0, identities: 0, maxIdentities: Infinity}, isCurrent = () => true,
	}: EventStreamOptions = {},
): EventRoute => {
	const open = new Set<EventConnection>();
	let isClosed = false;

	/** @throws {BusyError} when no further stream may be opened */
	const requireFree = (): void => {
		const isCrowded = open.size === 0 && all.identities >= all.maxIdentities;
		if (isCrowded || open.size >= maxStreams || all.open >= maxStreamsOfAll) {
			const taken = isCrowded
				? `Event streams already keep ${all.maxIdentities} identities in memory, half of ${nameOf('host.maxLive')}`
				: `${open.size >= maxStreams ? maxStreams : maxStreamsOfAll} event streams are already open`;
			throw new BusyError(`${taken}; try again when one has ended.`, 30);
		}
	};

	return {
		handle(ctx) {
			if (isClosed) {
				throw new UnavailableError('The service is stopping.');
			}

			requireFree();
			const filter = parseFilter(ctx, feed.types);
			if (ctx.method === 'HEAD') {
				ctx.status = 200;
				ctx.set(headers);
				return;
			}

			// With a stream as its body, Koa would take its end for a failed connection, and log every client that leaves.
			ctx.respond = false;
			ctx.res.writeHead(200, headers);
			const connection = new EventConnection(ctx.res, timers, maxBacklogBytes);
			all.identities += open.size === 0 ? 1 : 0;
			open.add(connection);
			all.open++;
			ctx.res.once('close', () => {
				connection.stop();
				open.delete(connection);
				all.open--;
				all.identities -= open.size === 0 ? 1 : 0;
			});
			// Without an id, a client whose connection breaks before its first event could not resume.
			const place = filter.after === null && feed.latestId ? `id: ${feed.latestId}\n` : '';
			connection.start(place, listener => feed.watch(filter, listener), isCurrent);
		},

		close() {
			isClosed = true;
			for (const connection of open) {
				connection.end();
			}
		},
	};
};

/** @throws {RequestError} (422) when the query is invalid */
const parseFilter = (ctx: Context, known: readonly string[]): StreamFilter => {
	if (ctx.querystring.length > maxQueryLength) {
		throw toRequestError([{
			type: 'string_too_long', loc: ['query'], msg: `The query should have at most ${maxQueryLength} characters`,
			input: ctx.querystring, ctx: {max_length: maxQueryLength},
		}]);
	}

	const errors: InvalidField[] = [];
	/** A list, of a parameter that is repeated, becomes words separated by commas. */
	const valueOf = (name: string): string | undefined => ctx.query[name]?.toString();
	const fail = (type: string, name: string, msg: string, input = valueOf(name)): void => {
		errors.push({type, loc: ['query', name], msg, input});
	};

	const parseFlag = (name: string): boolean => {
		const input = valueOf(name) ?? 'false';
		if (input !== 'true' && input !== 'false') {
			fail('bool_parsing', name, 'Input should be a valid boolean, true or false');
		}

		return input === 'true';
	};

	const names = Object.keys(events.query!.properties);
	for (const name of Object.keys(ctx.query).filter(each => !names.includes(each))) {
		fail('extra_forbidden', name, `Extra inputs are not permitted${hintAt(name, names)}`);
	}

	const patterns = (valueOf('types') ?? '*').split(',').map(pattern => pattern.trim());
	if (patterns.length > maxTypes) {
		throw toRequestError([{
			type: 'too_long', loc: ['query', 'types'],
			msg: `Name at most ${maxTypes} types, not ${patterns.length}; a word may end in * for several`, input: valueOf('types'),
			ctx: {max_length: maxTypes},
		}]);
	}

	const types = patterns.flatMap(input => {
		const matches = known.filter(input.endsWith('*') ? type => type.startsWith(input.slice(0, -1)) : type => type === input);
		if (matches.length === 0) {
			fail('enum', 'types', `Input should be a type of event, or the beginning of one and *: ${known.join(', ')}`, input);
		}

		return matches;
	});
	const filter = {
		types: new Set(types),
		contents: parseFlag('contents'),
		history: parseFlag('history'),
		after: ctx.get('Last-Event-ID') || valueOf('last_event_id') || null,
	};
	if (errors.length > 0) {
		throw toRequestError(errors);
	}

	return filter;
};
