/** The errors of the HTTP interface itself. */
import {UnavailableError} from '../platform/errors.ts';

/**
 * A request that is refused: the client's own error, with a status below 500.
 *
 * Koa's `HttpError` would not do: its `instanceof` accepts any error with a status, so an error of
 * an upstream service would become the client's.
 */
export class RequestError extends Error {
	override readonly name = 'RequestError';
	readonly status: number;
	/** The `detail` of the response. */
	readonly detail: unknown;
	readonly headers: Readonly<Record<string, string>>;

	constructor(status: number, detail: unknown, headers: Readonly<Record<string, string>> = {}) {
		super(`The request is refused with ${status}.`);
		this.status = status;
		this.detail = detail;
		this.headers = headers;
	}
}

/**
 * The identity cannot take on work: which of its parts is not ready, and why. Trying again can help while the
 * identity boots, and while its journal is being repaired.
 */
export class NotReadyError extends UnavailableError {
	override readonly name = 'NotReadyError';
	/** Part → `ok`, or why it is not. */
	readonly parts: Readonly<Record<string, string>>;

	constructor(parts: Readonly<Record<string, string>>, isTemporary: boolean) {
		const reasons = Object.entries(parts).filter(([, state]) => state !== 'ok').map(([part, state]) => `${part}: ${state}`);
		super(`Not ready. ${reasons.join('; ')}`, {retryable: isTemporary});
		this.parts = parts;
	}
}
