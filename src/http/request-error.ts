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
