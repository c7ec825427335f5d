import {once} from 'node:events';
import {createServer} from 'node:net';

/** The ports below those that Linux, macOS and Windows give to connections and to servers that ask for any. */
const [first, last] = [12_000, 32_000];

/**
 * A port of this machine that no server listens on now, and that no other process is given meanwhile:
 * one that the system itself gave could go to the next connection before it is used.
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
