/** An identity as a server of the Model Context Protocol: its tools, resources and prompts, for one client. */
import {ProtocolErrorCode, Server} from '@modelcontextprotocol/server';
import type {Identity} from '../identity/identity.ts';
import {callTool} from '../tools/call-tool.ts';
import {toJsonSchema} from '../tools/tool-definitions.ts';
import {tools} from '../tools/tools.ts';
import {redactedMessage} from '../wire/redact-paths.ts';
import {withSignal} from '../with-signal.ts';
import {instructions, prompts, writePrompt} from './prompts.ts';
import {ProtocolError} from './protocol-error.ts';
import {readResource, resources} from './resources.ts';

/** One answer for all clients: the tools never change while the program runs. */
const listed = tools.map(({name, title, description, input, output, isReadOnly}) => ({
	name,
	title,
	description,
	inputSchema: toJsonSchema(input),
	outputSchema: toJsonSchema(output),
	// A cycle adds a record, and takes nothing away. Said twice, a text counts twice.
	annotations: {title, readOnlyHint: isReadOnly, destructiveHint: false, idempotentHint: isReadOnly, openWorldHint: false},
}));

/** What a call threw, for the client: without paths. */
const toProtocolError = (error: unknown): ProtocolError =>
	error instanceof ProtocolError ? error : new ProtocolError(ProtocolErrorCode.InternalError, redactedMessage(error));

/** Performs a request of a client. @throws {ProtocolError} for whatever it throws */
const perform = async <Answer>(request: () => Answer | Promise<Answer>): Promise<Answer> => {
	try {
		return await request();
	} catch (error) {
		throw toProtocolError(error);
	}
};

/** Makes a server, which is not connected yet. The identity is lent; what needs its state waits until it is ready. */
export const createMcpServer = (identity: Identity, version: string, ready?: Promise<unknown>): Server => {
	const server = new Server({name: 'processual-state', title: 'Processual State', version}, {capabilities: {tools: {}, resources: {}, prompts: {}}, instructions});

	server.setRequestHandler('tools/list', () => ({tools: listed}));
	server.setRequestHandler('tools/call', async ({params: {name, arguments: input}}, {mcpReq: {signal}}) => perform(async () => {
		await withSignal(Promise.resolve(ready), signal);
		const called = await callTool(identity, name, input, {signal});
		return {content: [{type: 'text' as const, text: called.text}], ...(called.isError ? {isError: true} : {structuredContent: called.answer})};
	}));

	server.setRequestHandler('resources/list', () => ({resources: [...resources]}));
	server.setRequestHandler('resources/templates/list', () => ({resourceTemplates: []}));
	server.setRequestHandler('resources/read', async ({params: {uri}}, {mcpReq: {signal}}) => perform(async () => {
		await withSignal(Promise.resolve(ready), signal);
		return {contents: [await readResource(identity, uri)]};
	}));

	server.setRequestHandler('prompts/list', () => ({prompts: [...prompts]}));
	server.setRequestHandler('prompts/get', async ({params: {name, arguments: given}}) => perform(() => writePrompt(name, given)));
	return server;
};
