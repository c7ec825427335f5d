/**
 * Passes web-standard requests to a handler of `node:http`, in memory and with backpressure in both directions. So a slow
 * reader of an event stream slows the stream down, and one that leaves ends it. Libraries for this buffer every byte and do
 * not notice when a client leaves.
 */
import type {IncomingMessage, ServerResponse} from 'node:http';
import {Readable, Writable} from 'node:stream';
import type {Handle} from './hosts.ts';

export const toFetch = (handle: Handle) => async (request: Request): Promise<Response> => {
	const incoming = toIncoming(request);
	const outgoing = new WebResponse();
	const abort = (): void => {
		incoming.destroy();
		// A host whose client has left cancels its reading in the same turn. It would log an error of the body that came earlier.
		queueMicrotask(() => outgoing.abort(request.signal.reason));
	};

	if (request.signal.aborted) {
		throw request.signal.reason;
	}

	request.signal.addEventListener('abort', abort);
	outgoing.once('close', () => request.signal.removeEventListener('abort', abort));
	handle(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse)
		.catch((error: unknown) => outgoing.abort(error));
	return outgoing.response;
};

/** The part of a `node:http` request that Koa and the routes read. */
const toIncoming = (request: Request): Readable => {
	const {protocol, host, pathname, search} = new URL(request.url);
	// Read before the stream is taken: in Bun the body counts as used from then on.
	const isRead = request.bodyUsed;
	const incoming = request.body && !isRead
		? Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0], {objectMode: false})
		: Readable.from([]);
	if (isRead) {
		// Like a body that a Node host has already read.
		Object.defineProperty(incoming, 'readableDidRead', {value: true});
	}

	return Object.assign(incoming, {
		method: request.method,
		url: pathname + search,
		// Hosts compress web-standard responses themselves, and some would compress a compressed one again.
		headers: {host, ...Object.fromEntries(request.headers), 'accept-encoding': 'identity'},
		httpVersion: '1.1',
		socket: {encrypted: protocol === 'https:', remoteAddress: ''},
	});
};

/** The part of a `node:http` response that Koa and the routes use. */
class WebResponse extends Writable {
	statusCode = 200;
	statusMessage = '';
	headersSent = false;
	readonly #answer = Promise.withResolvers<Response>();
	readonly #headers = new Headers();
	#body: ReadableStreamDefaultController<Uint8Array> | null = null;
	/** Called when the reader asks for more. */
	#onPull: (() => void) | null = null;

	/** Resolves when the handler has sent the headers. */
	get response(): Promise<Response> {
		return this.#answer.promise;
	}

	get finished(): boolean {
		return this.writableEnded;
	}

	setHeader(name: string, value: number | string | readonly string[]): this {
		this.#headers.delete(name);
		for (const each of [value].flat()) {
			this.#headers.append(name, String(each));
		}

		return this;
	}

	getHeader(name: string): string | undefined {
		return this.#headers.get(name) ?? undefined;
	}

	getHeaders(): Record<string, string> {
		return Object.fromEntries(this.#headers);
	}

	getHeaderNames(): string[] {
		return [...this.#headers.keys()];
	}

	hasHeader(name: string): boolean {
		return this.#headers.has(name);
	}

	removeHeader(name: string): void {
		this.#headers.delete(name);
	}

	writeHead(status: number, headers: Record<string, string> = {}): this {
		this.statusCode = status;
		for (const [name, value] of Object.entries(headers)) {
			this.setHeader(name, value);
		}

		return this;
	}

	/** Sends a body that is given whole without a stream. */
	override end(...given: unknown[]): this {
		const [body] = given;
		if (!this.headersSent && (typeof body === 'string' || body instanceof Uint8Array)) {
			this.#send(body as string);
			return super.end();
		}

		return super.end(...given as []);
	}

	/** Ends the exchange before the response, or in the middle of its body. */
	abort(reason: unknown): void {
		this.#answer.reject(reason);
		this.destroy();
	}

	override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
		if (!this.headersSent) {
			this.#send(new ReadableStream({
				start: controller => {
					this.#body = controller;
				},
				pull: () => this.#onPull?.(),
				cancel: () => {
					this.destroy();
				},
			}, {highWaterMark: 0}));
		}

		this.#onPull = () => {
			this.#onPull = null;
			done();
		};
		this.#body!.enqueue(chunk);
	}

	override _final(done: () => void): void {
		if (this.headersSent) {
			this.#body?.close();
			this.#body = null;
		} else {
			this.#send(null);
		}

		done();
	}

	override _destroy(error: Error | null, done: (error: Error | null) => void): void {
		const reason = error ?? new Error('The response ended early.');
		this.#answer.reject(reason);
		this.#body?.error(reason);
		this.#body = null;
		done(error);
	}

	#send(body: ReadableStream<Uint8Array> | string | null): void {
		this.headersSent = true;
		this.#answer.resolve(new Response(body, {status: this.statusCode, headers: this.#headers}));
	}
}
