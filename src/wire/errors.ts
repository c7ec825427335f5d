/**
 * Errors on the wire: in the bodies of responses, and in events. This is the only table of the codes. The service maps a
 * code to a status, and a client maps status and code to a class. If an error does not say whether a retry can help, its
 * class decides.
 */
import {
	BaselineTooShortError, BusyError, ConfigurationError, ConflictError, EmbeddingError, InputError, JournalError, LanguageError,
	LostHistoryError, ModelLoadError, MovedError, NoJournalError, ProcessualError, StoreError, UnavailableError, UnknownIdentityError,
	UnknownOutcomeError, UnreadTextsError, isOutage, reasonOf, type ErrorDetails,
} from '../platform/errors.ts';

/** Seconds to wait, if a response does not say. */
const defaultRetryAfter = 1;

type Row = {
	/** The status of the response; 500 for a request that was accepted and failed. */
	status: number;
	/** Null for `BusyError`, whose constructor also takes the seconds until a retry. */
	ErrorClass: (new (message: string, details: ErrorDetails & {id?: string; retryAfter?: number | null}) => ProcessualError) | null;
	/** The meaning of a 409 with this code. */
	says?: string;
	/** Statuses that mean this code in a response without one, as from the HTTP layer or a proxy. */
	alone?: readonly number[];
};

const rows: Readonly<Record<string, Row>> = {
	processual: {status: 500, ErrorClass: ProcessualError},
	baseline_too_short: {status: 409, ErrorClass: BaselineTooShortError, says: 'there are too few texts to validate it'},
	busy: {status: 429, ErrorClass: null, alone: [429]},
	configuration: {status: 500, ErrorClass: ConfigurationError},
	conflict: {status: 409, ErrorClass: ConflictError, says: 'the name is taken, or its identity must stay'},
	embedding: {status: 500, ErrorClass: EmbeddingError},
	input: {status: 422, ErrorClass: InputError, alone: [413, 415, 422]},
	journal: {status: 500, ErrorClass: JournalError},
	language: {status: 500, ErrorClass: LanguageError},
	lost_history: {status: 503, ErrorClass: LostHistoryError},
	model_load: {status: 500, ErrorClass: ModelLoadError},
	moved: {status: 503, ErrorClass: MovedError},
	no_journal: {status: 409, ErrorClass: NoJournalError, says: 'the identity keeps no journal'},
	outcome_unknown: {status: 503, ErrorClass: UnknownOutcomeError},
	store: {status: 500, ErrorClass: StoreError},
	unavailable: {status: 503, ErrorClass: UnavailableError, alone: [408, 502, 503, 504]},
	unknown_identity: {status: 404, ErrorClass: UnknownIdentityError},
	unread_texts: {status: 409, ErrorClass: UnreadTextsError, says: 'the embedding model cannot read many of its texts'},
};

/** The fields of an error raised on purpose, besides its message. */
export type ErrorFields = {code?: string; retryable?: boolean; /** The id of the record whose outcome is unknown. */ id?: string};

/** An error in one place of a request, in a response with status 422. */
export type InvalidField = {
	/** Kind of error, as pydantic names it. */
	type: string;
	/** The location: `body`, `query` or `header`, then a field, or the offset of malformed JSON. */
	loc: Array<string | number>;
	/** The error, for a reader. */
	msg: string;
	/** The value sent there. Of a long one, the beginning of its text. */
	input: unknown;
	/** Further values of the error. */
	ctx?: object;
};

/** The code of an error, and whether a retry can help; empty for an error without a code. */
export const errorFields = (thrown: unknown): ErrorFields => thrown instanceof ProcessualError
	? {code: thrown.code, retryable: thrown.retryable, ...(thrown instanceof UnknownOutcomeError && thrown.id !== null && {id: thrown.id})}
	: {};

/** The status of an error. An outage is a 503, not a fault of the request, so that a load balancer may try another node. */
export const statusOf = (thrown: unknown): number =>
	isOutage(thrown) ? 503 : (thrown instanceof ProcessualError && rows[thrown.code]?.status) || 500;

/** The meanings of a conflict, each with its code. */
export const conflicts = (): string[] => Object.entries(rows).flatMap(([code, {says}]) => says === undefined ? [] : `${says} (${code})`);

/** An error as received from the wire; without a code, it was not raised on purpose. */
export type WireError = ErrorFields & {message: string; cause?: unknown; retryAfter?: number | null};

/** Makes the error of a code. An unknown code, from a later version, becomes a `ProcessualError`. */
export const errorOf = ({message, code, retryable, id, cause, retryAfter = null}: WireError): Error => {
	if (code === undefined) {
		return new Error(message, {cause});
	}

	const {ErrorClass} = rows[code] ?? rows.processual!;
	return ErrorClass
		? new ErrorClass(message, {cause, retryAfter, ...(retryable !== undefined && {retryable}), ...(id !== undefined && {id})})
		: Object.assign(new BusyError(message, retryAfter ?? defaultRetryAfter), cause !== undefined && {cause});
};

/** The code to assume for a response without one. */
export const fieldsOfStatus = (status: number): ErrorFields => {
	const [code] = Object.entries(rows).find(([, {alone}]) => alone?.includes(status)) ?? [];
	if (code === undefined) {
		// With status 500 a defect of the service; otherwise a wrong address, token or origin.
		return status === 500 ? {} : {code: 'configuration'};
	}

	return {code, ...(code === 'unavailable' && {retryable: true})};
};

/** Matches blanks within a line only: with line breaks, a run of them would take quadratic time. */
const stack = /\n[^\S\n]+at [^]*/;
const quotedPath = /(["'`])(?:file:\/\/|[a-z]:[\\/]|[\\/])[^"'`\n]*\1/gi;
const fileUrl = /file:\/\/\S+/gi;
const windowsPath = /(?<![\w])(?:[a-z]:[\\/]|\\\\)[^\s"'`]+/gi;
/** Matches a slash at the beginning of a word, unlike those in `and/or`, relative paths, URLs and endpoints. */
const path = /(?<![\w:/.~-]|\b(?:GET|PUT|POST|DELETE) )\/[\w.@~-][^\s"'`:,;)]*/g;

/** Removes stacks and absolute paths. */
export const redactPaths = (message: string): string => message
	.replace(stack, '')
	.replaceAll(quotedPath, '…')
	.replaceAll(fileUrl, '…')
	.replaceAll(windowsPath, '…')
	.replaceAll(path, '…');

/** The message of whatever was thrown, for clients. */
export const redactedMessage = (thrown: unknown): string => redactPaths(reasonOf(thrown));
