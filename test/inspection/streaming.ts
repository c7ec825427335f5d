/** The event stream of a source, served as the service serves it, for the length of one test. */
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ExecutionContext} from 'ava';
import cors from '@koa/cors';
import Koa from 'koa';
import {SimulatedClock} from 'xstate';
import {errorHandler} from '../../src/http/error-handler.ts';
import {eventStream, type EventSource} from '../../src/http/event-stream.ts';
import {EventReader} from './event-reader.ts';

/** A source that a test drives by hand. */
export class FakeSource implements EventSource {
	readonly types = ['cycle.done', 'cycle.failed', 'mode.changed', '@xstate.actor', '@xstate.event', 'stream.dropped'];
	readonly wishes: Array<Parameters<EventSource['watch']>[0]> = [];
	/** What everyone hears first. */
	past: Array<Parameters<Parameters<EventSource['watch']>[1]>[0]> = [];
	readonly hearers = new Set<Parameters<EventSource['watch']>[1]>();
	#number = 0;

	watch(wish: Parameters<EventSource['watch']>[0], hear: Parameters<EventSource['watch']>[1]): () => void {
		this.wishes.push(wish);
		for (const event of this.past) {
			hear(event);
		}

		this.hearers.add(hear);
		return () => {
			this.hearers.delete(hear);
		};
	}

	happen(type: string, data: object = {}): void {
		this.#number++;
		for (const hear of this.hearers) {
			hear({id: `run-${this.#number}`, type, json: JSON.stringify(data)});
		}
	}
}

export const stream = async (t: ExecutionContext, source: EventSource, options: {backlogLimit?: number} = {}) => {
	const clock = new SimulatedClock();
	const events = eventStream(source, {timers: clock, ...options});
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
		/** What Koa heard of failed connections. */
		errors,
		open: (query = '', headers?: Record<string, string>) => EventReader.open(url + query, headers),
	};
};
