// @ts-check
/** An identity in LangChain and LangGraph: a callback for any chat model, and nodes for before and after a model's. */
import {BaseCallbackHandler} from '@langchain/core/callbacks/base';
import {SystemMessage} from '@langchain/core/messages';

/** @typedef {import('processual-state/tools').AgentListener} Listener */
/** @typedef {import('processual-state/tools').Speaker} Speaker */
/** @typedef {import('@langchain/core/messages').BaseMessage} BaseMessage */
/** @typedef {import('@langchain/core/runnables').RunnableConfig} RunnableConfig */

/** The words of the newest message if it has this type; a tool's call or result has no words. @param {BaseMessage[]} messages @param {'human' | 'ai'} type */
const newestOf = (messages, type) => {
	const newest = messages.at(-1);
	return newest?.getType() === type ? newest.text : '';
};

/**
 * The words of a model's message. If it also has reasoning or a call, the generation's own text is empty, or the call's JSON.
 *
 * @param {import('@langchain/core/outputs').Generation | undefined} generation @returns {string}
 */
const wordsOf = generation =>
	/** @type {import('@langchain/core/outputs').ChatGeneration | undefined} */ (generation)?.message?.text ?? generation?.text ?? '';

/** What LangChain passes of a call. @typedef {{signal?: AbortSignal, ls_structured_output_format?: object, response_format?: {type?: string}}} CallOptions */

/**
 * Whether the model was asked for data, with `withStructuredOutput` or with the `responseFormat` of an agent. Data are not its words.
 *
 * @param {CallOptions} options
 */
const isForData = ({ls_structured_output_format: structured, response_format: format}) =>
	structured !== undefined || (format?.type ?? 'text') !== 'text';

/** Lets the identity hear each call of a chat model: `model.invoke(messages, {callbacks: [new IdentityCallback(listener, {source: 'Ben'})]})`. */
export class IdentityCallback extends BaseCallbackHandler {
	name = 'IdentityCallback';

	/** The model's answer is returned only after the identity has heard both sides. */
	awaitHandlers = true;

	/**
	 * The calls in progress: what the person said, and the model's words so far.
	 *
	 * @type {Map<string, {asked: string, said: string, isForData: boolean, signal: AbortSignal | undefined}>}
	 */
	#calls = new Map();

	/** @param {Listener} listener @param {Speaker} [said] */
	constructor(listener, said = {}) {
		super();
		this.listener = listener;
		this.said = said;
	}

	/**
	 * @override @param {unknown} _model @param {BaseMessage[][]} messages @param {string} runId @param {string} [_parent]
	 * @param {Record<string, unknown>} [given]
	 */
	async handleChatModelStart(_model, messages, runId, _parent, given) {
		const options = /** @type {CallOptions | undefined} */ (given?.['options']) ?? {};
		this.#calls.set(runId, {
			asked: newestOf(messages[0] ?? [], 'human'), said: '', isForData: isForData(options), signal: options.signal,
		});
	}

	/**
	 * @override @param {string} token @param {unknown} _index @param {string} runId @param {unknown} _parent @param {unknown} _tags
	 * @param {import('@langchain/core/callbacks/base').HandleLLMNewTokenCallbackFields} [fields]
	 */
	handleLLMNewToken(token, _index, runId, _parent, _tags, fields) {
		const call = this.#calls.get(runId);
		if (call) {
			call.said += fields?.chunk ? wordsOf(fields.chunk) : token;
		}
	}

	/** @override @param {import('@langchain/core/outputs').LLMResult} output @param {string} runId */
	async handleLLMEnd(output, runId) {
		await this.#end(runId, wordsOf(output.generations[0]?.[0]));
	}

	/**
	 * If the person stopped the model, its words so far were said. After any other failure the call may be retried. The signal
	 * tells them apart, since the error depends on the model, the agent and the signal's reason.
	 *
	 * @override @param {unknown} _error @param {string} runId
	 */
	async handleLLMError(_error, runId) {
		if (this.#calls.get(runId)?.signal?.aborted) {
			await this.#end(runId);
		}

		this.#calls.delete(runId);
	}

	/** @param {string} runId @param {string} [answer] */
	async #end(runId, answer) {
		const {asked = '', said = '', isForData: isData = false} = this.#calls.get(runId) ?? {};
		this.#calls.delete(runId);
		await this.listener.hear(asked, this.said);
		await this.listener.speak(isData ? '' : answer ?? said, {conversation: this.said.conversation});
	}
}

/** Ids of threads and of users may be numbers. @param {unknown} id */
const nameOf = id => id === undefined || id === null ? undefined : String(id);

/** The thread of the graph is the conversation. @param {RunnableConfig} config @returns {Speaker} */
const saidIn = ({configurable = {}}) => ({source: nameOf(configurable['source']), conversation: nameOf(configurable['thread_id'])});

/** Some models take no second system message. @param {BaseMessage['content']} content @param {string} text */
const addTo = (content, text) => typeof content === 'string' ? `${content}\n\n${text}` : [...content, {type: 'text', text}];

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
	/** The messages for the model, starting with what stands out in the identity. @param {BaseMessage[]} messages */
	async instruct(messages) {
		const text = await listener.describe();
		if (text === null) {
			return messages;
		}

		const [first, ...rest] = messages;
		return first?.getType() === 'system'
			? [new SystemMessage({content: addTo(first.content, text)}), ...rest]
			: [new SystemMessage(text), ...messages];
	},
});
