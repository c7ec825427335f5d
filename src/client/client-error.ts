/** What a client throws when the service refuses a request or fails at it. */

/** What is wrong with one place of a request that was refused with 422. */
export type InvalidField = {
	/** Kind of error, as pydantic names it. */
	type: string;
	/** Where it is: `body` or `query`, then a field, or the offset of malformed JSON. */
	loc: Array<string | number>;
	/** The error, for a reader. */
	msg: string;
	/** What was sent there; of something long its beginning, as text. */
	input: unknown;
	/** Values that belong to the error. */
	ctx?: object;
};

/** An answer that is no success. What never became an answer (no network, an abort) is thrown as `fetch` threw it. */
export class ClientError extends Error {
	override readonly name = 'ClientError';
	/** The answer's HTTP status. */
	readonly status: number;
	/** What went wrong, in words; with status 422 the errors that were found. */
	readonly detail: string | InvalidField[];
	/** When it is worth trying again, in seconds; null where the service does not say. */
	readonly retryAfter: number | null;

	constructor(status: number, detail: string | InvalidField[], retryAfter: number | null = null) {
		super(typeof detail === 'string' ? detail : detail.map(({loc, msg}) => `${loc.join('.')}: ${msg}`).join('; '));
		this.status = status;
		this.detail = detail;
		this.retryAfter = retryAfter;
	}
}

/** Reads the error that an answer tells. A proxy between may have answered in its own way. */
export const errorOf = async (response: Response): Promise<ClientError> => {
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
