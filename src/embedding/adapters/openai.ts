/**
 * A model on a server with OpenAI's `POST /v1/embeddings`: Text Embeddings Inference, Ollama,
 * vLLM, OpenAI and others.
 *
 * Transient failures (429, 5xx, a broken connection) are retried, after the server's Retry-After
 * if given. The caller's signal and the encoder's disposal end the waits, which retry libraries do not offer.
 */
import {Type, Value} from '../../platform/typebox.ts';
import {boundedFetch, isTimeout, RefusedResponseError, describeConnectionError, waitOf} from '../../platform/bounded-fetch.ts';
import {valueOfJson} from '../../platform/describe-faults.ts';
import {EmbeddingError, ModelLoadError} from '../../platform/errors.ts';
import {requireHeaderSafe} from '../../platform/server-access.ts';
import {globalTimers, wait} from '../../platform/waiting.ts';
import type {OpenAiChoice} from '../model-choice.ts';
import type {RawEmbedding, TextModel, TokenReport} from '../encoder.ts';
import {nameOf} from '../../platform/option-names.ts';

const Answer = Type.Object({
	data: Type.Array(Type.Object({embedding: Type.Array(Type.Number(), {minItems: 1})}), {minItems: 1}),
	usage: Type.Optional(Type.Unknown()),
});

/** Some servers omit this or send something else; the number of tokens is then unknown. */
const Usage = Type.Object({prompt_tokens: Type.Integer({minimum: 1})});

/** An error in OpenAI's format; only its message is used. */
const ErrorBody = Type.Object({error: Type.Object({message: Type.String()})});

const maxAttempts = 4;

/** The wait before the second attempt, doubled before each further one; a server's Retry-After overrides it. */
const firstWaitMs = 100;

/** A text that is too long for the model is halved until it fits. At this length, in UTF-16 units, halving ends. */
const minHalvedLength = 512;

/** The statuses with which servers refuse a text that is too long. */
const tooLongStatuses = new Set([400, 413, 422]);

/** The largest answer in bytes, while the model's width is unknown. */
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * The largest answer in bytes for a model of this width. A component takes at most 25 bytes of JSON, more if it is on
 * a separate line. A thousand answers may be in flight at once.
 */
const maxBytesOf = (width: number): number => Math.min(maxAnswerBytes, 65_536 + 64 * width);

/** A failure that a retry may overcome. */
class TransientError extends EmbeddingError {
	override readonly name = 'TransientError';
	/** The server's Retry-After in milliseconds. */
	readonly retryAfterMs: number | null;

	constructor(message: string, {retryAfterMs = null, cause}: {retryAfterMs?: number | null; cause?: unknown}) {
		super(message, {retryable: true, cause});
		this.retryAfterMs = retryAfterMs;
	}
}

type Reply = {status: number; body: string};

export class OpenAiModel implements TextModel {
	readonly #choice: OpenAiChoice;
	readonly #url: string;
	readonly #disposal = new AbortController();
	#maxBytes = maxAnswerBytes;

	/** @throws {ModelLoadError} if the key cannot be used. */
	constructor(choice: OpenAiChoice) {
		if (choice.apiKey !== null) {
			requireHeaderSafe(choice.apiKey, nameOf('encoder.apiKey'), ModelLoadError);
		}

		this.#choice = choice;
		this.#url = `${choice.baseUrl}/embeddings`;
	}

	async embed(text: string, signal?: AbortSignal): Promise<RawEmbedding<number[]>> {
		const ended = AbortSignal.any([this.#disposal.signal, ...(signal ? [signal] : [])]);
		ended.throwIfAborted();

		// Halving works with every server. None publishes its limit, and many refuse longer texts.
		for (let kept = text; ; kept = kept.slice(0, kept.length / 2).toWellFormed()) {
			const reply = await this.#askWithRetries(kept, ended);
			if (reply.status === 200) {
				const {vector, tokens} = embeddingOf(reply.body);
				this.#maxBytes = maxBytesOf(vector.length);
				// A server may truncate silently, so only truncation here is reported.
				return {vector, report: {...tokens, ...(kept !== text && {isTruncated: true})}};
			}

			if (!tooLongStatuses.has(reply.status) || kept.length <= minHalvedLength) {
				throw new EmbeddingError(this.#explain(reply));
			}
		}
	}

	async dispose(): Promise<void> {
		this.#disposal.abort(new EmbeddingError('The encoder is disposed.'));
	}

	/** Asks until the reply is not a transient failure. */
	async #askWithRetries(text: string, ended: AbortSignal): Promise<Reply> {
		for (let attempt = 1; ; attempt++) {
			try {
				return await this.#ask(text, ended);
			} catch (error) {
				const pauseMs = error instanceof TransientError ? error.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1) : Infinity;
				if (attempt === maxAttempts || pauseMs > this.#choice.timeoutSeconds * 1000) {
					throw error;
				}

				await wait(pauseMs, globalTimers, ended);
			}
		}
	}

	async #ask(text: string, ended: AbortSignal): Promise<Reply> {
		const {name, apiKey, timeoutSeconds} = this.#choice;
		let reply: Reply & {retryAfterMs: number | null};
		try {
			const response = await boundedFetch(this.#url, {
				method: 'POST',
				headers: {'content-type': 'application/json', ...(apiKey !== null && {authorization: `Bearer ${apiKey}`})},
				body: JSON.stringify({model: name, input: text, encoding_format: 'float'}),
				signal: ended,
			}, {maxBytes: this.#maxBytes, timeoutMs: timeoutSeconds * 1000, option: nameOf('encoder.baseUrl')});
			reply = {status: response.status, body: await response.text(), retryAfterMs: waitOf(response.headers.get('retry-after'))};
		} catch (error) {
			ended.throwIfAborted();
			if (error instanceof RefusedResponseError) {
				throw new EmbeddingError(error.message);
			}

			if (isTimeout(error)) {
				const message = `${this.#url} did not answer within ${timeoutSeconds} s (${nameOf('encoder.timeoutSeconds')}).`;
				throw new EmbeddingError(message, {retryable: true});
			}

			throw new TransientError(`${this.#url} cannot be reached (${describeConnectionError(error)}). Start the server, `
				+ `or correct ${nameOf('encoder.baseUrl')}.`, {cause: error});
		}

		if (reply.status === 429 || reply.status >= 500) {
			throw new TransientError(this.#explain(reply), {retryAfterMs: reply.retryAfterMs});
		}

		return reply;
	}

	/** Describes an error reply, and says what to do. It never shows the key, which servers quote when they refuse it. */
	#explain({status, body}: Reply): string {
		const {name, apiKey} = this.#choice;
		if (status === 401 || status === 403) {
			return `${this.#url} refuses ${apiKey === null ? 'a request without a key' : 'the key'} (${status}). `
				+ `Set ${nameOf('encoder.apiKey')} to a key that it accepts.`;
		}

		const words = (apiKey === null ? messageOf(body) : messageOf(body).replaceAll(apiKey, '…')).slice(0, 200);
		const advice = status === 404
			? ` Check that it serves “${name}” and that ${nameOf('encoder.baseUrl')} has the path that the server expects, mostly /v1.`
			: '';
		return `${this.#url} answered ${status}${words && `: ${words}`}.${advice}`;
	}
}

const messageOf = (body: string): string => {
	const answer = valueOfJson(body);
	return Value.Check(ErrorBody, answer) ? answer.error.message : '';
};

const embeddingOf = (body: string): {vector: number[]; tokens: TokenReport} => {
	let answer: unknown;
	try {
		answer = JSON.parse(body);
	} catch (error) {
		throw new EmbeddingError('The embedding server answered with something that is not JSON.', {cause: error});
	}

	if (!Value.Check(Answer, answer)) {
		throw new EmbeddingError('The embedding server answered without a vector of finite numbers in data[0].embedding.');
	}

	return {vector: answer.data[0]!.embedding, tokens: Value.Check(Usage, answer.usage) ? {tokens: answer.usage.prompt_tokens} : {}};
};
