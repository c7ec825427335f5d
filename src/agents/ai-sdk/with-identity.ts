/**
 * An identity as middleware of the AI SDK. Before a call the model gets what stands out in the
 * identity; after it, the identity hears what the user said, and what the model said as its own.
 *
 * The conversation comes first: tokens of a stream pass as they come, and an identity that fails
 * or is slow is reported and left out. The SDK itself is not imported.
 */
import type {Identity} from '../../identity/identity.ts';
import {requireKnownNames, type Names} from '../../platform/unknown-names.ts';
import {listenerOptionNames, listenWith, type ListenerOptions, type Speaker} from '../listen-with.ts';

/** Options of {@link withIdentity}. None is required. */
export type WithIdentityOptions = ListenerOptions & Pick<Speaker, 'source'> & {
	/** The conversation that these texts and the model's belong to. @default that with `source` */
	conversation?: string;
};

const names: Names<WithIdentityOptions> = {...listenerOptionNames, source: true, conversation: true};

/** A part of what is said: a text, or what is left as it is. */
type Part = {readonly type: string; readonly text?: unknown; readonly delta?: unknown};

type Message = {readonly role: string; readonly content: unknown};

/** What is used of the parameters of a call. */
type Call = {readonly prompt: readonly Message[]; readonly responseFormat?: {readonly type: string} | undefined};

/** What is used of the SDK's middleware for language models. */
export type IdentityMiddleware = {
	readonly specificationVersion: 'v4';
	/** Adds what stands out to the instructions. */
	transformParams<Params extends Call>(options: {params: Params}): Promise<Params>;
	/** Lets the identity hear a call. */
	wrapGenerate<Result extends {content: readonly Part[]}>(options: {params: Call; doGenerate: () => PromiseLike<Result>}): Promise<Result>;
	/** Lets the identity hear a stream. */
	wrapStream<Result extends {stream: ReadableStream<Part>}>(options: {params: Call; doStream: () => PromiseLike<Result>}): Promise<Result>;
};

const textOf = (parts: readonly Part[]): string =>
	parts.flatMap(({type, text}) => type === 'text' ? [text] : []).join('\n');

/** What the user says in this call; blank where a tool's result is the newest message, because the user was heard before. */
const heardIn = ({prompt}: Call): string => {
	const newest = prompt.at(-1);
	return newest?.role === 'user' ? textOf(newest.content as Part[]) : '';
};

/** Whether the model was asked for data: these are not its words. */
const isForData = ({responseFormat}: Call): boolean => responseFormat?.type === 'json';

/** After the instructions, which stay in one message: some models take no second one. */
const addInstructions = (prompt: readonly Message[], text: string): Message[] => {
	const at = prompt.findLastIndex(({role}) => role === 'system');
	return at === -1
		? [{role: 'system', content: text}, ...prompt]
		: prompt.with(at, {...prompt[at]!, content: `${String(prompt[at]!.content)}\n\n${text}`});
};

/**
 * Makes middleware of an identity, in this program or from afar, for `wrapLanguageModel` of the AI SDK 7.
 *
 * Before each call the instructions get up to `maxTraits` lines on what stands out in the identity; where nothing
 * differs from chance they stay as they are. After a call that succeeded, the identity hears the user's newest text,
 * with `source`, and then the model's text with the source `self`, by which the echo guard knows it. Within a loop of
 * tools the user is heard once. JSON that was asked for is not heard. The call resolves, and a stream ends, when the
 * identity has heard it or `timeoutMs` are over.
 *
 * @throws {ConfigurationError} for an unknown option
 *
 * @example
 * ```ts
 * import {generateText, wrapLanguageModel} from 'ai';
 * import {MockLanguageModelV4} from 'ai/test';
 * import {createIdentity} from 'processual-state';
 * import {withIdentity} from 'processual-state/ai-sdk';
 *
 * const ada = createIdentity();
 * // In place of this model: anthropic('claude-sonnet-4-5'), or any other.
 * const mock = new MockLanguageModelV4({doGenerate: {
 * 	content: [{type: 'text', text: 'It is.'}],
 * 	finishReason: {unified: 'stop', raw: undefined},
 * 	usage: {inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0}, outputTokens: {total: 1, text: 1, reasoning: 0}},
 * 	warnings: [],
 * }});
 * const model = wrapLanguageModel({model: mock, middleware: withIdentity(ada, {source: 'Ben', timeoutMs: 60_000})});
 * const {text} = await generateText({model, prompt: 'The sea is quiet today.'});
 * console.log(text, ada.state().stateId);
 * await ada.dispose();
 * ```
 */
export const withIdentity = (identity: Identity, given: WithIdentityOptions = {}): IdentityMiddleware => {
	requireKnownNames('The middleware', given, names);
	const {source, conversation = source, ...options} = given;
	const listener = listenWith(identity, options);

	/** One after the other: from afar, requests at the same time may change places. */
	const hear = async (params: Call, said: string): Promise<void> => {
		await listener.hear(heardIn(params), {source, conversation});
		await listener.speak(isForData(params) ? '' : said, {conversation});
	};

	return {
		specificationVersion: 'v4',

		async transformParams({params}) {
			const text = await listener.describe();
			return text ? {...params, prompt: addInstructions(params.prompt, text)} : params;
		},

		async wrapGenerate({doGenerate, params}) {
			const result = await doGenerate();
			await hear(params, textOf(result.content));
			return result;
		},

		async wrapStream({doStream, params}) {
			const result = await doStream();
			let said = '';
			let isFailed = false;
			/** A stream that fails before a word will be tried again, with the same text of the user. */
			const end = async (): Promise<void> => {
				if (said !== '' || !isFailed) {
					await hear(params, said);
				}
			};

			return {...result, stream: result.stream.pipeThrough(new TransformStream<Part, Part>({
				transform(part, controller) {
					controller.enqueue(part);
					if (part.type === 'text-delta') {
						said += String(part.delta);
					} else if (part.type === 'text-start') {
						said += said && '\n';
					} else if (part.type === 'error') {
						isFailed = true;
					}
				},
				flush: end,
				// Where the reader leaves, what it has read was said.
				cancel: end,
			}))};
		},
	};
};
