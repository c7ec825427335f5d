/**
 * Queries to a Weaviate server: the objects of a class in order of a property, or nearest to a vector.
 *
 * Lists use REST. GraphQL, which is deprecated, is used for nearest-neighbour searches, which REST
 * does not have, and if the server does not offer REST.
 */
import type {TObject} from '../../../platform/typebox.ts';
import {boundedFetch, describeConnectionError, isTimeout, RefusedResponseError} from '../../../platform/bounded-fetch.ts';
import {valueOfJson} from '../../../platform/describe-faults.ts';
import {ConfigurationError, StoreError} from '../../../platform/errors.ts';
import {requireHeaderSafe, requirePlainUrl} from '../../../platform/server-access.ts';
import {parseGraphQlAnswer, isGraphQlError, parseRestAnswer, readErrorMessages, type Class, type Found} from './answers.ts';
import {nameOf} from '../../../platform/option-names.ts';

export type Connection = {url: string; apiKey: string | undefined; timeoutMs: number};

/** An order by a property, which may be a built-in one (`_creationTimeUnix`). */
export type Order = {by: string; order: 'asc' | 'desc'; limit: number};

/** Objects per request: their vectors of 1024 numbers are 1–2 MB of JSON. */
const pageSize = 100;

/**
 * Largest answer in bytes: 500 vectors, as many as an initial state is made from, of 1024 numbers of
 * 32 bytes. The vectors of a page take a fifth of it; the rest is room for texts and wider vectors.
 */
const maxAnswerBytes = 500 * 1024 * 32;

/** Statuses of a server without REST objects. REST also answers 404 for an unknown class; GraphQL then gives the reason. */
const unsupportedStatuses = new Set([404, 405, 501]);

/** The arguments of a GraphQL query, for a class with or without named vectors. */
type QueryArguments = (isNamed: boolean) => string;

/** `answer` is undefined if it is not JSON. */
type Reply = {url: string; status: number; answer: unknown};

export class WeaviateClient {
	readonly url: string;
	readonly #apiKey: string | undefined;
	readonly #timeout: number;
	readonly #closing = new AbortController();

	/** @throws {ConfigurationError} if the address or the key cannot be used. */
	constructor({url, apiKey, timeoutMs}: Connection) {
		this.url = requirePlainUrl(url, nameOf('store.url'), nameOf('store.apiKey'), 'http://localhost:8080', ConfigurationError);
		this.#apiKey = apiKey ? requireHeaderSafe(apiKey, nameOf('store.apiKey'), ConfigurationError) : undefined;
		this.#timeout = timeoutMs;
	}

	/** @throws {StoreError} @throws the signal's reason if it aborts first. */
	async list<Properties extends TObject>(
		kind: Class<Properties>, {limit, ...order}: Order, signal?: AbortSignal,
	): Promise<Array<Found<Properties>>> {
		const objects: Array<Found<Properties>> = [];
		while (objects.length < limit) {
			const page = {...order, offset: objects.length, limit: Math.min(pageSize, limit - objects.length)};
			const found = await this.#page(kind, page, signal);
			objects.push(...found.slice(0, page.limit));
			if (found.length < page.limit) {
				break;
			}
		}

		return objects;
	}

	/** @throws {StoreError} @throws the signal's reason if it aborts first. */
	async nearest<Properties extends TObject>(
		kind: Class<Properties>, vector: Float32Array, limit: number, signal?: AbortSignal,
	): Promise<Array<Found<Properties>>> {
		const numbers = JSON.stringify([...vector]);
		return this.#getByGraphQl(
			kind, isNamed => `limit: ${limit}, nearVector: {vector: ${numbers}${isNamed ? ', targetVectors: ["default"]' : ''}}`, signal,
		);
	}

	close(): void {
		this.#closing.abort(new StoreError(`The store at ${this.url} is closed.`));
	}

	async #page<Properties extends TObject>(
		kind: Class<Properties>, {by, order, offset, limit}: Order & {offset: number}, signal: AbortSignal | undefined,
	): Promise<Array<Found<Properties>>> {
		const query = new URLSearchParams({class: kind.name, sort: by, order, offset: String(offset), limit: String(limit), include: 'vector'});
		const reply = await this.#request(`${this.url}/v1/objects?${query}`, null, signal);
		if (unsupportedStatuses.has(reply.status)) {
			return this.#getByGraphQl(kind, () => `limit: ${limit}, offset: ${offset}, sort: [{path: ["${by}"], order: ${order}}]`, signal);
		}

		return this.#requireObjects(reply.status === 200 ? parseRestAnswer(reply.answer, kind) : null, reply, kind);
	}

	/** Queries GraphQL for unnamed vectors, then for named ones: a query for the wrong kind fails or returns no vectors. */
	async #getByGraphQl<Properties extends TObject>(
		kind: Class<Properties>, queryArguments: QueryArguments, signal: AbortSignal | undefined,
	): Promise<Array<Found<Properties>>> {
		const plain = await this.#query(kind, queryArguments, false, signal);
		if (plain.objects?.length === 0 || plain.objects?.some(({vector}) => vector.length > 0)) {
			return plain.objects;
		}

		const named = await this.#query(kind, queryArguments, true, signal);
		return this.#requireObjects(named.objects ?? plain.objects, plain.reply, kind);
	}

	/** One GraphQL query; `objects` is null if the server rejects the query. */
	async #query<Properties extends TObject>(
		kind: Class<Properties>, queryArguments: QueryArguments, isNamed: boolean, signal: AbortSignal | undefined,
	): Promise<{reply: Reply; objects: Array<Found<Properties>> | null}> {
		const fields = [...Object.keys(kind.properties.properties), `_additional {${isNamed ? 'vectors {default}' : 'vector'}}`];
		const query = `{Get {${kind.name}(${queryArguments(isNamed)}) {${fields.join(' ')}}}}`;
		const reply = await this.#request(`${this.url}/v1/graphql`, JSON.stringify({query}), signal);
		if (reply.status === 200 && isGraphQlError(reply.answer)) {
			return {reply, objects: null};
		}

		return {reply, objects: this.#requireObjects(reply.status === 200 ? parseGraphQlAnswer(reply.answer, kind) : null, reply, kind)};
	}

	#requireObjects<Properties extends TObject>(
		objects: Array<Found<Properties>> | null, reply: Reply, kind: Class<Properties>,
	): Array<Found<Properties>> {
		if (!objects) {
			throw this.#toError(reply, kind);
		}

		return objects;
	}

	/** Sends a GET, or a POST if there is a body. */
	async #request(url: string, body: string | null, signal: AbortSignal | undefined): Promise<Reply> {
		const ended = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
		ended.throwIfAborted();
		try {
			const response = await boundedFetch(url, {
				method: body === null ? 'GET' : 'POST',
				headers: {'content-type': 'application/json', ...(this.#apiKey !== undefined && {authorization: `Bearer ${this.#apiKey}`})},
				body,
				signal: ended,
			}, {maxBytes: maxAnswerBytes, timeoutMs: this.#timeout, option: nameOf('store.url')});
			return {url, status: response.status, answer: valueOfJson(await response.text())};
		} catch (error) {
			ended.throwIfAborted();
			if (error instanceof RefusedResponseError) {
				throw new StoreError(error.message);
			}

			const failure = isTimeout(error)
				? `did not answer within ${this.#timeout / 1000} s`
				: `cannot be reached (${describeConnectionError(error)})`;
			throw new StoreError(`${url} ${failure}. Start the server, or correct ${nameOf('store.url')}.`, {cause: error, retryable: true});
		}
	}

	/** Describes an unusable answer. The key is removed: some servers quote it when they reject it. */
	#toError({url, status, answer}: Reply, {name, properties}: Class): StoreError {
		if (status === 401 || status === 403) {
			return new StoreError(this.#apiKey === undefined
				? `${url} needs a key (${status}). Set ${nameOf('store.apiKey')} to a valid key.`
				: `${url} rejects the key (${status}). Set ${nameOf('store.apiKey')} to a valid key, or unset it if the server needs none.`);
		}

		const said = this.#apiKey === undefined ? readErrorMessages(answer) : readErrorMessages(answer).replaceAll(this.#apiKey, '…');
		const words = said.slice(0, 300)
			|| (status === 200 ? `something that is ${answer === undefined ? 'not JSON' : `not a list of ${name} objects`}` : '');
		const isRetryable = status === 429 || (status >= 500 && status !== 501);
		const advice = isRetryable
			? 'Try again later.'
			: `Check that ${nameOf('store.url')} is the address of a Weaviate server, and that its class ${name} has `
				+ `${Object.keys(properties.properties).join(', ')}.`;
		return new StoreError(`${url} answered ${status}${words && `: ${words}`}. ${advice}`, {retryable: isRetryable});
	}
}
