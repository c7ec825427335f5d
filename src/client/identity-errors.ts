/** What a call of the wire client throws → the error that an identity in this program would throw. */
import {ProcessualError, reasonOf, UnavailableError} from '../platform/errors.ts';
import {errorOf, fieldsOfStatus} from '../wire/errors.ts';
import {ClientError} from './client-error.ts';

/** What a call threw, as an identity's error. A signal's reason stays as it is. */
export const toIdentityError = (error: unknown, baseUrl: string, signal?: AbortSignal): unknown => {
	if (signal?.aborted) {
		return signal.reason;
	}

	if (error instanceof ClientError) {
		const {status, body: {code, retryable}, retryAfter} = error;
		// An identity that is not there has a code.
		const message = status === 404 && code === undefined ? `${baseUrl} is not the address of a service that answers this: 404, ${error.message}. Correct it.` : error.message;
		return errorOf({message, cause: error, retryAfter, ...(code === undefined ? fieldsOfStatus(status) : {code, ...(retryable !== undefined && {retryable})})});
	}

	return error instanceof ProcessualError ? error : new UnavailableError(`${baseUrl} cannot be reached: ${reasonOf(causeOf(error))}. It is not known whether the request was carried out.`, {cause: error, retryable: true});
};

/** `fetch failed` says nothing; its cause does. */
const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause) || error;
