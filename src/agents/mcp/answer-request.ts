/**
 * One message of the protocol over HTTP, answered as JSON. No session is kept: each request has a server for
 * itself, so any node and any number of clients will do. The host has checked origin, token and size.
 */
import {WebStandardStreamableHTTPServerTransport} from '@modelcontextprotocol/server';
import type {Identity} from '../../identity/identity.ts';
import {withSignal} from '../../platform/with-signal.ts';
import {createMcpServer} from './create-server.ts';

/** @throws the signal's reason, when it aborts before the answer is there */
export const answerRequest = async (identity: Identity, request: Request, message: unknown, {version, signal}: {version: string; signal: AbortSignal}): Promise<Response> => {
	const server = createMcpServer(identity, version);
	const transport = new WebStandardStreamableHTTPServerTransport({enableJsonResponse: true});
	await server.connect(transport);
	try {
		return await withSignal(transport.handleRequest(request, {parsedBody: message}), signal);
	} finally {
		await server.close();
	}
};
