/**
 * Errors that this software raises on purpose. Each has a stable `code` to branch on, a
 * message that says what to do, and tells whether trying again can help. Anything else that
 * is thrown is a defect.
 */

/** What else is known of an error: what led to it, and whether trying again can help. */
export type ErrorDetails = {cause?: unknown; retryable?: boolean};

/** What every error raised on purpose is: `code` to branch on, a message that says what to do. */
export class ProcessualError extends Error {
	readonly code: string;
	readonly retryable: boolean;

	constructor(code: string, message: string, {cause, retryable = false}: ErrorDetails = {}) {
		super(message, cause === undefined ? undefined : {cause});
		this.name = new.target.name;
		this.code = code;
		this.retryable = retryable;
	}
}

/** The model could not be loaded: startup stops. */
export class ModelLoadError extends ProcessualError {
	constructor(message: string, details?: ErrorDetails) {
		super('model_load', message, details);
	}
}

/** One text could not be embedded: its cycle fails, nothing else changes. */
export class EmbeddingError extends ProcessualError {
	constructor(message: string, details?: ErrorDetails) {
		super('embedding', message, details);
	}
}

/** The configuration is not usable as it stands. */
export class ConfigurationError extends ProcessualError {
	constructor(message: string, details?: ErrorDetails) {
		super('configuration', message, details);
	}
}

/** What a caller gave cannot be used: nothing was counted or changed. */
export class InputError extends ProcessualError {
	constructor(message: string, details?: ErrorDetails) {
		super('input', message, details);
	}
}

/** Something that the request needs is not there (no translator, no directions, still booting). */
export class UnavailableError extends ProcessualError {
	constructor(message: string, details?: ErrorDetails) {
		super('unavailable', message, {retryable: true, ...details});
	}
}

/** The message of whatever was thrown. */
export const reasonOf = (thrown: unknown): string => thrown instanceof Error ? thrown.message : String(thrown);

/** As much is under way as the process takes on at once: nothing was counted or changed. */
export class BusyError extends ProcessualError {
	/** When it is worth trying again, in seconds. */
	readonly retryAfter: number;

	constructor(message: string, retryAfter: number) {
		super('busy', message, {retryable: true});
		this.retryAfter = retryAfter;
	}
}

/** What lasts cannot be read or written. */
export class JournalError extends ProcessualError {
	constructor(message: string, details?: ErrorDetails) {
		super('journal', message, details);
	}
}

/** The store of states, thoughts and directions cannot be reached, or answers with something that cannot be used. */
export class StoreError extends ProcessualError {
	constructor(message: string, details?: ErrorDetails) {
		super('store', message, details);
	}
}

/** The state could not be put into words: a failing, refusing or empty language model, or nothing to say. */
export class LanguageError extends ProcessualError {
	constructor(message: string, details?: ErrorDetails) {
		super('language', message, details);
	}
}
