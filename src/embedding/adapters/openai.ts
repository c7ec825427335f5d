/**
 * A model on a server that speaks OpenAI's `POST /v1/embeddings`: Text Embeddings Inference,
 * Ollama, vLLM, OpenAI and others.
 *
 * What passes (429, 5xx, a broken connection) is tried again, as late as the server asks. The
 * waits end with the caller's signal and with the encoder, which waits of retry libraries do not.
 */
import {setTimeout} from 'node:timers/promises';
import {Type} from 'typebox';
import {Value} from 'typebox/value';
import {boundedFetch, isTimeout, RefusedResponseError} from '../../bounded-fetch.ts';
import {EmbeddingError, ModelLoadError} from '../../errors.ts';
import {isHeaderSafe, plainUrl} from '../../server-access.ts';
import {connectionTrouble} from './connection-errors.ts';
import type {OpenAiChoice} from '../model-choice.ts';
import type {RawEmbedding, TextModel} from '../text-model.ts';

const Answer = Type.Object({
	data: Type.Array(Type.Object({embedding: Type.Array(Type.Number(), {minItems: 1})}), {minItems: 1}),
	usage: Type.Optional(Type.Unknown()),
});

/** Some servers leave this out, or fill it with something else: then the number of tokens is not known. */
const Usage = Type.Object({prompt_tokens: Type.Integer({minimum: 1})});

/** A server's refusal in OpenAI's shape, of which only the words are used. */
const Refusal = Type.Object({error: Type.Object({message: Type.String()})});

const attempts = 4;

/** Milliseconds before the second attempt, doubled before each further one; a server's Retry-After overrules them. */
const firstWait = 100;

/** A text longer than the model reads is halved until it fits, but no further than this. */
const shortest = 512;

/** Statuses that servers answer to a text that is too long. */
const tooLong = new Set([400, 413, 422]);

/** The largest answer in bytes, while the model's width is not known. */
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * The largest answer of a model of a width: a component in JSON takes at most 25 bytes, and more where it stands in
 * a separate line. A thousand answers may be under way at once.
 */
const maxBytesOf = (width: number): number => Math.min(maxAnswerBytes, 65_536 + 64 * width);

/** A failure that may pass. */
class PassingError extends EmbeddingError {
	/** What the server asked for, in milliseconds. */
	readonly retryAfter: number | null;

	constructor(message: string, {retryAfter = null, cause}: {retryAfter?: number | null; cause?: unknown}) {
		super(message, {retryable: true, cause});
		this.retryAfter = retryAfter;
	}
}

type Reply = {status: number; body: string};

export class OpenAiModel implements TextModel {
	readonly #choice: OpenAiChoice;
	readonly #url: string;
	readonly #disposal = new AbortController();
	#maxBytes = maxAnswerBytes;

	/** @throws {ModelLoadError} when the address or the key cannot be used. */
	constructor(choice: OpenAiChoice) {
		this.#choice = choice;
		this.#url = endpointOf(choice);
	}

	async embed(text: string, signal?: AbortSignal): Promise<RawEmbedding<number[]>> {
		const ended = AbortSignal.any([this.#disposal.signal, ...(signal ? [signal] : [])]);
		ended.throwIfAborted();

		// Halving is the only cut that fits every server: none tells its limit, and many refuse what is over it.
		for (let kept = text; ; kept = kept.slice(0, kept.length / 2).toWellFormed()) {
			const reply = await this.#insist(kept, ended);
			if (reply.status === 200) {
				const {vector, tokens} = embeddingOf(reply.body);
				this.#maxBytes = maxBytesOf(vector.length);
				// A server may cut by itself and not say so: only what was cut here is known.
				return {vector, report: {...tokens, ...(kept !== text && {isTruncated: true})}};
			}

			if (!tooLong.has(reply.status) || kept.length <= shortest) {
				throw new EmbeddingError(this.#explain(reply));
			}
		}
	}

	async dispose(): Promise<void> {
		this.#disposal.abort(new EmbeddingError('The encoder is disposed.'));
	}

	/** The first reply that is not a passing failure. */
	async #insist(text: string, ended: AbortSignal): Promise<Reply> {
		for (let attempt = 1; ; attempt++) {
			try {
				return await this.#ask(text, ended);
			} catch (error) {
				const wait = error instanceof PassingError ? error.retryAfter ?? firstWait * 2 ** (attempt - 1) : Infinity;
				if (attempt === attempts || wait > this.#choice.timeoutSeconds * 1000) {
					throw error;
				}

				await setTimeout(wait, undefined, {signal: ended}).catch(() => {
					throw ended.reason;
				});
			}
		}
	}

	async #ask(text: string, ended: AbortSignal): Promise<Reply> {
		const {name, apiKey, timeoutSeconds} = this.#choice;
		let reply: Reply & {retryAfter: number | null};
		try {
			const response = await boundedFetch(this.#url, {
				method: 'POST',
				headers: {'content-type': 'application/json', ...(apiKey !== null && {authorization: `Bearer ${apiKey}`})},
				body: JSON.stringify({model: name, input: text, encoding_format: 'float'}),
				signal: ended,
			}, {maxBytes: this.#maxBytes, timeoutMs: timeoutSeconds * 1000, setting: 'EMBEDDING_BASE_URL'});
			reply = {status: response.status, body: await response.text(), retryAfter: waitOf(response.headers.get('retry-after'))};
		} catch (error) {
			ended.throwIfAborted();
			if (error instanceof RefusedResponseError) {
				throw new EmbeddingError(error.message);
			}

			if (isTimeout(error)) {
				throw new EmbeddingError(`${this.#url} did not answer within ${timeoutSeconds} s (EMBEDDING_TIMEOUT_SECONDS).`, {retryable: true});
			}

			throw new PassingError(`${this.#url} cannot be reached (${connectionTrouble(error)}). Start the server, or correct EMBEDDING_BASE_URL.`, {cause: error});
		}

		if (reply.status === 429 || reply.status >= 500) {
			throw new PassingError(this.#explain(reply), {retryAfter: reply.retryAfter});
		}

		return reply;
	}

	/** What the server said, and the way out. The key is never told: servers quote it, whole or in part, when they refuse it. */
	#explain({status, body}: Reply): string {
		const {name, apiKey} = this.#choice;
		if (status === 401 || status === 403) {
			return `${this.#url} refuses ${apiKey === null ? 'a request without a key' : 'the key'} (${status}). Set EMBEDDING_API_KEY to one that it knows.`;
		}

		const words = (apiKey === null ? wordsOf(body) : wordsOf(body).replaceAll(apiKey, '…')).slice(0, 200);
		const advice = status === 404 ? ` Check that it serves “${name}” and that EMBEDDING_BASE_URL ends as the server wants, mostly in /v1.` : '';
		return `${this.#url} answered ${status}${words && `: ${words}`}.${advice}`;
	}
}

/** The endpoint below a base URL. @throws {ModelLoadError} when the address or the key cannot be used. */
const endpointOf = ({baseUrl, apiKey}: OpenAiChoice): string => {
	const url = plainUrl(baseUrl);
	if (url === null) {
		throw new ModelLoadError('EMBEDDING_BASE_URL must be a plain http or https address such as http://localhost:11434/v1; a key belongs in EMBEDDING_API_KEY.');
	}

	if (apiKey !== null && !isHeaderSafe(apiKey)) {
		throw new ModelLoadError('EMBEDDING_API_KEY has a space, a line break or another character that no key has. Copy the key again.');
	}

	return `${url}/embeddings`;
};

/** Retry-After in milliseconds, of either of its forms; null when it is absent or unreadable. */
const waitOf = (header: string | null): number | null => {
	if (header === null) {
		return null;
	}

	const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return Number.isNaN(wait) ? null : Math.max(0, wait);
};

const wordsOf = (body: string): string => {
	try {
		return Value.Parse(Refusal, JSON.parse(body)).error.message;
	} catch {
		return '';
	}
};

const embeddingOf = (body: string): {vector: number[]; tokens: {tokens?: number}} => {
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
