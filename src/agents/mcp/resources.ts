/** What a client can read without a tool: the profile and the state, as JSON. */
import {ProtocolErrorCode} from '@modelcontextprotocol/server';
import type {Identity} from '../../identity/identity.ts';
import {renameAll, snakeName} from '../../wire/rename.ts';
import {ProtocolError} from './protocol-error.ts';

const mimeType = 'application/json';

/** How a resource is read, by its address. */
const readers: Readonly<Record<string, {name: string; title: string; description: string; read: (identity: Identity) => object | Promise<object>}>> = {
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
			const [{stateId, timestamp}, vigilance, {mode, lastTrigger}] = await Promise.all([identity.state(), identity.vigilance(), identity.daemon.status()]);
			return {stateId, timestamp, vigilance, mode, lastTrigger};
		},
	},
};

export const resources = Object.entries(readers).map(([uri, {name, title, description}]) => ({uri, name, title, description, mimeType}));

/** @throws {ProtocolError} for an address that is not known; whatever the identity throws */
export const readResource = async (identity: Identity, uri: string): Promise<{uri: string; mimeType: string; text: string}> => {
	if (!Object.hasOwn(readers, uri)) {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}. The resources are ${Object.keys(readers).join(', ')}.`);
	}

	return {uri, mimeType, text: JSON.stringify(renameAll(await readers[uri]!.read(identity), snakeName))};
};
