/**
 * A `fetch` for servers that options name: a response costs bounded memory and time.
 *
 * Redirects are not followed. With them the platform's `fetch` sends custom headers such as
 * `x-api-key`, and with 307 and 308 the body too, to any host that the server names.
 */
import {packageVersion} from '../generated/version.ts';
import {reasonOf} from './errors.ts';

/** The bounds of one request. */
export type FetchBounds = {
	/** The largest body in bytes, after decompression. */
	maxBytes: number;
	/** From the request to the last byte of the response. */
	timeoutMs: number;
	/** The option that gives the server, as messages name it. */
	option: string;
};

/** The response is a redirect, or its body is too large. */
export class RefusedResponseError extends Error {
	override readonly name = 'RefusedResponseError';
}

/** Not in a page: a server of another origin would have to allow the header. */
const userAgent = 'process' in globalThis ? `processual-state/${packageVersion}` : null;

/** The body of an error status is cut here and not rejected: only its first words are used. */
const maxErrorBytes = 65_536;

/**
 * Fetches, and reads the whole body into memory.
 *
 * @throws {RefusedResponseError} for a redirect, and for a body over `maxBytes`; the body of an error status is cut instead.
 * @throws a `TimeoutError` (see {@link isTimeout}) after `timeoutMs`; the signal's reason when it aborts first; else the error of `fetch`.
 */
export const boundedFetch = async (
	input: string | URL | Request, init: RequestInit | undefined, {maxBytes, timeoutMs, option}: FetchBounds,
): Promise<Response> => {
	const signal = AbortSignal.any([AbortSignal.timeout(Math.ceil(timeoutMs)), ...(init?.signal ? [init.signal] : [])]);
	const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
	if (userAgent !== null) {
		headers.set('User-Agent', [userAgent, headers.get('User-Agent')].filter(Boolean).join(' '));
	}

	const response = await fetch(input, {...init, headers, signal, redirect: 'manual'});
	const {status, statusText, headers: answered, ok} = response;
	const url = input instanceof Request ? input.url : String(input);
	if (isRedirect(response)) {
		await response.body?.cancel();
		throw new RefusedResponseError(`${url} answered with a redirect (${status}) to `
			+ `${originOf(answered.get('location'), url)}. It was not followed, because the request may carry a key and texts. `
			+ `Set ${option} to the final address, if you trust it.`);
	}

	const {body, isCut} = await readUpTo(response.body, ok ? maxBytes : Math.min(maxBytes, maxErrorBytes));
	if (ok && isCut) {
		throw new RefusedResponseError(`${url} answered with more than ${maxBytes} bytes, too many for a valid answer. Check ${option}.`);
	}

	return new Response(bodilessStatuses.has(status) ? null : body, {status, statusText, headers: answered});
};

/** Whether a bounded fetch reached its timeout. */
export const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** In a browser, only the type of the response shows a redirect. */
const isRedirect = ({type, status}: Response): boolean => type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status);

/** Statuses whose `Response` cannot have a body. */
const bodilessStatuses = new Set([204, 205, 304]);

/** Only the origin: path and query may hold a key. */
const originOf = (location: string | null, base: string): string => {
	const url = location === null ? null : URL.parse(location, base);
	return url && /^https?:$/.test(url.protocol) ? url.origin : 'an unreadable address';
};

/** Reads a body, and cuts it at the limit. */
export const readUpTo = async (
	body: AsyncIterable<Uint8Array<ArrayBuffer>> | null, maxBytes: number,
): Promise<{body: Blob; isCut: boolean}> => {
	const chunks: Array<Uint8Array<ArrayBuffer>> = [];
	let room = maxBytes;
	// Leaving the loop early cancels the body, which closes the connection.
	for await (const chunk of body ?? []) {
		chunks.push(chunk.subarray(0, room));
		if (chunk.length > room) {
			return {body: new Blob(chunks), isCut: true};
		}

		room -= chunk.length;
	}

	return {body: new Blob(chunks), isCut: false};
};

/** Retry-After in milliseconds, from either of its forms; null when it is absent or unreadable. */
export const waitOf = (header: string | null | undefined): number | null => {
	if (header === null || header === undefined) {
		return null;
	}

	const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return Number.isNaN(wait) ? null : Math.max(0, wait);
};

/** Whether a connection failed or broke. A defect may be a TypeError too, but has no cause. */
export const isConnectionError = (error: unknown): boolean => error instanceof TypeError && error.cause !== undefined;

/** The code (`ECONNREFUSED` …) or else the message of a failed connection; `fetch` itself only says “fetch failed”. */
export const describeConnectionError = (error: unknown): string => {
	const {cause} = error as {cause?: {code?: string}};
	return cause?.code ?? reasonOf(cause ?? error);
};
