/** The error of a client for an error response of the service. */

/** An error in one place of a request, in a response with status 422. */
export type InvalidField = {
	/** Kind of error, as pydantic names it. */
	type: string;
	/** Where it is: `body` or `query`, then a field, or the offset of malformed JSON. */
	loc: Array<string | number>;
	/** The error, for a reader. */
	msg: string;
	/** The value that was sent there. A long value is cut, as text. */
	input: unknown;
	/** Further values of the error. */
	ctx?: object;
};

/** An error response. Without a response (no network, an abort), a call throws what `fetch` threw. */
export class ClientError extends Error {
	override readonly name = 'ClientError';
	/** The HTTP status of the response. */
	readonly status: number;
	/** What went wrong; with status 422, every error that was found. */
	readonly detail: string | InvalidField[];
	/** Seconds to wait before a retry; null where the service does not say. */
	readonly retryAfter: number | null;

	constructor(status: number, detail: string | InvalidField[], retryAfter: number | null = null) {
		super(typeof detail === 'string' ? detail : detail.map(({loc, msg}) => `${loc.join('.')}: ${msg}`).join('; '));
		this.status = status;
		this.detail = detail;
		this.retryAfter = retryAfter;
	}
}

/** Reads the error of a response, which may be a proxy's. */
export const toClientError = async (response: Response): Promise<ClientError> => {
	const {status, headers} = response;
	const body: unknown = await response.json().catch(() => null);
	const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null;
	const seconds = headers.get('Retry-After');
	return new ClientError(
		status,
		typeof detail === 'string' || Array.isArray(detail) ? detail : `The service answered with status ${status}.`,
		seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : null,
	);
};
