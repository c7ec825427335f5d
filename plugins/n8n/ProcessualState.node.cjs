// @ts-check
/** An identity in n8n: a node that texts pass through. n8n loads CommonJS. */

/** @typedef {import('n8n-workflow').IExecuteFunctions} IExecuteFunctions */
/** @typedef {import('n8n-workflow').INodeTypeDescription} Description */
/** @typedef {import('n8n-workflow').INodeExecutionData} Item */
/** @typedef {import('n8n-workflow').INodeProperties} Property */
/** @typedef {Record<'baseUrl' | 'token', string>} Access As in `ProcessualStateApi.credentials.cjs`. */

/** @param {string} name @param {string} displayName @param {string} description @param {Partial<Property>} [more] @returns {Property} */
const field = (name, displayName, description, more) => ({name, displayName, description, type: 'string', default: '', ...more});

/** Writes to the log of n8n, in terms of the operator's settings. @param {unknown} error */
const onError = error => {
	const {message = String(error), cause} = error instanceof Error ? error : {};
	const reason = /** @type {{status?: number} | undefined} */ (cause)?.status === 401
		? 'The service requires its token: set it in the credential.'
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
		icon: 'file:icons/icon.svg',
		subtitle: '={{$parameter.isOwn ? "said by the agent" : "said to the agent"}}',
		group: ['transform'],
		version: 1,
		defaults: {name: 'Processual State'},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{name: 'processualStateApi', required: true}],
		properties: [
			field('text', 'Text', 'What was said. A blank text is not heard.', {typeOptions: {rows: 4}}),
			{name: 'isOwn', displayName: 'Said by the Agent', description: 'Whether these are the agent’s own words', type: 'boolean', default: false},
			field('source', 'Source', 'Who said it', {placeholder: 'user', displayOptions: {show: {isOwn: [false]}}}),
			field('conversation', 'Conversation', 'What it belongs to, such as a chat’s ID'),
			field('identity', 'Identity', 'Name of the identity, of a service that has many'),
		],
	};

	/** @this {IExecuteFunctions} @returns {Promise<Item[][]>} */
	async execute() {
		const [{connectIdentity}, {listenWith}] = await Promise.all([import('processual-state/client'), import('processual-state/tools')]);
		/** @type {Item[]} */
		const items = [];
		for (const [index, {json, ...item}] of this.getInputData().entries()) {
			// An expression about a missing field gives undefined or null.
			const [said = '', source, conversation, name] = ['text', 'source', 'conversation', 'identity']
				.map(parameter => String(this.getNodeParameter(parameter, index, '') ?? '') || undefined);
			const {baseUrl, token} = /** @type {Access} */ (await this.getCredentials('processualStateApi', index));
			const identity = connectIdentity({baseUrl, identity: name, token: token || undefined});
			const listener = listenWith(identity, {onError});
			await (this.getNodeParameter('isOwn', index, false) ? listener.speak(said, {conversation}) : listener.hear(said, {source, conversation}));
			items.push({...item, json: {...json, identity: await listener.describe()}, pairedItem: {item: index}});
			await identity.dispose();
		}

		return [items];
	}
}

module.exports = {ProcessualState};
