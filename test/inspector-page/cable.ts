/** A way to a service that can be cut, and led to another one. */
import {connect, createServer, type AddressInfo, type Socket} from 'node:net';
import type {ExecutionContext} from 'ava';

/** Listens on a free port of this machine, and passes everything on to `to`. */
export const cable = async (t: ExecutionContext, to: number) => {
	let target = to;
	const sockets = new Set<Socket>();
	const keep = (socket: Socket): Socket => {
		sockets.add(socket);
		return socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
	};

	const server = createServer((near) => {
		const far = connect(target, '127.0.0.1');
		keep(near).pipe(keep(far)).pipe(near);
		near.once('close', () => far.destroy());
		far.once('close', () => near.destroy());
	});
	const cut = (): void => {
		for (const socket of sockets) {
			socket.destroy();
		}
	};

	await new Promise<void>((resolve) => {
		server.listen(0, '127.0.0.1', resolve);
	});
	t.teardown(() => {
		server.close();
		cut();
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** Breaks every connection there is; new ones pass. */
		cut,
		/** Leads to another port from now on. */
		lead(port: number) {
			target = port;
			cut();
		},
	};
};
