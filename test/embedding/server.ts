/** A real HTTP server on a free port of this machine. */
import {once} from 'node:events';
import {createServer, type RequestListener, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ExecutionContext} from 'ava';

/** @returns its address, without a trailing slash, and a function that closes it */
export const startServer = async (answer: RequestListener): Promise<{url: string; close: () => Promise<void>}> => {
	const server = createServer(answer);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
};

/** A server of one test. */
export const serve = async (t: ExecutionContext, answer: RequestListener): Promise<string> => {
	const {url, close} = await startServer(answer);
	t.teardown(close);
	return url;
};

/** An address without a server. A port that was free a moment ago might be given to the next server; this one never is. */
export const closedAddress = (): string => 'http://127.0.0.1:2';

/** Answers with a beginning and then with endless numbers, as fast as they are read. */
export const answerEndlessly = (response: ServerResponse, status: number, beginning: string): void => {
	const chunk = '0.123456,'.repeat(10_000);
	const write = () => {
		while (!response.destroyed && response.write(chunk)) {
			// Until the buffer is full.
		}
	};

	response.writeHead(status, {'content-type': 'application/json'}).write(beginning);
	response.on('drain', write);
	write();
};

/** A server that must not receive a request. */
export const unreached = async (t: ExecutionContext): Promise<string> => serve(t, (request, response) => {
	t.fail(`${request.method} ${request.url} reached another server, with ${JSON.stringify(request.headers)}`);
	response.end();
});
