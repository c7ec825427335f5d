/** Error texts for an address that a server cannot listen on, and the address for clients. */
import {nameOf} from '../platform/option-names.ts';

export const explainListenError = ({code, message}: NodeJS.ErrnoException, host: string, port: number): string => {
	const [hostOption, portOption] = [nameOf('listen.host'), nameOf('listen.port')];
	const known: Record<string, string> = {
		EADDRINUSE: `Port ${port} on ${host} is in use: stop the program that uses it, or set ${portOption} to another port.`,
		EACCES: `Port ${port} on ${host} needs privileges: set ${portOption} to one over 1023.`,
		// Node's own text names a parameter of its API.
		ERR_SOCKET_BAD_PORT: `${port} is not a port: set ${portOption} to a whole number from 0 to 65535; 0 takes a free one.`,
	};
	return known[code ?? ''] ?? `The service cannot listen on ${host}, port ${port}: ${message}. Set ${hostOption} and ${portOption} to an `
		+ 'address of this machine.';
};

/** A host name that clients on this machine can connect to, also where the server listens on every address. */
export const toReachableHost = (host: string): string => {
	const reachable = {'0.0.0.0': '127.0.0.1', '::': '::1'}[host] ?? host;
	return reachable.includes(':') ? `[${reachable}]` : reachable;
};
