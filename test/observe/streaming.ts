/** The event stream of a source, served as the service serves it, for one test. */
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ExecutionContext} from 'ava';
import cors from '@koa/cors';
import Koa from 'koa';
import {SimulatedClock} from 'xstate';
import {errorHandler} from '../../src/http/middleware/error-handler.ts';
import type {EventFeed} from '../../src/http/http-options.ts';
import {createEventStream, type EventStreamOptions} from '../../src/http/routes/events.ts';
import {EventReader} from './event-reader.ts';

/** A source of events that a test emits. */
export class FakeSource implements EventFeed {
	readonly types = ['cycle.done', 'cycle.failed', 'mode.changed', '@xstate.actor', '@xstate.event', 'stream.dropped'];
	readonly filters: Array<Parameters<EventFeed['watch']>[0]> = [];
	/** Events that every listener receives first. */
	past: Array<Parameters<Parameters<EventFeed['watch']>[1]>[0]> = [];
	readonly listeners = new Set<Parameters<EventFeed['watch']>[1]>();
	#number = 0;

	watch(filter: Parameters<EventFeed['watch']>[0], listener: Parameters<EventFeed['watch']>[1]): () => void {
		this.filters.push(filter);
		for (const event of this.past) {
			listener(event);
		}

		this.listeners.add(listener);
		return () => {
			this.listeners.delete(listener);
		};
	}

	emit(type: string, data: object = {}): void {
		this.#number++;
		for (const listener of this.listeners) {
			listener({id: `run-${this.#number}`, type, json: JSON.stringify(data)});
		}
	}
}

export const stream = async (t: ExecutionContext, source: EventFeed, options: Omit<EventStreamOptions, 'timers'> = {}) => {
	const clock = new SimulatedClock();
	const events = createEventStream(source, {timers: clock, ...options});
	const errors: unknown[] = [];
	const app = new Koa();
	app.on('error', (error) => {
		errors.push(error);
	});
	app.use(cors({origin: '*'}));
	app.use(errorHandler());
	app.use(events.handle);
	const server = createServer(app.callback()).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return {
		clock,
		events,
		server,
		url,
		/** Errors of connections that Koa reported. */
		errors,
		open: (query = '', headers?: Record<string, string>) => EventReader.open(url + query, headers),
	};
};
