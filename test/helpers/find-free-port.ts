import {once} from 'node:events';
import {createServer} from 'node:net';

/** Ports below the ephemeral ones of Linux, macOS and Windows. */
const [first, last] = [12_000, 32_000];

/**
 * A port of this machine on which no server listens, and which the system gives to no other process:
 * an ephemeral one could go to the next connection before it is used.
 */
export const findFreePort = async (): Promise<number> => {
	for (;;) {
		const port = first + Math.floor(Math.random() * (last - first));
		const server = createServer().listen(port);
		try {
			await once(server, 'listening');
		} catch {
			continue;
		}

		server.close();
		await once(server, 'close');
		return port;
	}
};
