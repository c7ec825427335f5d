// @ts-check
/** An identity in n8n: a node that texts pass through. n8n loads CommonJS. */

/** @typedef {import('n8n-workflow').IExecuteFunctions} IExecuteFunctions */
/** @typedef {import('n8n-workflow').INodeTypeDescription} Description */
/** @typedef {import('n8n-workflow').INodeExecutionData} Item */
/** @typedef {import('n8n-workflow').INodeProperties} Property */

/** @param {string} name @param {string} displayName @param {string} description @param {string} [standard] @returns {Property} */
const text = (name, displayName, description, standard = '') => ({name, displayName, description, type: 'string', default: standard});

/** Writes to the log of n8n, in terms of the operator's settings. @param {unknown} error */
const onError = error => {
	const {message = String(error), cause} = error instanceof Error ? error : {};
	const reason = /** @type {{status?: number} | undefined} */ (cause)?.status === 401
		? 'The service requires a token: set PROCESSUAL_TOKEN to it, and restart n8n.'
		: message;
	process.stderr.write(`The identity was left out of a conversation: ${reason}\n`);
};

/** @typedef {import('n8n-workflow').INodeType} INodeType */

/** @implements {INodeType} */
class ProcessualState {
	/** @type {Description} */
	description = {
		name: 'processualState',
		displayName: 'Processual State',
		description: 'Lets an identity hear a text, and adds what stands out in it',
		group: ['transform'],
		version: 1,
		defaults: {name: 'Processual State'},
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			text('text', 'Text', 'What was said'),
			{name: 'isOwn', displayName: 'Said by the Agent', description: 'Whether these are the agent’s own words', type: 'boolean', default: false},
			text('source', 'Source', 'Who said it'),
			text('conversation', 'Conversation', 'What it belongs to, such as a chat’s ID'),
			text('baseUrl', 'Service', 'Address of the service', 'http://localhost:8100'),
			text('identity', 'Identity', 'Name of the identity, of a service that has many'),
		],
	};

	/** @this {IExecuteFunctions} @returns {Promise<Item[][]>} */
	async execute() {
		const [{connectIdentity}, {listenWith}] = await Promise.all([import('processual-state/client'), import('processual-state/tools')]);
		/** @type {Item[]} */
		const items = [];
		for (const [index, {json}] of this.getInputData().entries()) {
			// An expression about a missing field gives undefined or null.
			const [said = '', source, conversation, baseUrl = '', name] = ['text', 'source', 'conversation', 'baseUrl', 'identity']
				.map(parameter => String(this.getNodeParameter(parameter, index, '') ?? '') || undefined);
			const identity = connectIdentity({baseUrl, identity: name, token: process.env['PROCESSUAL_TOKEN'] || undefined});
			const listener = listenWith(identity, {onError});
			await (this.getNodeParameter('isOwn', index, false) ? listener.speak(said, {conversation}) : listener.hear(said, {source, conversation}));
			items.push({json: {...json, identity: await listener.describe()}, pairedItem: {item: index}});
			await identity.dispose();
		}

		return [items];
	}
}

module.exports = {ProcessualState};
