/** The protocol's transports: stdio, for a local client that started the server, and HTTP with one message per request. */
import {PassThrough, type Readable, type Writable} from 'node:stream';
import {StdioServerTransport} from '@modelcontextprotocol/server/stdio';
import type {Identity} from '../../identity/identity.ts';
import type {Warn} from '../../platform/errors.ts';
import {createMcpServer} from './create-server.ts';
import {WebStandardStreamableHTTPServerTransport} from '@modelcontextprotocol/server';
import {tools} from '../tools/tools.ts';
import {Type, Value} from '../../platform/typebox.ts';
import {withSignal} from '../../platform/waiting.ts';

export type StdioOptions = {
	input: Readable;
	output: Writable;
	warn: Warn;
	/** Calls wait for it. It rejects with the error of a failed boot. */
	ready?: Promise<unknown>;
};

export type StdioServer = {
	/** Resolves when the client has disconnected. */
	gone: Promise<void>;
	/** Stops reading. Pending answers are still written. */
	close: () => void;
};

/** Answers requests until the client closes the input. */
export const serveStdio = async (identity: Identity, {input, output, warn, ready}: StdioOptions): Promise<StdioServer> => {
	const {promise: gone, resolve} = Promise.withResolvers<void>();
	for (const end of ['end', 'close', 'error']) {
		input.once(end, () => resolve());
	}

	output.once('error', () => resolve());

	const server = createMcpServer(identity, ready);
	Object.assign(server, {
		onerror: (error: Error) => warn(`A message of the client could not be read: ${error.message}`, error),
	});
	// The transport must not see the end of the input: it would abort pending requests.
	const messages = input.pipe(new PassThrough(), {end: false});
	await server.connect(new StdioServerTransport(messages, output));
	return {
		gone,
		close() {
			input.unpipe(messages);
			input.pause();
			resolve();
		},
	};
};

const Asking = Type.Object({method: Type.String(), params: Type.Optional(Type.Object({name: Type.Optional(Type.Unknown())}))});

/** Whether a message reads the identity or speaks to it; null if it does neither. */
export const rightOfMessage = (message: unknown): 'read' | 'speak' | null => {
	if (!Value.Check(Asking, message)) {
		return null;
	}

	const {method, params} = message;
	const tool = method === 'tools/call' ? tools.find(({name}) => name === params?.name) : undefined;
	return method === 'resources/read' || tool?.isReadOnly ? 'read' : tool ? 'speak' : null;
};

/**
 * Answers one message as JSON. There is no session: each request gets a separate server, so any node can serve any
 * number of clients. The host has already checked origin, token and size.
 *
 * @throws the signal's reason, if it aborts before the answer is ready
 */
export const answerRequest = async (
	identity: Identity, request: Request, message: unknown, signal: AbortSignal,
): Promise<Response> => {
	const server = createMcpServer(identity);
	const transport = new WebStandardStreamableHTTPServerTransport({enableJsonResponse: true});
	await server.connect(transport);
	try {
		return await withSignal(transport.handleRequest(request, {parsedBody: message}), signal);
	} finally {
		await server.close();
	}
};
