/** Who can reach a service, in one line for its operator. */
import {isIP} from 'node:net';
import type {Sharing} from './middleware/origin.ts';

/** Where it can be reached from, by which pages, and with what. */
export const describeReach = (host: string, {allowedOrigins, token}: Sharing): string => {
	const pages = allowedOrigins === '*' ? 'pages of every origin' : `pages of ${allowedOrigins?.join(', ') || 'its own origin'}`;
	return `open to ${networkOf(host)} (HOST), to ${pages} (ALLOWED_ORIGINS), ${token === undefined ? 'without a token' : 'with the token alone'} (AUTH_TOKEN)`;
};

const networkOf = (host: string): string => {
	if (host === '0.0.0.0' || host === '::') {
		return 'every network of this machine';
	}

	const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
	return isLocal ? 'this machine alone' : `the network of ${host}`;
};
