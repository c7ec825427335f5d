// @ts-check
/** An identity in n8n: a node that texts pass through. n8n loads CommonJS. */

/** @typedef {import('n8n-workflow').IExecuteFunctions} IExecuteFunctions */
/** @typedef {import('n8n-workflow').INodeType} INodeType */
/** @typedef {import('n8n-workflow').INodeTypeDescription} Description */
/** @typedef {import('n8n-workflow').INodeExecutionData} Item */
/** @typedef {import('n8n-workflow').INodeProperties} Property */

/** @param {string} name @param {string} displayName @param {string} description @param {Partial<Property>} [more] @returns {Property} */
const field = (name, displayName, description, more) => ({name, displayName, description, type: 'string', default: '', ...more});

const fields = [
	field('text', 'Text', 'What was said. A blank text is not heard.', {typeOptions: {rows: 4}}),
	field('source', 'Source', 'Who said it', {placeholder: 'user', displayOptions: {show: {isOwn: [false]}}}),
	field('conversation', 'Conversation', 'What it belongs to, such as a chat’s ID'),
	field('identity', 'Identity', 'Name of the identity, of a service that has many'),
];

const load = async () => Promise.all([import('processual-state/client'), import('processual-state/tools')]);

/** @typedef {Awaited<ReturnType<typeof load>>} Library */
/** @typedef {Record<'baseUrl' | 'token', string>} Access */
/** @typedef {{access: Access, isOwn: boolean, values: unknown[]}} Given The fields of an item, not yet checked. */

/** @param {IExecuteFunctions} node @param {number} index @returns {Promise<Given>} */
const readFields = async (node, index) => ({
	access: /** @type {Access} */ (await node.getCredentials('processualStateApi', index)),
	isOwn: Boolean(node.getNodeParameter('isOwn', index, false)),
	values: fields.map(({name}) => node.getNodeParameter(name, index, '')),
});

/**
 * The text of a field. An expression about a missing field gives undefined or null; a time is an object with a text.
 *
 * @param {unknown} value
 * @param {number} n the field's place in `fields`
 * @throws {TypeError} for an object without a text
 */
const toText = (value, n) => {
	const text = String(value ?? '');
	if (typeof value === 'object' && text.includes('[object ')) {
		throw new TypeError(`${fields[n]?.displayName} is an object, not a text: check its expression.`);
	}

	return text || undefined;
};

/** The reason in terms of the operator's settings. @param {unknown} error */
const reasonOf = error => {
	const {message = String(error), cause} = error instanceof Error ? error : {};
	return /** @type {{status?: number} | undefined} */ (cause)?.status === 401
		? 'The service requires its token: set it in the credential.'
		: message;
};

/**
 * Sends the text of an item. Never fails, because the conversation has priority.
 *
 * @param {Library} library
 * @param {Given} given
 * @returns {Promise<{identity: string | null, reason?: string}>} what stands out, and the reason if the identity was left out
 */
const listen = async ([{connectIdentity}, {listenWith}], {access, isOwn, values}) => {
	/** @type {string | undefined} */
	let reason;
	/** @param {unknown} error */
	const onError = error => {
		reason ??= reasonOf(error);
	};
	try {
		const [said = '', source, conversation, name] = values.map(toText);
		const remote = connectIdentity({baseUrl: access.baseUrl, identity: name, token: access.token || undefined});
		const listener = listenWith(remote, {onError});
		// In parallel, since the conversation waits for both, even if the service never answers.
		const [identity] = await Promise.all([
			listener.describe(),
			isOwn ? listener.speak(said, {conversation}) : listener.hear(said, {source, conversation}),
		]);
		await remote.dispose();
		return {identity, reason};
	} catch (error) {
		onError(error);
		return {identity: null, reason};
	}
};

/** @implements {INodeType} */
class ProcessualState {
	/** @type {Description} */
	description = {
		name: 'processualState',
		displayName: 'Processual State',
		description: 'Lets an identity hear a text, and adds what stands out in it',
		icon: 'file:icons/icon.svg',
		subtitle: '={{$parameter.isOwn ? "said by the agent" : "said to the agent"}}',
		group: ['transform'],
		version: 1,
		defaults: {name: 'Processual State'},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{name: 'processualStateApi', required: true}],
		properties: [
			fields[0],
			{name: 'isOwn', displayName: 'Said by the Agent', description: 'Whether these are the agent’s own words', type: 'boolean', default: false},
			...fields.slice(1),
		],
	};

	/** @this {IExecuteFunctions} @returns {Promise<Item[][]>} */
	async execute() {
		const library = await load();
		const given = this.getInputData();
		// A wrong expression fails here, before a text is heard: a retry hears none twice.
		const read = await Promise.all(given.map(async (_, index) => readFields(this, index)));
		/** @type {Item[]} */
		const items = [];
		/** @type {string[]} */
		const reasons = [];
		for (const [index, {json, ...item}] of given.entries()) {
			// n8n does not interrupt a node whose execution is stopped.
			if (this.getExecutionCancelSignal()?.aborted) {
				break;
			}

			const {identity, reason} = await listen(library, read[index]);
			items.push({...item, json: {...json, identity}, pairedItem: {item: index}});
			if (reason !== undefined) {
				reasons.push(reason);
				this.logger.warn(`The identity was left out of a conversation: ${reason}`);
			}
		}

		const [first] = reasons;
		if (first !== undefined) {
			const message = `The identity was left out of ${reasons.length} of ${given.length} texts: ${first}`;
			this.addExecutionHints({message, type: 'warning', location: 'outputPane'});
		}

		return [items];
	}
}

module.exports = {ProcessualState};
