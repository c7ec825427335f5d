/** Error texts for an address that a server cannot listen on, and the address for clients. */
import {reasonOf} from '../platform/errors.ts';
import {nameOf} from '../platform/option-names.ts';

export const explainListenError = (error: NodeJS.ErrnoException, host: string, port: number): string => {
	switch (error.code) {
		case 'EADDRINUSE': {
			return `Port ${port} on ${host} is in use: stop the program that uses it, or set ${nameOf('listen.port')} to another port.`;
		}

		case 'EACCES': {
			return `Port ${port} on ${host} needs privileges: set ${nameOf('listen.port')} to one over 1023.`;
		}

		// Node's own text names a parameter of its API.
		case 'ERR_SOCKET_BAD_PORT': {
			return `${port} is not a port: set ${nameOf('listen.port')} to a whole number from 0 to 65535; 0 takes a free one.`;
		}

		default: {
			return `The service cannot listen on ${host}, port ${port}: ${reasonOf(error)}. Set ${nameOf('listen.host')} and `
				+ `${nameOf('listen.port')} to an address of this machine.`;
		}
	}
};

/** A host name that clients on this machine can connect to, also where the server listens on every address. */
export const toReachableHost = (host: string): string => {
	if (host === '0.0.0.0') {
		return '127.0.0.1';
	}

	if (host === '::') {
		return '[::1]';
	}

	return host.includes(':') ? `[${host}]` : host;
};
