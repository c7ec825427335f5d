// @ts-check
/** An identity in OpenClaw. Each person's messages are heard under their sender; the agent's own words after its run. */
import {definePluginEntry} from 'openclaw/plugin-sdk/plugin-entry';
import {connectIdentity} from 'processual-state/client';
import {listenWith} from 'processual-state/tools';

/** @typedef {{baseUrl?: string, identity?: string, token?: string}} Settings As in `openclaw.plugin.json`. */

/**
 * The words of a model's message; calls and results of tools are not words.
 *
 * @param {unknown} message
 */
const textOf = message => {
	const {role, content} = /** @type {{role?: string, content?: unknown}} */ (message ?? {});
	const parts = Array.isArray(content) ? content : [{type: 'text', text: content}];
	return role === 'assistant' ? parts.flatMap(({type, text}) => type === 'text' && typeof text === 'string' ? [text] : []).join('\n') : '';
};

/**
 * What the agent said in a run: its words since the newest message of a user.
 *
 * @param {readonly unknown[]} messages
 */
export const saidIn = messages => {
	const start = messages.findLastIndex(message => /** @type {{role?: string}} */ (message ?? {}).role === 'user');
	return messages.slice(start + 1).map(textOf).filter(Boolean).join('\n');
};

export default definePluginEntry({
	id: 'processual-state',
	name: 'Processual State',
	description: 'An identity hears the agent’s conversations, and says what stands out in it.',
	register(api) {
		const {PROCESSUAL_URL, PROCESSUAL_TOKEN, IDENTITY} = process.env;
		const {baseUrl, identity, token} = /** @type {Settings} */ (api.pluginConfig ?? {});
		// An empty setting counts as unset.
		const listener = listenWith(connectIdentity({
			baseUrl: baseUrl || PROCESSUAL_URL || 'http://localhost:8100',
			identity: identity || IDENTITY || undefined,
			token: token || PROCESSUAL_TOKEN || undefined,
		}));
		api.on('message_received', async ({content, from, senderId, sessionKey}, context) => {
			await listener.hear(content, {source: senderId ?? from, conversation: sessionKey ?? context.sessionKey ?? context.conversationId});
		});
		api.on('before_prompt_build', async () => {
			const appendSystemContext = await listener.describe();
			return appendSystemContext === null ? undefined : {appendSystemContext};
		});
		api.on('agent_end', async ({messages, success}, {sessionKey, sessionId}) => {
			if (success) {
				await listener.speak(saidIn(messages), {conversation: sessionKey ?? sessionId});
			}
		});
	},
});
