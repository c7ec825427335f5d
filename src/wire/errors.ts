/**
 * What an error says to a program, on the wire: in the bodies of responses, and in events. The one
 * table of the codes is here; the service reads it from code to status, a client from status and code
 * to the class. Whether another try helps is said by the class, where an error does not say it.
 */
import {
	BaselineTooShortError, BusyError, ConfigurationError, ConflictError, EmbeddingError, InputError, JournalError, LanguageError,
	LostHistoryError, ModelLoadError, MovedError, NoJournalError, ProcessualError, StoreError, UnavailableError, UnknownIdentityError,
	UnknownOutcomeError, UnreadTextsError, isOutage, reasonOf, type ErrorDetails,
} from '../platform/errors.ts';

/** Seconds, where a response says no number. */
const defaultRetryAfter = 1;

type Row = {
	/** Of its response; 500 is that of a request that was accepted and failed. */
	status: number;
	/** Null for one that is made with the seconds until another try. */
	ErrorClass: (new (message: string, details: ErrorDetails & {id?: string; retryAfter?: number | null}) => ProcessualError) | null;
	/** What the status 409 means. */
	says?: string;
	/** Statuses whose responses mean this where they have no code: those of the HTTP interface itself, or of a proxy. */
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

/** What an error that was raised on purpose says beside its message. */
export type ErrorFields = {code?: string; retryable?: boolean; /** Of the record whose outcome is not known. */ id?: string};

/** An error in one place of a request, in a response with status 422. */
export type InvalidField = {
	/** Kind of error, as pydantic names it. */
	type: string;
	/** Where it is: `body`, `query` or `header`, then a field, or the offset of malformed JSON. */
	loc: Array<string | number>;
	/** The error, for a reader. */
	msg: string;
	/** The value that was sent there. A long value is cut, as text. */
	input: unknown;
	/** Further values of the error. */
	ctx?: object;
};

/** The code of an error, and whether another try can help. */
export const errorFields = (thrown: unknown): ErrorFields => thrown instanceof ProcessualError
	? {code: thrown.code, retryable: thrown.retryable, ...(thrown instanceof UnknownOutcomeError && thrown.id !== null && {id: thrown.id})}
	: {};

/** What is away for a moment is no fault of the request: a balancer may ask another node. */
export const statusOf = (thrown: unknown): number =>
	isOutage(thrown) ? 503 : (thrown instanceof ProcessualError && rows[thrown.code]?.status) || 500;

/** What a conflict may be, with the code of each. */
export const conflicts = (): string[] => Object.entries(rows).flatMap(([code, {says}]) => says === undefined ? [] : `${says} (${code})`);

/** An error as the wire has it; without a code it was not raised on purpose. */
export type Told = ErrorFields & {message: string; cause?: unknown; retryAfter?: number | null};

/** The error of a code. A code of a later version is at least an error that was raised on purpose. */
export const errorOf = ({message, code, retryable, id, cause, retryAfter = null}: Told): Error => {
	if (code === undefined) {
		return new Error(message, {cause});
	}

	const {ErrorClass} = rows[code] ?? rows.processual!;
	return ErrorClass
		? new ErrorClass(message, {cause, retryAfter, ...(retryable !== undefined && {retryable}), ...(id !== undefined && {id})})
		: Object.assign(new BusyError(message, retryAfter ?? defaultRetryAfter), cause !== undefined && {cause});
};

/** The code of a response that has none. */
export const fieldsOfStatus = (status: number): ErrorFields => {
	const [code] = Object.entries(rows).find(([, {alone}]) => alone?.includes(status)) ?? [];
	if (code === undefined) {
		// A wrong address, token or origin; or, with a status of 500, a defect there.
		return status === 500 ? {} : {code: 'configuration'};
	}

	return {code, ...(code === 'unavailable' && {retryable: true})};
};

/** Only blanks of one line: if they included line breaks, a run of line breaks would take quadratic time. */
const stack = /\n[^\S\n]+at [^]*/;
const quotedPath = /(["'`])(?:file:\/\/|[a-z]:[\\/]|[\\/])[^"'`\n]*\1/gi;
const fileUrl = /file:\/\/\S+/gi;
const windowsPath = /(?<![\w])(?:[a-z]:[\\/]|\\\\)[^\s"'`]+/gi;
/** A slash that begins a word; the slashes of `and/or`, of a relative path, of a URL and of an endpoint do not. */
const path = /(?<![\w:/.~-]|\b(?:GET|PUT|POST|DELETE) )\/[\w.@~-][^\s"'`:,;)]*/g;

/** The text without stacks and absolute paths. */
export const redactPaths = (message: string): string => message
	.replace(stack, '')
	.replaceAll(quotedPath, '…')
	.replaceAll(fileUrl, '…')
	.replaceAll(windowsPath, '…')
	.replaceAll(path, '…');

/** The message of whatever was thrown, for clients. */
export const redactedMessage = (thrown: unknown): string => redactPaths(reasonOf(thrown));
