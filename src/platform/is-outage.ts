/** Whether an error comes of a database that does not answer now, and holds the journal too. */
import {JournalError} from './errors.ts';

export const isOutage = (error: unknown): boolean =>
	error instanceof Error && ((error instanceof JournalError && error.retryable) || isOutage(error.cause));
