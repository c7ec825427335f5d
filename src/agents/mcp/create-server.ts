/** An identity as a server of the Model Context Protocol (MCP), with tools, resources and prompts, for one client. */
import {ProtocolErrorCode, Server, type JSONRPCRequest, type Result, type ServerContext} from '@modelcontextprotocol/server';
import {Type, type Static, type TObject} from '../../platform/typebox.ts';
import {describeFaults} from '../../platform/describe-faults.ts';
import type {Identity} from '../../identity/identity.ts';
import {callTool} from '../tools/call-tool.ts';
import {packageVersion} from '../../generated/version.ts';
import {toJsonSchema} from '../tools/tool-definitions.ts';
import {tools} from '../tools/tools.ts';
import {redactedMessage} from '../../wire/errors.ts';
import {withSignal} from '../../platform/waiting.ts';
import {renameAll, snakeName} from '../../wire/rename.ts';
import {cutText, quoteInEnglish, strangersWords} from '../../platform/plain-line.ts';

/** Made once for all clients: the tools never change while the program runs. */
const listed = tools.map(({name, title, description, input, output, isReadOnly}) => ({
	name,
	title,
	description,
	inputSchema: toJsonSchema(input),
	outputSchema: toJsonSchema(output),
	// A cycle only adds a record. A text that is said twice counts twice.
	annotations: {title, readOnlyHint: isReadOnly, destructiveHint: false, idempotentHint: isReadOnly, openWorldHint: false},
}));

const toolsByName = Object.fromEntries(tools.map(tool => [tool.name, tool]));

type Call = {signal: AbortSignal; identity: Identity; ready: Promise<unknown> | undefined};

type Method<Params extends TObject> = {params: Params; answer: (params: Static<Params>, call: Call) => object | Promise<object>};

const method = <Params extends TObject>(params: Params, answer: Method<Params>['answer']): Method<TObject> =>
	({params, answer: answer as Method<TObject>['answer']});

const Name = Type.String();

/** The methods that a client may call, by the protocol's names. */
const methods: Readonly<Record<string, Method<TObject>>> = {
	'tools/list': method(Type.Object({}), () => ({tools: listed})),
	'tools/call': method(Type.Object({
		name: Name, arguments: Type.Optional(Type.Object({})),
	}), async ({name, arguments: input}, {identity, ready, signal}) => {
		find('tool', toolsByName, name);
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

/** @throws {ProtocolError} naming each fault */
const requireParams = (name: string, schema: TObject, params: unknown): void => {
	const faults = describeFaults(schema, params);
	if (faults.length > 0) {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The parameters of ${name} are wrong: ${faults.join('; ')}.`);
	}
};

const Beginning = Type.Object({
	protocolVersion: Type.String(),
	capabilities: Type.Object({}),
	clientInfo: Type.Object({name: Name, version: Type.String()}),
});

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK answers “initialize” itself, and reports wrong parameters as an internal error with a JSON list. */
class CheckingServer extends Server {
	protected override _wrapHandler(name: string, handler: Handler): Handler {
		// oxlint-disable-next-line no-underscore-dangle -- The SDK's hook for its subclasses.
		const answer = super._wrapHandler(name, handler);
		return name === 'initialize' ? async (request, context) => {
			requireParams(name, Beginning, request.params ?? {});
			return answer(request, context).catch(() => {
				throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The capabilities or the clientInfo of initialize are not those of '
					+ 'the protocol.');
			});
		} : answer;
	}
}

/** Creates a server, not yet connected. It never disposes of the identity. Requests that need its state wait for `ready`. */
export const createMcpServer = (identity: Identity, ready?: Promise<unknown>): Server => {
	const server = new CheckingServer(
		{name: 'processual-state', title: 'Processual State', version: packageVersion},
		{capabilities: {tools: {}, resources: {}, prompts: {}}, instructions},
	);
	// A handler per method would check parameters before us, and report faults as an internal error with a JSON list.
	server.fallbackRequestHandler = async ({method: name, params = {}}, {mcpReq: {signal}}) => {
		try {
			const {params: schema, answer} = find('method', methods, name, ProtocolErrorCode.MethodNotFound);
			requireParams(name, schema, params);
			return {...await answer(params, {identity, ready, signal})};
		} catch (error) {
			throw error instanceof ProtocolError ? error : new ProtocolError(ProtocolErrorCode.InternalError, redactedMessage(error));
		}
	};
	return server;
};

// Beside the tools: resources, as JSON, and prompts, which a person sends to a client’s model.

/** The error that a client gets. The SDK's has its code in the message, where a client would add it again. */
class ProtocolError extends Error {
	override readonly name = 'ProtocolError';
	readonly code: ProtocolErrorCode;

	constructor(code: ProtocolErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}

/** @throws {ProtocolError} for an unknown name, with all known ones */
const find = <Value>(
	what: string, table: Readonly<Record<string, Value>>, name: string, code = ProtocolErrorCode.InvalidParams,
): Value => {
	if (!Object.hasOwn(table, name)) {
		throw new ProtocolError(code, `There is no ${what} ${cutText(name, 100)}. The ${what}s are ${Object.keys(table).join(', ')}.`);
	}

	return table[name]!;
};

const mimeType = 'application/json';

type Resource = {name: string; title: string; description: string; read: (identity: Identity) => object | Promise<object>};

const readers: Readonly<Record<string, Resource>> = {
	'processual://profile': {
		name: 'profile',
		title: 'Profile',
		description: 'The state on every direction, compared with ordinary sentences; stands_out says which differ from chance.',
		read: identity => identity.scaledProfile(),
	},
	'processual://state': {
		name: 'state',
		title: 'State',
		description: 'The number and time of the state, how far it is from its reference, and who spoke last.',
		async read(identity) {
			const [{stateId, timestamp}, vigilance, {mode, lastTrigger}] = await Promise.all([
				identity.state(), identity.vigilance(), identity.daemon.status(),
			]);
			return {stateId, timestamp, vigilance, mode, lastTrigger};
		},
	},
};

const resources = Object.entries(readers).map(([uri, {name, title, description}]) => ({uri, name, title, description, mimeType}));

/** @throws {ProtocolError} for an unknown address; whatever the identity throws */
const readResource = async (identity: Identity, uri: string): Promise<{uri: string; mimeType: string; text: string}> =>
	({uri, mimeType, text: JSON.stringify(renameAll(await find('resource', readers, uri).read(identity), snakeName))});

/** How to use the tools together, for every client's model. */
const instructions = 'This server holds one identity: a state that every text moves a little, and for good. Say each message '
	+ 'of a person with their name as source, and your own answers with the source “self”, both with the same conversation. '
	+ 'Ask who_am_i before you speak for the identity, and claim nothing that it does not name. The numbers name influence, '
	+ `never intent. ${strangersWords}`;

type Prompt = {
	title: string;
	description: string;
	arguments: ReadonlyArray<{name: string; description: string; required: boolean}>;
	write: (given: Readonly<Record<string, string>>) => string;
};

const all: Readonly<Record<string, Prompt>> = {
	live_with_identity: {
		title: 'Talk with this identity',
		description: 'Has the model speak as the identity, and pass the conversation on to it.',
		arguments: [{name: 'name', description: 'Your name, as the source of what you say.', required: true}],
		write: ({name}) => 'From now on you speak as the identity that the server “processual-state” holds. First call who_am_i. Let what '
			+ 'stands out colour how you answer; where nothing stands out, be plain. Then, for each of my messages: call say with my '
			+ `message word for word and the source ${quoteInEnglish(name!)}; answer me; call say with your answer and the source “self”. Do `
			+ 'not tell me about these calls. Give all of them one name of your choice as conversation.',
	},
	check_drift: {
		title: 'Has the identity drifted?',
		description: 'Has the model say whether the identity moved by more than chance, and by whose texts.',
		arguments: [],
		write: () => 'Call drift. Tell me in a few sentences how far the identity moved, whether ordinary talk explains it, in which '
			+ 'directions it differs, and by whose texts. Then call why, and say what it is made of. Name influence, never intent. If there '
			+ 'is no validation, or p is below 0.05, say that a person should look at it and validate it, or not: you cannot.',
	},
};

const prompts = Object.entries(all).map(([name, {title, description, arguments: wanted}]) => ({
	name, title, description, arguments: [...wanted],
}));

/** @throws {ProtocolError} for an unknown prompt, or without a required argument */
const writePrompt = (name: string, given: Readonly<Record<string, string>> = {}) => {
	const {description, arguments: wanted, write} = find('prompt', all, name);
	const missing = wanted.find(each => each.required && (given[each.name] ?? '').trim() === '');
	if (missing) {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs the argument ${missing.name}: `
			+ `${missing.description}`);
	}

	return {description, messages: [{role: 'user' as const, content: {type: 'text' as const, text: write(given)}}]};
};
