/** Addresses to listen on, in words and for a client. */
import {reasonOf} from '../errors.ts';

/** Why an address cannot be listened on, and what to do. */
export const explain = (error: NodeJS.ErrnoException, host: string, port: number): string => {
	switch (error.code) {
		case 'EADDRINUSE': {
			return `Port ${port} on ${host} is in use: stop what listens there, or set PORT to another port.`;
		}

		case 'EACCES': {
			return `Port ${port} on ${host} needs privileges: set PORT to one over 1023.`;
		}

		// Node throws this one at once, in words that name its own parameter.
		case 'ERR_SOCKET_BAD_PORT': {
			return `There is no port ${port}: set PORT to a whole number from 0 to 65535; 0 takes a free one.`;
		}

		default: {
			return `The service cannot listen on ${host}, port ${port}: ${reasonOf(error)}. Set HOST and PORT to an address of this machine.`;
		}
	}
};

/** A name to reach the host under: the wildcard addresses are none. */
export const reachable = (host: string): string => {
	if (host === '0.0.0.0') {
		return '127.0.0.1';
	}

	if (host === '::') {
		return '[::1]';
	}

	return host.includes(':') ? `[${host}]` : host;
};
