/**
 * Questions to a Weaviate server: the objects of a class in an order, or nearest to a vector.
 *
 * REST's objects first. GraphQL, which is deprecated, only where these are not served, and for
 * the nearest, which REST's objects do not know.
 */
import type {TObject} from 'typebox';
import {boundedFetch, isTimeout, RefusedResponseError} from '../../bounded-fetch.ts';
import {ConfigurationError, reasonOf, StoreError} from '../../errors.ts';
import {isHeaderSafe, plainUrl} from '../../server-access.ts';
import {gotten, isRefusal, objectsOf, wordsOf, type Class, type Found} from './answers.ts';

export type Connection = {url: string; apiKey: string | undefined; timeoutMilliseconds: number};

/** The objects of a class by a property, which may be one of Weaviate's own (`_creationTimeUnix`). */
export type Order = {by: string; order: 'asc' | 'desc'; limit: number};

/** Objects asked for at once: their vectors of 1024 numbers are a megabyte or two of JSON. */
const pageSize = 100;

/**
 * The largest answer in bytes: room for 500 vectors of 1024 numbers of 32 bytes each, which is what an
 * initial state is made from. A page is a fifth of that and seldom over 2.5 MB; its texts, and
 * vectors of other names, have the rest.
 */
const maxAnswerBytes = 500 * 1024 * 32;

/** Statuses of a server that does not serve what was asked. REST answers 404 to an unknown class, too, of which GraphQL says more. */
const notServed = new Set([404, 405, 501]);

/** The arguments of a query, for a class whose vectors have names or have none. */
type Question = (isNamed: boolean) => string;

/** `answer` is undefined where it is no JSON. */
type Reply = {url: string; status: number; answer: unknown};

export class WeaviateClient {
	readonly url: string;
	readonly #apiKey: string | undefined;
	readonly #timeout: number;
	readonly #closing = new AbortController();

	/** @throws {ConfigurationError} when the address is none, or the key is none that can be sent. */
	constructor({url, apiKey, timeoutMilliseconds}: Connection) {
		this.url = addressOf(url);
		this.#apiKey = sendable(apiKey);
		this.#timeout = timeoutMilliseconds;
	}

	/** @throws {StoreError} @throws the signal's reason when it aborts first. */
	async list<Properties extends TObject>(kind: Class<Properties>, {limit, ...order}: Order, signal?: AbortSignal): Promise<Array<Found<Properties>>> {
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

	/** @throws {StoreError} @throws the signal's reason when it aborts first. */
	async nearest<Properties extends TObject>(kind: Class<Properties>, vector: Float32Array, limit: number, signal?: AbortSignal): Promise<Array<Found<Properties>>> {
		const numbers = JSON.stringify([...vector]);
		return this.#get(kind, isNamed => `limit: ${limit}, nearVector: {vector: ${numbers}${isNamed ? ', targetVectors: ["default"]' : ''}}`, signal);
	}

	close(): void {
		this.#closing.abort(new StoreError(`The store at ${this.url} is closed.`));
	}

	async #page<Properties extends TObject>(kind: Class<Properties>, {by, order, offset, limit}: Order & {offset: number}, signal: AbortSignal | undefined): Promise<Array<Found<Properties>>> {
		const query = new URLSearchParams({class: kind.name, sort: by, order, offset: String(offset), limit: String(limit), include: 'vector'});
		const reply = await this.#ask(`${this.url}/v1/objects?${query}`, null, signal);
		if (notServed.has(reply.status)) {
			return this.#get(kind, () => `limit: ${limit}, offset: ${offset}, sort: [{path: ["${by}"], order: ${order}}]`, signal);
		}

		const objects = reply.status === 200 ? objectsOf(reply.answer, kind) : null;
		if (!objects) {
			throw this.#explain(reply, kind);
		}

		return objects;
	}

	/** Asks GraphQL. Whether vectors have names cannot be known beforehand, and to ask for the other kind is refused, or finds none. */
	async #get<Properties extends TObject>(kind: Class<Properties>, question: Question, signal: AbortSignal | undefined): Promise<Array<Found<Properties>>> {
		const plain = await this.#query(kind, question, false, signal);
		if (plain.objects?.length === 0 || plain.objects?.some(({vector}) => vector.length > 0)) {
			return plain.objects;
		}

		const named = await this.#query(kind, question, true, signal);
		const objects = named.objects ?? plain.objects;
		if (!objects) {
			throw this.#explain(plain.reply, kind);
		}

		return objects;
	}

	/** One question; the objects are null when the server does not understand it. */
	async #query<Properties extends TObject>(kind: Class<Properties>, question: Question, isNamed: boolean, signal: AbortSignal | undefined): Promise<{reply: Reply; objects: Array<Found<Properties>> | null}> {
		const fields = [...Object.keys(kind.properties.properties), `_additional {${isNamed ? 'vectors {default}' : 'vector'}}`];
		const query = `{Get {${kind.name}(${question(isNamed)}) {${fields.join(' ')}}}}`;
		const reply = await this.#ask(`${this.url}/v1/graphql`, JSON.stringify({query}), signal);
		if (reply.status === 200 && isRefusal(reply.answer)) {
			return {reply, objects: null};
		}

		const objects = reply.status === 200 ? gotten(reply.answer, kind) : null;
		if (!objects) {
			throw this.#explain(reply, kind);
		}

		return {reply, objects};
	}

	/** GETs, or POSTs a body. */
	async #ask(url: string, body: string | null, signal: AbortSignal | undefined): Promise<Reply> {
		const ended = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
		ended.throwIfAborted();
		try {
			const response = await boundedFetch(url, {
				method: body === null ? 'GET' : 'POST',
				headers: {'content-type': 'application/json', ...(this.#apiKey !== undefined && {authorization: `Bearer ${this.#apiKey}`})},
				body,
				signal: ended,
			}, {maxBytes: maxAnswerBytes, timeoutMs: this.#timeout, setting: 'WEAVIATE_URL'});
			return {url, status: response.status, answer: parsed(await response.text())};
		} catch (error) {
			ended.throwIfAborted();
			if (error instanceof RefusedResponseError) {
				throw new StoreError(error.message);
			}

			const trouble = isTimeout(error) ? `did not answer within ${this.#timeout / 1000} s` : `cannot be reached (${troubleOf(error)})`;
			throw new StoreError(`${url} ${trouble}. Start the server, or correct WEAVIATE_URL.`, {cause: error, retryable: true});
		}
	}

	/** What came, and the way out. The key is never told: servers quote it when they refuse it. */
	#explain({url, status, answer}: Reply, {name, properties}: Class): StoreError {
		if (status === 401 || status === 403) {
			return new StoreError(this.#apiKey === undefined
				? `${url} refuses a request without a key (${status}). Set WEAVIATE_API_KEY to one that it knows.`
				: `${url} refuses the key (${status}). Set WEAVIATE_API_KEY to one that it knows, or unset it if the server has none.`);
		}

		const said = this.#apiKey === undefined ? wordsOf(answer) : wordsOf(answer).replaceAll(this.#apiKey, '…');
		const words = said.slice(0, 300) || (status === 200 ? `something that is ${answer === undefined ? 'not JSON' : `no list of ${name} objects`}` : '');
		const mayPass = status === 429 || (status >= 500 && status !== 501);
		const advice = mayPass
			? 'Try again when the server is well.'
			: `Check that WEAVIATE_URL is the address of a Weaviate server, and that its class ${name} has ${Object.keys(properties.properties).join(', ')}.`;
		return new StoreError(`${url} answered ${status}${words && `: ${words}`}. ${advice}`, {retryable: mayPass});
	}
}

const addressOf = (address: string): string => {
	const url = plainUrl(address);
	if (url === null) {
		throw new ConfigurationError('WEAVIATE_URL must be a plain http or https address such as http://localhost:8080; a key belongs in WEAVIATE_API_KEY.');
	}

	return url;
};

/** Checked here: of a header that cannot be sent, the runtime's error would tell the content. */
const sendable = (apiKey: string | undefined): string | undefined => {
	if (apiKey && !isHeaderSafe(apiKey)) {
		throw new ConfigurationError('WEAVIATE_API_KEY has a space or a character that cannot be sent. Set it to the key alone.');
	}

	return apiKey || undefined;
};

/** Undefined for what is no JSON. */
const parsed = (body: string): unknown => {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
};

/** Node says “fetch failed” and hides the rest in the cause. */
const troubleOf = (error: unknown): string => {
	const {cause} = error as {cause?: {code?: string}};
	return cause?.code ?? reasonOf(cause ?? error);
};
