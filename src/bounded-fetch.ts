/**
 * A `fetch` for servers that the settings name: whatever they answer costs bounded memory and time.
 *
 * Redirects are not followed: the platform's `fetch` sends custom headers such as `x-api-key`, and with
 * 307 and 308 the body too, to whatever host the server names.
 */

/** What an answer may cost. */
export type FetchBounds = {
	/** The largest body, in bytes as it is after decompression. */
	maxBytes: number;
	/** From the request to the last byte of the answer. */
	timeoutMs: number;
	/** The setting that names the server, for the error's advice. */
	setting: string;
};

/** The server answered in a way that is refused: with too much, or with a redirect. */
export class RefusedResponseError extends Error {}

/** Of an error's body, only some words are used: the rest is cut off, not refused. */
const maxErrorBytes = 65_536;

/**
 * Fetches, and reads the whole body.
 *
 * @returns a response whose body is in memory
 * @throws {RefusedResponseError} for a redirect, and for a body over `maxBytes`; the body of an error status is cut instead.
 * @throws a `TimeoutError` (see {@link isTimeout}) after `timeoutMs`; the signal's reason when it aborts first; else what `fetch` throws.
 */
export const boundedFetch = async (input: string | URL | Request, init: RequestInit | undefined, {maxBytes, timeoutMs, setting}: FetchBounds): Promise<Response> => {
	const signal = AbortSignal.any([AbortSignal.timeout(Math.ceil(timeoutMs)), ...(init?.signal ? [init.signal] : [])]);
	const response = await fetch(input, {...init, signal, redirect: 'manual'});
	const {status, statusText, headers, ok} = response;
	const url = input instanceof Request ? input.url : String(input);
	if (isRedirect(response)) {
		await response.body?.cancel();
		throw new RefusedResponseError(`${url} answered with a redirect (${status}) to ${originOf(headers.get('location'), url)}. It is not followed, because the request may carry a key and texts. Set ${setting} to the final address, if you trust it.`);
	}

	const {bytes, isCut} = await readUpTo(response, ok ? maxBytes : Math.min(maxBytes, maxErrorBytes));
	if (ok && isCut) {
		throw new RefusedResponseError(`${url} answered with more than ${maxBytes} bytes, which is no answer to what was asked. Check ${setting}.`);
	}

	return new Response(hasNoBody.has(status) ? null : bytes, {status, statusText, headers});
};

/** Whether the time of a bounded fetch was over. */
export const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** A page sees no more of a redirect than its type. */
const isRedirect = ({type, status}: Response): boolean => type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status);

/** A response of these statuses cannot be made with a body. */
const hasNoBody = new Set([204, 205, 304]);

/** The origin alone: path and query may hold a key. */
const originOf = (location: string | null, base: string): string => {
	const url = location === null ? null : URL.parse(location, base);
	return url && /^https?:$/.test(url.protocol) ? url.origin : 'an address that is unreadable';
};

const readUpTo = async ({body}: Response, maxBytes: number): Promise<{bytes: Uint8Array<ArrayBuffer>; isCut: boolean}> => {
	const chunks: Uint8Array[] = [];
	let length = 0;
	// Leaving the loop early cancels the body, which closes the connection.
	for await (const chunk of body ?? []) {
		const room = maxBytes - length;
		if (chunk.length > room) {
			chunks.push(chunk.subarray(0, room));
			return {bytes: joined(chunks, maxBytes), isCut: true};
		}

		chunks.push(chunk);
		length += chunk.length;
	}

	return {bytes: joined(chunks, length), isCut: false};
};

const joined = (chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> => {
	const bytes = new Uint8Array(length);
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, offset);
		offset += chunk.length;
	}

	return bytes;
};
