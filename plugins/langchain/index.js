// @ts-check
/** An identity in LangChain and LangGraph: a callback for any chat model, and nodes to stand before and after a model's. */
import {BaseCallbackHandler} from '@langchain/core/callbacks/base';
import {SystemMessage} from '@langchain/core/messages';

/** @typedef {import('processual-state/tools').AgentListener} Listener */
/** @typedef {import('processual-state/tools').Speaker} Said */
/** @typedef {import('@langchain/core/messages').BaseMessage} BaseMessage */
/** @typedef {import('@langchain/core/runnables').RunnableConfig} RunnableConfig */

/** The words of the newest message, where it is of this type: a tool's call or result has none. @param {BaseMessage[]} messages @param {'human' | 'ai'} type */
const newestOf = (messages, type) => {
	const newest = messages.at(-1);
	return newest?.getType() === type ? newest.text : '';
};

/** Lets the identity hear each call of a chat model: `model.invoke(messages, {callbacks: [new IdentityCallback(listener, {source: 'Ben'})]})`. */
export class IdentityCallback extends BaseCallbackHandler {
	name = 'IdentityCallback';

	/** The model's answer is returned when the identity has heard both sides. */
	awaitHandlers = true;

	/** What the person said, until the model has answered. @type {Map<string, string>} */
	#heard = new Map();

	/** @param {Listener} listener @param {Said} [said] */
	constructor(listener, said = {}) {
		super();
		this.listener = listener;
		this.said = said;
	}

	/** @override @param {unknown} _model @param {BaseMessage[][]} messages @param {string} runId */
	async handleChatModelStart(_model, messages, runId) {
		this.#heard.set(runId, newestOf(messages[0] ?? [], 'human'));
	}

	/** @override @param {import('@langchain/core/outputs').LLMResult} output @param {string} runId */
	async handleLLMEnd(output, runId) {
		await this.listener.hear(this.#heard.get(runId) ?? '', this.said);
		this.#heard.delete(runId);
		await this.listener.speak(output.generations[0]?.[0]?.text ?? '', {conversation: this.said.conversation});
	}

	/** @override @param {unknown} _error @param {string} runId */
	async handleLLMError(_error, runId) {
		this.#heard.delete(runId);
	}
}

/** Ids of threads and of users may be numbers. @param {unknown} id */
const nameOf = id => id === undefined || id === null ? undefined : String(id);

/** The thread of the graph is the conversation. @param {RunnableConfig} config @returns {Said} */
const saidIn = ({configurable = {}}) => ({source: nameOf(configurable['source']), conversation: nameOf(configurable['thread_id'])});

/**
 * Nodes for a graph over `messages`: `hear` before the model's node, `speak` after it. The configuration has `thread_id`,
 * the conversation, and `source`, who speaks.
 *
 * @param {Listener} listener
 */
export const identityNodes = listener => ({
	/** The identity hears the person. @param {{messages: BaseMessage[]}} state @param {RunnableConfig} config */
	async hear({messages}, config) {
		await listener.hear(newestOf(messages, 'human'), saidIn(config));
		return {};
	},
	/** The identity hears the agent's own words. @param {{messages: BaseMessage[]}} state @param {RunnableConfig} config */
	async speak({messages}, config) {
		await listener.speak(newestOf(messages, 'ai'), {conversation: saidIn(config).conversation});
		return {};
	},
	/** The messages for the model, begun with what stands out in the identity. @param {BaseMessage[]} messages */
	async instruct(messages) {
		const text = await listener.describe();
		return text === null ? messages : [new SystemMessage(text), ...messages];
	},
});
