/**
 * An identity as middleware of the AI SDK. Before a call the model gets what stands out in the
 * identity; after it, the identity hears the user's text, and the model's as its own.
 *
 * The conversation has priority: tokens of a stream pass as they arrive, and an identity that
 * fails or is slow is reported and skipped. The SDK itself is not imported.
 */
import type {Identity} from '../../identity/identity.ts';
import {requireOptions, type Checks} from '../../platform/ranges.ts';
import {listenerChecks, listenWith, type ListenerOptions, type Speaker} from '../listen-with.ts';

/** Options of {@link withIdentity}. None is required. */
export type WithIdentityOptions = ListenerOptions & Pick<Speaker, 'source'> & {
	/** The conversation that these texts and the model's belong to. @default the one with `source` */
	conversation?: string;
};

const checks: Checks<WithIdentityOptions> = {...listenerChecks, source: true, conversation: true};

/** A part of a message or a stream. Only texts are read; the rest passes unchanged. */
type Part = {readonly type: string; readonly text?: unknown; readonly delta?: unknown};

type Message = {readonly role: string; readonly content: unknown};

/** The parameters of a call that are used here. */
type Call = {readonly prompt: readonly Message[]; readonly responseFormat?: {readonly type: string} | undefined};

/** Middleware for the SDK's language models: the hooks that are used here. */
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

/** The user's text in this call; empty if the newest message is a tool's result, because the user was heard already. */
const heardIn = ({prompt}: Call): string => {
	const newest = prompt.at(-1);
	return newest?.role === 'user' ? textOf(newest.content as Part[]) : '';
};

/** Whether the model was asked for data, which are not its words. */
const isForData = ({responseFormat}: Call): boolean => responseFormat?.type === 'json';

/** Appends to the existing instructions, because some models accept only one system message. */
const addInstructions = (prompt: readonly Message[], text: string): Message[] => {
	const at = prompt.findLastIndex(({role}) => role === 'system');
	return at === -1
		? [{role: 'system', content: text}, ...prompt]
		: prompt.with(at, {...prompt[at]!, content: `${String(prompt[at]!.content)}\n\n${text}`});
};

/**
 * Makes middleware from a local or remote identity, for `wrapLanguageModel` of the AI SDK 7.
 *
 * Before each call, up to `maxTraits` lines on what stands out in the identity are added to the instructions; none if
 * nothing differs from chance. After a successful call, the identity hears the user's newest text with `source`, then
 * the model's text with the source `self`, by which the echo guard knows it. In a tool loop the user is heard once.
 * Requested JSON is not heard. The call resolves, or the stream ends, once the identity has heard it or after
 * `timeoutMs`.
 *
 * @throws {ConfigurationError} for an unknown option or a wrong value
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
	requireOptions('The middleware', given, checks);
	const {source, conversation = source, ...options} = given;
	const listener = listenWith(identity, options);

	/** In sequence: concurrent requests to a remote identity may arrive in another order. */
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
			/** A stream that fails before its first word will be retried, with the same text of the user. */
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
				// If the reader cancels, what it has read was said.
				cancel: end,
			}))};
		},
	};
};
