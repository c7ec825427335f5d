/**
 * A request that is refused for what it is: the client's own error, with a status below 500.
 *
 * Koa's `HttpError` is not used for this. Its `instanceof` goes by the looks of an error, so an
 * error of an upstream service, passed on by the process, would be taken for the client's.
 */
export class Refusal extends Error {
	readonly status: number;
	/** What the client is told. */
	readonly detail: unknown;
	readonly headers: Readonly<Record<string, string>>;

	constructor(status: number, detail: unknown, headers: Readonly<Record<string, string>> = {}) {
		super(`The request is refused with ${status}.`);
		this.status = status;
		this.detail = detail;
		this.headers = headers;
	}
}
