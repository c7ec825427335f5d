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
 * The journal broke while a record was on its way into it: only a journal that is open again knows whether the record
 * is there. A cycle is asked for again under the same id: it is done once.
 */
export class UnknownOutcomeError extends JournalError {
	override readonly name = 'UnknownOutcomeError';
	override readonly code = 'outcome_unknown';
	/** The record's; null where it is not known. */
	readonly id: string | null;

	constructor(message: string, {id = null, ...details}: ErrorDetails & {id?: string | null} = {}) {
		super(message, {retryable: true, ...details});
		this.id = id;
	}
}

/**
 * The database has gone back, or a file: records that were acknowledged are not in it any more. The identity stays as it is and
 * takes nothing until an operator brings the newer database back, or accepts the loss.
 */
export class LostHistoryError extends JournalError {
	override readonly name = 'LostHistoryError';
	override readonly code = 'lost_history';
}

/** Another node has taken the identity over: nothing of the record is kept, and the new owner answers. Trying again helps. */
export class MovedError extends JournalError {
	override readonly name = 'MovedError';
	override readonly code = 'moved';
	/** The URL of the node that has the identity; null where it is not known. */
	readonly owner: string | null;

	constructor(message: string, {owner = null, ...details}: ErrorDetails & {owner?: string | null} = {}) {
		super(message, {retryable: true, ...details});
		this.owner = owner;
	}
}

/** The past is asked for, and no journal keeps it. */
export class NoJournalError extends ProcessualError {
	override readonly name = 'NoJournalError';
	override readonly code = 'no_journal';
}

/** No identity has this name. One is created, never begun by being asked for. */
export class UnknownIdentityError extends ProcessualError {
	override readonly name = 'UnknownIdentityError';
	override readonly code = 'unknown_identity';
}

/** What is asked for contradicts what is there: a name is taken, or what is to go must stay. */
export class ConflictError extends ProcessualError {
	override readonly name = 'ConflictError';
	override readonly code = 'conflict';
}

/** The journal keeps too few texts, or too few conversations, for a validation: nothing is ordinary yet. */
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

/** The store of states, thoughts and directions is unreachable, or gives an answer that cannot be used. */
export class StoreError extends ProcessualError {
	override readonly name = 'StoreError';
	override readonly code = 'store';
}

/** The state was not put into words: the language model fails, refuses or answers nothing, or there is nothing to say. */
export class LanguageError extends ProcessualError {
	override readonly name = 'LanguageError';
	override readonly code = 'language';
	/** Seconds after which its server wants to be asked again; null where it named none. */
	readonly retryAfter: number | null;

	constructor(message: string, {retryAfter = null, ...details}: ErrorDetails & {retryAfter?: number | null} = {}) {
		super(message, details);
		this.retryAfter = retryAfter;
	}
}

/** The class of an error, as `wrapError` makes one. */
type ErrorClass = new (message: string, details: ErrorDetails) => ProcessualError;

/**
 * What an application's part throws, as an error of ours with its cause: one that is ours already, or a signal's
 * reason, stays as it is.
 */
export const wrapError = (error: unknown, Wrapper: ErrorClass, what: string, signal?: AbortSignal): unknown =>
	error instanceof ProcessualError || signal?.aborted ? error : new Wrapper(`${what}: ${reasonOf(error)}`, {cause: error});

/** The message of a thrown value, which may be no error. */
export const reasonOf = (thrown: unknown): string => thrown instanceof Error ? thrown.message : String(thrown);

/** Runs, and throws what `toError` makes of what is thrown, also where a promise rejects with it. */
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

/** Waits for what is done with something that was opened or begun; where that fails, undoes the beginning first. */
export const orUndo = async <Result>(run: () => Promise<Result>, undo: () => unknown): Promise<Result> => {
	try {
		return await run();
	} catch (error) {
		await undo();
		throw error;
	}
};

/** As {@link orUndo}, without a wait. */
export const orUndoNow = <Result>(run: () => Result, undo: () => void): Result => withErrors(run, error => {
	undo();
	return error;
});

/** Whether an error comes of a database that does not answer now, and holds the journal too. */
export const isOutage = (error: unknown): boolean =>
	error instanceof Error && ((error instanceof JournalError && error.retryable) || isOutage(error.cause));

/**
 * Called with a warning: something could not be used or done, and the work continues without it; and with the error
 * where one was thrown.
 */
export type Warn = (warning: string, error?: unknown) => void;

/** Where warnings go unless a caller wants them. */
export const warnToConsole: Warn = (...given) => {
	// oxlint-disable-next-line no-console
	console.warn(...given);
};

/** A caller's `warn`, whose own failure is said on the console with the warning: it ends neither the work nor the program. */
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
