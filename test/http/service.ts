/**
 * The application of an identity, listening on a free port for one test. By default it allows
 * every origin, as the standalone service does.
 */
import {connect} from 'node:net';
import type {ExecutionContext} from 'ava';
import {createHttp} from '../../src/http/create-http.ts';
import type {HttpOptions} from '../../src/http/http-options.ts';
import {listen, type Listening} from '../../src/http/server.ts';
import type {Host} from '../../src/host/host.ts';
import type {Identity} from '../../src/identity/identity.ts';

export type Answer = {status: number; headers: Headers; body: unknown; text: string};

export type Service = Listening & {
	/** Sends a request. A body that is neither a string nor bytes is sent as JSON. */
	ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
};

export const serve = async (t: ExecutionContext, identity: Identity | Host, given: HttpOptions = {}): Promise<Service> => {
	const options: HttpOptions = {validateResponses: true, cors: '*', ...given};
	const {cors, token} = options;
	const http = createHttp(identity, options);
	const listening = await listen(http, {host: '127.0.0.1', port: 0, cors, token});
	t.teardown(() => {
		http.close();
		return listening.close();
	});

	return {
		...listening,
		async ask(method, path, body, headers = {}) {
			const response = await fetch(listening.url + path, {
				method,
				headers: {connection: 'close', ...headers},
				body: bytesOf(body),
			});
			const text = await response.text();
			return {status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text)};
		},
	};
};

/** Returns bytes, since fetch sets a content type for a string. */
const bytesOf = (body: unknown): Uint8Array<ArrayBuffer> | null => {
	if (body === undefined) {
		return null;
	}

	return body instanceof Uint8Array
		? new Uint8Array(body)
		: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
};

/** Sends raw bytes on a socket, and returns everything that it receives until the connection ends. */
export const exchange = (port: number, ...parts: (string | Uint8Array)[]): Promise<string> => new Promise((resolve, reject) => {
	const socket = connect(port, '127.0.0.1');
	let received = '';
	socket.on('data', (chunk) => {
		received += chunk.toString('latin1');
	});
	socket.once('close', () => {
		resolve(received);
	});
	socket.once('error', (error) => {
		if (received === '') {
			reject(error);
		}
	});
	for (const part of parts) {
		socket.write(part);
	}
});

/** The status, head and JSON body of a raw response. */
export const parseAnswer = (raw: string): {status: number; head: string; body: unknown} => {
	const [head = '', body = ''] = raw.split('\r\n\r\n');
	return {status: Number(head.split(' ')[1]), head, body: JSON.parse(body)};
};
