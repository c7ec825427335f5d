/** What a call of the wire client throws → the error that an identity in this program would throw. */
import {BaselineTooShortError, BusyError, ConfigurationError, ConflictError, EmbeddingError, InputError, JournalError, LanguageError, ModelLoadError, MovedError, NoJournalError, ProcessualError, reasonOf, StoreError, UnavailableError, UnknownIdentityError, UnknownOutcomeError, UnreadTextsError, type ErrorDetails} from '../platform/errors.ts';
import {ClientError} from './client-error.ts';

/** Each class of error but `BusyError`, by its code. */
const classes: Readonly<Record<string, new (message: string, details: ErrorDetails) => ProcessualError>> = {
	processual: ProcessualError,
	baseline_too_short: BaselineTooShortError,
	configuration: ConfigurationError,
	conflict: ConflictError,
	embedding: EmbeddingError,
	input: InputError,
	journal: JournalError,
	language: LanguageError,
	model_load: ModelLoadError,
	moved: MovedError,
	no_journal: NoJournalError,
	outcome: UnknownOutcomeError,
	store: StoreError,
	unavailable: UnavailableError,
	unknown_identity: UnknownIdentityError,
	unread_texts: UnreadTextsError,
};

/** Seconds, where a response says no number. */
const defaultRetryAfter = 1;

/** An error as the wire has it; without a code it was not raised on purpose. */
type Told = {message: string; code?: string; retryable?: boolean; cause?: unknown; retryAfter?: number | null};

/** The error of a code. */
export const errorOf = ({message, code, retryable = false, cause, retryAfter}: Told): Error => {
	if (code === 'busy') {
		return Object.assign(new BusyError(message, retryAfter ?? defaultRetryAfter), cause !== undefined && {cause});
	}

	// A code of a later version is at least an error that was raised on purpose.
	return code === undefined ? new Error(message, {cause}) : new (classes[code] ?? ProcessualError)(message, {cause, retryable});
};

/** The code of a response that has none: of the HTTP interface itself, or of a proxy. */
const codeOf = (status: number): Pick<Told, 'code' | 'retryable'> => {
	switch (status) {
		case 413:
		case 415:
		case 422: {
			return {code: 'input'};
		}

		case 429: {
			return {code: 'busy'};
		}

		case 408:
		case 502:
		case 503:
		case 504: {
			return {code: 'unavailable', retryable: true};
		}

		default: {
			// A wrong address, token or origin; or, with a status of 500, a defect there.
			return status === 500 ? {} : {code: 'configuration'};
		}
	}
};

/** What a call threw, as an identity's error. A signal's reason stays as it is. */
export const toIdentityError = (error: unknown, baseUrl: string, signal?: AbortSignal): unknown => {
	if (signal?.aborted) {
		return signal.reason;
	}

	if (error instanceof ClientError) {
		const {message, status, body: {code, retryable}, retryAfter} = error;
		return errorOf({message, cause: error, retryAfter, ...(code === undefined ? codeOf(status) : {code, ...(retryable !== undefined && {retryable})})});
	}

	return error instanceof ProcessualError ? error : new UnavailableError(`${baseUrl} cannot be reached: ${reasonOf(causeOf(error))}. It is not known whether the request was carried out.`, {cause: error, retryable: true});
};

/** `fetch failed` says nothing; its cause does. */
const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause) || error;
