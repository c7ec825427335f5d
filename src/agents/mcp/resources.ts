/** What a client can have without a tool: resources, as JSON, and prompts, which a person asks of a client’s model. */
import {ProtocolErrorCode} from '@modelcontextprotocol/server';
import type {Identity} from '../../identity/identity.ts';
import {renameAll, snakeName} from '../../wire/rename.ts';
import {quote, strangersWords} from '../../platform/plain-line.ts';

/** What a client gets instead of an answer. The SDK's own error begins with its code, and a client puts the code before a message again. */
export class ProtocolError extends Error {
	override readonly name = 'ProtocolError';
	readonly code: ProtocolErrorCode;

	constructor(code: ProtocolErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}

const mimeType = 'application/json';

/** What it is, and how it is read. */
type Resource = {name: string; title: string; description: string; read: (identity: Identity) => object | Promise<object>};

const readers: Readonly<Record<string, Resource>> = {
	'processual://profile': {
		name: 'profile',
		title: 'Profile',
		description: 'The state on every direction, beside ordinary sentences; stands_out says which differ from chance.',
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

export const resources = Object.entries(readers).map(([uri, {name, title, description}]) => ({uri, name, title, description, mimeType}));

/** @throws {ProtocolError} for an address that is not known; whatever the identity throws */
export const readResource = async (identity: Identity, uri: string): Promise<{uri: string; mimeType: string; text: string}> => {
	if (!Object.hasOwn(readers, uri)) {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}. The resources are `
			+ `${Object.keys(readers).join(', ')}.`);
	}

	return {uri, mimeType, text: JSON.stringify(renameAll(await readers[uri]!.read(identity), snakeName))};
};

/** How the tools belong together, for the model of every client. */
export const instructions = 'This server holds one identity: a state that every text moves a little, and for good. Say each message '
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
		description: 'Has the model speak as the identity, and tell it the conversation.',
		arguments: [{name: 'name', description: 'Your name, as the source of what you say.', required: true}],
		write: ({name}) => 'From now on you speak as the identity that the server “processual-state” holds. First call who_am_i. Let what '
			+ 'stands out colour how you answer; where nothing stands out, be plain. Then, for each of my messages: call say with my '
			+ `message word for word and the source ${quote(name!)}; answer me; call say with your answer and the source “self”. Do not `
			+ 'tell me about these calls. Give all of them one name of your choice as conversation.',
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

export const prompts = Object.entries(all).map(([name, {title, description, arguments: wanted}]) => ({
	name, title, description, arguments: [...wanted],
}));

/** @throws {ProtocolError} for a prompt that is not known, and without an argument that it needs */
export const writePrompt = (name: string, given: Readonly<Record<string, string>> = {}) => {
	if (!Object.hasOwn(all, name)) {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}. The prompts are ${Object.keys(all).join(', ')}.`);
	}

	const {description, arguments: wanted, write} = all[name]!;
	const missing = wanted.find(each => each.required && (given[each.name] ?? '').trim() === '');
	if (missing) {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs the argument ${missing.name}: `
			+ `${missing.description}`);
	}

	return {description, messages: [{role: 'user' as const, content: {type: 'text' as const, text: write(given)}}]};
};
