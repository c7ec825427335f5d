/** A store on a Weaviate server whose answers a test gives. */
import type {IncomingHttpHeaders, RequestListener, ServerResponse} from 'node:http';
import type {ExecutionContext} from 'ava';
import type {Store} from '../../../src/sources/store/store.ts';
import {openWeaviate, type WeaviateOptions} from '../../../src/sources/store/weaviate/store.ts';
import {serve} from '../../embedding/server.ts';
import {directionOf, stateOf, thoughtOf, type Holdings} from './conformance.ts';

export const openAt = (t: ExecutionContext, url: string, options: Partial<WeaviateOptions> = {}): Store => {
	// A slow machine must not make a request time out.
	const store = openWeaviate({url, timeoutMs: 3_600_000, ...options});
	t.teardown(async () => store.close());
	return store;
};

/** A store on a server, and the requests that the server received. */
export const openOn = async (t: ExecutionContext, answer: RequestListener, options: Partial<WeaviateOptions> = {}) => {
	const asked: Array<{path: string; query: URLSearchParams; headers: IncomingHttpHeaders}> = [];
	const url = await serve(t, (request, response) => {
		const {pathname, searchParams} = new URL(request.url!, 'http://localhost');
		asked.push({path: `${request.method} ${pathname}`, query: searchParams, headers: request.headers});
		void answer(request, response);
	});
	return {store: openAt(t, url, options), asked, url};
};

export const some: Holdings = {
	states: [stateOf(3)],
	thoughts: [thoughtOf('a thought', Float32Array.of(1, 2))],
	directions: [directionOf('joy')],
};

/** Every read of a store, by its result. */
export const readings = {
	state: async (store: Store, signal?: AbortSignal) => store.latestState(signal),
	thoughts: async (store: Store, signal?: AbortSignal) => store.thoughts(500, signal),
	nearest: async (store: Store, signal?: AbortSignal) => store.nearestThoughts(Float32Array.of(1, 0), {limit: 5, signal}),
	directions: async (store: Store, signal?: AbortSignal) => store.directions(signal),
};

export type Answer = (response: ServerResponse) => void;

export const raw = (status: number, body: string): Answer => response => {
	response.writeHead(status).end(body);
};
