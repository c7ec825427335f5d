/** One line for the operator: from where, by which pages and with which token a service can be used. */
import {isIP} from 'node:net';
import type {OriginPolicy} from '../http/http-options.ts';

export const describeExposure = (host: string, {cors, token}: OriginPolicy): string => {
	const pages = cors === '*' ? 'pages of every origin' : `pages of ${(cors && cors.join(', ')) || 'its own origin'}`;
	return `open to ${describeNetwork(host)} (HOST), to ${pages} (ALLOWED_ORIGINS), ${token === undefined ? 'without a token' : 'with the token only'} (AUTH_TOKEN)`;
};

const describeNetwork = (host: string): string => {
	if (host === '0.0.0.0' || host === '::') {
		return 'every network of this machine';
	}

	const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
	return isLocal ? 'this machine only' : `the network of ${host}`;
};
