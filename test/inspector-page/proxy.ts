/** A proxy to a service, whose connections can be cut and redirected to another service. */
import {connect, createServer, type AddressInfo, type Socket} from 'node:net';
import type {ExecutionContext} from 'ava';

/** Listens on a free port of this machine, and forwards all data to the port `to`. */
export const createProxy = async (t: ExecutionContext, to: number) => {
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
		/** Breaks all present connections; new ones are forwarded. */
		cut,
		/** Forwards to another port from now on. */
		redirect(port: number) {
			target = port;
			cut();
		},
	};
};
