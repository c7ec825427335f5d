/** The client's error for an error response of the service. */
import type {ErrorFields, InvalidField} from '../wire/errors.ts';

export type {ErrorFields, InvalidField};

/** The body of an error response. With `outcome_unknown`, `id` is that of the cycle that may have run: repeat it under this id. */
export type ErrorBody = ErrorFields & {
	detail: string | InvalidField[];
	/** From `/readyz`: for each part `ok`, or the reason why it is not. */
	parts?: Record<string, string>;
};

/** An error response. Without a response (no network, an abort), a call throws what `fetch` threw. */
export class ClientError extends Error {
	override readonly name = 'ClientError';
	/** The HTTP status of the response. */
	readonly status: number;
	/** The body of the response. For a proxy's error page, only a `detail` with the status. */
	readonly body: ErrorBody;
	/** Seconds to wait before a retry; null if the service does not say. */
	readonly retryAfter: number | null;

	constructor(status: number, body: ErrorBody, retryAfter: number | null = null) {
		const {detail} = body;
		super(typeof detail === 'string' ? detail : detail.map(({loc, msg}) => `${loc.join('.')}: ${msg}`).join('; '));
		this.status = status;
		this.body = body;
		this.retryAfter = retryAfter;
	}

	/** Describes the error; for status 422, lists every error that was found. */
	get detail(): string | InvalidField[] {
		return this.body.detail;
	}
}

/** The error for a response that did not come from the service. */
export const wrongResponse = (status: number, expected: string): ClientError =>
	new ClientError(status, {detail: `The response is not ${expected}. Check that the base URL is right.`});

/** In characters. No error of the service is longer. */
const maxErrorLength = 65_536;

/** Reads the error of a response, which may be a proxy's page of any length. */
export const toClientError = async (response: Response): Promise<ClientError> => {
	const {status, headers} = response;
	const seconds = headers.get('Retry-After');
	const body = parseObject(await readBeginning(response));
	return new ClientError(
		status,
		isErrorBody(body) ? body : {detail: `The service answered with status ${status}.`},
		/^\d+$/.test(seconds ?? '') ? Number(seconds) : null,
	);
};

/** Parses JSON; null for anything but an object. */
export const parseObject = (text: string): object | null => {
	try {
		return /^\s*{/.test(text) ? JSON.parse(text) as object : null;
	} catch {
		return null;
	}
};

/** Whether it is an error of the service; those of a proxy may have a list of anything. */
const isErrorBody = (body: object | null): body is ErrorBody => {
	const detail = (body as ErrorBody | null)?.detail;
	return typeof detail === 'string' || Array.isArray(detail?.[0]?.loc);
};

/** Reads about `maxErrorLength` characters. A body that breaks off fails to parse, so it counts as none. */
const readBeginning = async ({body}: Response): Promise<string> => {
	const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
	let text = '';
	try {
		for (let chunk = await reader?.read(); chunk && !chunk.done && text.length < maxErrorLength; chunk = await reader?.read()) {
			text += chunk.value;
		}

		await reader?.cancel();
	} catch {
		// The status says enough.
	}

	return text;
};
