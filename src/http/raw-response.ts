/**
 * Answers that the application has no part in, because a request cannot be made out or none of its
 * routes could take it. They carry what all of its answers do: JSON, an id, and the right to be read.
 */
import {STATUS_CODES, type IncomingMessage, type ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import {areCredentialsAllowed, exposedHeaders, reflected, type Sharing} from './middleware/origin.ts';
import {requestIdOf} from './middleware/request-id.ts';

/** What is known of the request: its headers may have come, and the application may have named it. */
type Asked = {request?: IncomingMessage | undefined; response?: ServerResponse | undefined; sharing: Sharing};

/** Answers a request. The connection ends with it. */
export const answer = (response: ServerResponse, status: number, asked: Asked): void => {
	response.writeHead(status, headersOf(status, asked)).end(bodyOf(status));
};

/** Answers on the bare socket, where no response could be made. */
export const refuse = (socket: Duplex, status: number, asked: Asked): void => {
	const headers = Object.entries(headersOf(status, asked)).map(([name, value]) => `${name}: ${value}`);
	socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', bodyOf(status)].join('\r\n'), 'latin1');
};

const bodyOf = (status: number): string => JSON.stringify({detail: STATUS_CODES[status]});

const headersOf = (status: number, {request, response, sharing}: Asked): Record<string, string | number> => ({
	'Content-Type': 'application/json; charset=utf-8',
	'Content-Length': bodyOf(status).length,
	Connection: 'close',
	...(status === 405 && {Allow: 'GET, HEAD, OPTIONS, POST'}),
	'X-Request-Id': String(response?.getHeader('X-Request-Id') ?? requestIdOf(String(request?.headers['x-request-id'] ?? ''))),
	...(request && readableBy(request.headers.origin ?? '', sharing)),
});

/** As the application says it. */
const readableBy = (origin: string, sharing: Sharing): Record<string, string> => sharing.allowedOrigins === undefined ? {} : {
	Vary: 'Origin',
	...(reflected(origin, sharing) !== '' && {
		'Access-Control-Allow-Origin': origin,
		...(areCredentialsAllowed(sharing) && {'Access-Control-Allow-Credentials': 'true'}),
		'Access-Control-Expose-Headers': exposedHeaders,
	}),
};
