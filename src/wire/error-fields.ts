/** What an error says to a program, on the wire: in the bodies of responses, and in events. */
import {ProcessualError} from '../platform/errors.ts';

/** Both are absent for an error that was not raised on purpose. */
export type ErrorFields = {code?: string; retryable?: boolean};

/** The code of an error, and whether another try can help. */
export const errorFields = (thrown: unknown): ErrorFields => thrown instanceof ProcessualError ? {code: thrown.code, retryable: thrown.retryable} : {};
