/** A network link to a port of this machine, which can be slow or cut. A cut link passes nothing, and closes no connection. */
import {once} from 'node:events';
import {connect, createServer, type AddressInfo, type Socket} from 'node:net';
import {Transform} from 'node:stream';
import {setTimeout} from 'node:timers/promises';

export type Link = AsyncDisposable & {
	readonly port: number;
	/** The delay of bytes, in each direction. */
	delayMs: number;
	/** While it is cut, bytes wait. */
	isCut: boolean;
	/** Breaks all connections, and refuses new ones until it is called with `false`. */
	refuse(isRefused: boolean): void;
};

export const openLink = async (target: number): Promise<Link> => {
	const sockets = new Set<Socket>();
	const delayed = (): Transform => new Transform({
		async transform(chunk, _, done) {
			await setTimeout(link.delayMs);
			while (link.isCut) {
				await setTimeout(10);
			}

			done(null, chunk);
		},
	});
	let isRefused = false;
	const server = createServer(near => {
		if (isRefused) {
			near.resetAndDestroy();
			return;
		}

		const far = connect(target, '127.0.0.1');
		for (const [from, to] of [[near, far], [far, near]] as const) {
			sockets.add(from);
			from.on('error', () => {}).on('close', () => {
				sockets.delete(from);
				// A cut link does not close the other side.
				void untilWhole().then(() => to.destroy());
			});
			from.pipe(delayed()).pipe(to);
		}
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const untilWhole = async (): Promise<void> => {
		while (link.isCut) {
			await setTimeout(10);
		}
	};

	const link: Link = {
		port: (server.address() as AddressInfo).port,
		delayMs: 0,
		isCut: false,
		refuse(isSo) {
			isRefused = isSo;
			for (const socket of isSo ? sockets : []) {
				socket.resetAndDestroy();
			}
		},
		async [Symbol.asyncDispose]() {
			link.isCut = false;
			server.close();
			for (const socket of sockets) {
				socket.destroy();
			}
		},
	};
	return link;
};
