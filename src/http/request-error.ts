/** The errors of the HTTP interface. */
import {UnavailableError} from '../platform/errors.ts';

/**
 * A refused request: an error of the client, with a status below 500.
 *
 * Koa's `HttpError` is unsuitable: its `instanceof` accepts any error with a status, so an error of an upstream service
 * would be blamed on the client.
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
 * The identity cannot take on work; says which part is not ready, and why. A retry can help while the identity boots, and
 * while its journal recovers.
 */
export class NotReadyError extends UnavailableError {
	override readonly name = 'NotReadyError';
	/** For each part `ok`, or what is wrong with it. */
	readonly parts: Readonly<Record<string, string>>;

	constructor(parts: Readonly<Record<string, string>>, isTemporary: boolean) {
		const reasons = Object.entries(parts).filter(([, state]) => state !== 'ok').map(([part, state]) => `${part}: ${state}`);
		super(`Not ready. ${reasons.join('; ')}`, {retryable: isTemporary});
		this.parts = parts;
	}
}
