/**
 * Errors that this software raises on purpose. Each has a stable `code` to branch on, a message
 * that says what happened and what to do, and `retryable`. Anything else that is thrown is a defect.
 * Each has its `name` in letters, because a bundler shortens the names of classes.
 */

/** The cause of an error, and whether trying again can help. */
export type ErrorDetails = {cause?: unknown; retryable?: boolean};

/** The base of all errors raised on purpose; each class has its own `code`. */
export class ProcessualError extends Error {
	override readonly name: string = 'ProcessualError';
	readonly code: string = 'processual';
	readonly retryable: boolean;

	constructor(message: string, {cause, retryable = false}: ErrorDetails = {}) {
		super(message, cause === undefined ? undefined : {cause});
		this.retryable = retryable;
	}
}

/** The model cannot be loaded: the boot fails. */
export class ModelLoadError extends ProcessualError {
	override readonly name = 'ModelLoadError';
	override readonly code = 'model_load';
}

/** One text cannot be embedded: its cycle fails, and nothing else changes. */
export class EmbeddingError extends ProcessualError {
	override readonly name: string = 'EmbeddingError';
	override readonly code = 'embedding';
}

/** An option cannot be used; for the command, a setting. */
export class ConfigurationError extends ProcessualError {
	override readonly name: string = 'ConfigurationError';
	override readonly code = 'configuration';
}

/** A caller's input cannot be used: nothing was counted or changed. */
export class InputError extends ProcessualError {
	override readonly name = 'InputError';
	override readonly code = 'input';
}

/** The request needs something that is absent: a translator, directions, the end of the boot. */
export class UnavailableError extends ProcessualError {
	override readonly name: string = 'UnavailableError';
	override readonly code = 'unavailable';
}

/** Too many requests are under way: nothing was counted or changed. */
export class BusyError extends ProcessualError {
	override readonly name = 'BusyError';
	override readonly code = 'busy';
	/** Seconds until another attempt is useful. */
	readonly retryAfter: number;

	constructor(message: string, retryAfter: number) {
		super(message, {retryable: true});
		this.retryAfter = retryAfter;
	}
}

/** The journal cannot be read or written. */
export class JournalError extends ProcessualError {
	override readonly name: string = 'JournalError';
	override readonly code: string = 'journal';
}

/**
 * The journal failed while it was writing a record: only when it is open again is it known whether the record was
 * written. Request a cycle again with the same id: it is applied once.
 */
export class UnknownOutcomeError extends JournalError {
	override readonly name = 'UnknownOutcomeError';
	override readonly code = 'outcome_unknown';
	/** The id of the record; null if it is unknown. */
	readonly id: string | null;

	constructor(message: string, {id = null, ...details}: ErrorDetails & {id?: string | null} = {}) {
		super(message, {retryable: true, ...details});
		this.id = id;
	}
}

/**
 * The database or the file has lost records that were acknowledged. The identity stays as it is and accepts nothing until an
 * operator brings the newer database back, or accepts the loss.
 */
export class LostHistoryError extends JournalError {
	override readonly name = 'LostHistoryError';
	override readonly code = 'lost_history';
}

/** Another node has taken the identity over. The record was not written; try again, and the new owner answers. */
export class MovedError extends JournalError {
	override readonly name = 'MovedError';
	override readonly code = 'moved';
	/** The URL of the node that has the identity; null if it is unknown. */
	readonly owner: string | null;

	constructor(message: string, {owner = null, ...details}: ErrorDetails & {owner?: string | null} = {}) {
		super(message, {retryable: true, ...details});
		this.owner = owner;
	}
}

/** A question about the past needs a journal, and the identity has none. */
export class NoJournalError extends ProcessualError {
	override readonly name = 'NoJournalError';
	override readonly code = 'no_journal';
}

/** No identity has this name. A request for it does not begin one: create it first. */
export class UnknownIdentityError extends ProcessualError {
	override readonly name = 'UnknownIdentityError';
	override readonly code = 'unknown_identity';
}

/** The request conflicts with what exists: a name is taken, or something that must stay is to be removed. */
export class ConflictError extends ProcessualError {
	override readonly name = 'ConflictError';
	override readonly code = 'conflict';
}

/** The journal has too few texts, or too few conversations, for the baseline of a validation. */
export class BaselineTooShortError extends ProcessualError {
	override readonly name = 'BaselineTooShortError';
	override readonly code = 'baseline_too_short';
}

/**
 * More than a tenth of the newest texts are in languages that the embedding model does not read: a validation must
 * accept them (`acceptUnread`).
 */
export class UnreadTextsError extends ProcessualError {
	override readonly name = 'UnreadTextsError';
	override readonly code = 'unread_texts';
}

/** The store of states, thoughts and directions is unreachable, or gives an unusable answer. */
export class StoreError extends ProcessualError {
	override readonly name = 'StoreError';
	override readonly code = 'store';
}

/** The state could not be put into words: the language model failed, refused or answered nothing, or there was nothing to say. */
export class LanguageError extends ProcessualError {
	override readonly name = 'LanguageError';
	override readonly code = 'language';
	/** Seconds after which the language model's server asks for another attempt; null if it does not say. */
	readonly retryAfter: number | null;

	constructor(message: string, {retryAfter = null, ...details}: ErrorDetails & {retryAfter?: number | null} = {}) {
		super(message, details);
		this.retryAfter = retryAfter;
	}
}

/** The class of an error, as `wrapError` makes one. */
type ErrorClass = new (message: string, details: ErrorDetails) => ProcessualError;

/**
 * Wraps an error that a part of the application threw, as the cause of one of our errors. One of ours, or any error after
 * the signal aborted, stays as it is.
 */
export const wrapError = (error: unknown, Wrapper: ErrorClass, what: string, signal?: AbortSignal): unknown =>
	error instanceof ProcessualError || signal?.aborted ? error : new Wrapper(`${what}: ${reasonOf(error)}`, {cause: error});

/** The message of a thrown value, which may be no error. */
export const reasonOf = (thrown: unknown): string => thrown instanceof Error ? thrown.message : String(thrown);

/** Runs a function. If it throws or its promise rejects, throws the error that `toError` makes of it. */
export const withErrors = <Result>(run: () => Result, toError: (error: unknown) => unknown): Result => {
	const fail = (error: unknown): never => {
		throw toError(error);
	};

	try {
		const result = run();
		return result instanceof Promise ? result.catch(fail) as Result : result;
	} catch (error) {
		return fail(error);
	}
};

/** Runs work on something that was opened or begun. If the work fails, undoes the beginning, then throws. */
export const orUndo = async <Result>(run: () => Promise<Result>, undo: () => unknown): Promise<Result> => {
	try {
		return await run();
	} catch (error) {
		await undo();
		throw error;
	}
};

/** Like {@link orUndo}, but synchronous. */
export const orUndoNow = <Result>(run: () => Result, undo: () => void): Result => withErrors(run, error => {
	undo();
	return error;
});

/** Whether an error comes from a database that does not answer at present and also has the journal. */
export const isOutage = (error: unknown): boolean =>
	error instanceof Error && ((error instanceof JournalError && error.retryable) || isOutage(error.cause));

/**
 * Called with a warning: something could not be used or done, and the work continues without it; and with the error,
 * if one was thrown.
 */
export type Warn = (warning: string, error?: unknown) => void;

/** Where warnings go by default. */
export const warnToConsole: Warn = (...given) => {
	// oxlint-disable-next-line no-console
	console.warn(...given);
};

/** A caller's `warn`, made safe: if it fails, its error and the warning go to the console, and the work continues. */
export const withoutThrowing = (warn: Warn): Warn => (...given) => {
	const failed = (thrown: unknown) => warnToConsole(`${given[0]} The option warn failed: ${reasonOf(thrown)}`, thrown);
	try {
		const result: unknown = warn(...given);
		if (result instanceof Promise) {
			result.catch(failed);
		}
	} catch (thrown) {
		failed(thrown);
	}
};
