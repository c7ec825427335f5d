/**
 * Responses without the application, for requests that are no valid HTTP or that no route could
 * take. Like the application's they are JSON, have an id, and follow the cross-origin rules.
 */
import {STATUS_CODES, type IncomingMessage, type ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import type {OriginPolicy} from './http-options.ts';
import {areCredentialsAllowed, exposedHeaders, reflectOrigin} from './middleware/origin.ts';
import {requestIdOf} from './middleware/record-requests.ts';

/** What is known of the request. The application may have given it an id, as a header of the response. */
type Cause = {request?: IncomingMessage | undefined; response?: ServerResponse | undefined; policy: OriginPolicy};

/** Responds, and closes the connection. */
export const respond = (response: ServerResponse, status: number, cause: Cause): void => {
	response.writeHead(status, headersOf(status, cause)).end(bodyOf(status));
};

/** Responds on the socket, where Node has made no response object, and closes it. */
export const respondOnSocket = (socket: Duplex, status: number, cause: Cause): void => {
	const headers = Object.entries(headersOf(status, cause)).map(([name, value]) => `${name}: ${value}`);
	socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', bodyOf(status)].join('\r\n'), 'latin1');
};

const bodyOf = (status: number): string => JSON.stringify({detail: STATUS_CODES[status]});

const headersOf = (status: number, {request, response, policy}: Cause): Record<string, string | number> => ({
	'Content-Type': 'application/json; charset=utf-8',
	'Content-Length': bodyOf(status).length,
	Connection: 'close',
	...(status === 405 && {Allow: 'GET, HEAD, OPTIONS, POST'}),
	'X-Request-Id': String(response?.getHeader('X-Request-Id') ?? requestIdOf(String(request?.headers['x-request-id'] ?? ''))),
	...(request && corsHeaders(request.headers.origin ?? '', policy)),
});

/** The headers that the application sends. */
const corsHeaders = (origin: string, policy: OriginPolicy): Record<string, string> => policy.cors ? {
	Vary: 'Origin',
	...(reflectOrigin(origin, policy) !== '' && {
		'Access-Control-Allow-Origin': origin,
		...(areCredentialsAllowed(policy) && {'Access-Control-Allow-Credentials': 'true'}),
		'Access-Control-Expose-Headers': exposedHeaders,
	}),
} : {};
