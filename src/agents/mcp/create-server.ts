/** An identity as a server of the Model Context Protocol: its tools, resources and prompts, for one client. */
import {ProtocolErrorCode, Server} from '@modelcontextprotocol/server';
import {Type, type Static, type TObject} from '../../platform/typebox.ts';
import {describeFaults} from '../../platform/describe-faults.ts';
import type {Identity} from '../../identity/identity.ts';
import {callTool} from '../tools/call-tool.ts';
import {toJsonSchema} from '../tools/tool-definitions.ts';
import {tools} from '../tools/tools.ts';
import {redactedMessage} from '../../wire/errors.ts';
import {withSignal} from '../../platform/waiting.ts';
import {instructions, prompts, writePrompt, ProtocolError, readResource, resources} from './resources.ts';

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

type Call = {signal: AbortSignal; identity: Identity; ready: Promise<unknown> | undefined};

type Method<Params extends TObject> = {params: Params; answer: (params: Static<Params>, call: Call) => object | Promise<object>};

const method = <Params extends TObject>(params: Params, answer: Method<Params>['answer']): Method<TObject> =>
	({params, answer: answer as Method<TObject>['answer']});

const Name = Type.String();

/** What a client may ask, by the protocol's names. */
const methods: Readonly<Record<string, Method<TObject>>> = {
	'tools/list': method(Type.Object({}), () => ({tools: listed})),
	'tools/call': method(Type.Object({
		name: Name, arguments: Type.Optional(Type.Object({})),
	}), async ({name, arguments: input}, {identity, ready, signal}) => {
		if (!tools.some(tool => tool.name === name)) {
			throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}. The tools are `
				+ `${tools.map(tool => tool.name).join(', ')}.`);
		}

		await withSignal(Promise.resolve(ready), signal);
		const called = await callTool(identity, name, input, {signal});
		return {content: [{type: 'text', text: called.text}], ...(called.isError ? {isError: true} : {structuredContent: called.answer})};
	}),
	'resources/list': method(Type.Object({}), () => ({resources})),
	'resources/templates/list': method(Type.Object({}), () => ({resourceTemplates: []})),
	'resources/read': method(Type.Object({uri: Type.String()}), async ({uri}, {identity, ready, signal}) => {
		await withSignal(Promise.resolve(ready), signal);
		return {contents: [await readResource(identity, uri)]};
	}),
	'prompts/list': method(Type.Object({}), () => ({prompts})),
	'prompts/get': method(
		Type.Object({name: Name, arguments: Type.Optional(Type.Record(Type.String(), Type.String()))}),
		({name, arguments: given}) => writePrompt(name, given),
	),
};

/** Makes a server, which is not connected yet. The identity is lent; what needs its state waits until it is ready. */
export const createMcpServer = (identity: Identity, version: string, ready?: Promise<unknown>): Server => {
	const server = new Server(
		{name: 'processual-state', title: 'Processual State', version},
		{capabilities: {tools: {}, resources: {}, prompts: {}}, instructions},
	);
	// Handlers by method would check parameters before us, and answer faults as an internal error with a list in JSON.
	server.fallbackRequestHandler = async ({method: name, params = {}}, {mcpReq: {signal}}) => perform(async () => {
		if (!Object.hasOwn(methods, name)) {
			throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `There is no method ${name}. The methods are `
				+ `${Object.keys(methods).join(', ')}.`);
		}

		const {params: schema, answer} = methods[name]!;
		const faults = describeFaults(schema, params);
		if (faults.length > 0) {
			throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The parameters of ${name} are wrong: ${faults.join('; ')}.`);
		}

		return {...await answer(params, {identity, ready, signal})};
	});
	return server;
};
