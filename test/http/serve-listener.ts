import {once} from 'node:events';
import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ExecutionContext} from 'ava';

/** A server of this listener, closed at the test's end. @returns its address */
export const serveListener = async (t: ExecutionContext, listener: RequestListener): Promise<string> => {
	const server = createServer(listener).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
