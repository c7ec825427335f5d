/** Describes a failed `fetch`: Node's message is “fetch failed”, and the reason is in the cause. */
import {reasonOf} from '../../platform/errors.ts';

/** Whether a connection failed or broke. A defect may be a TypeError too, but has no cause. */
export const isConnectionError = (error: unknown): boolean => error instanceof TypeError && error.cause !== undefined;

/** The code (`ECONNREFUSED` …) or else the message of a failed connection. */
export const describeConnectionError = (error: unknown): string => {
	const {cause} = error as {cause?: {code?: string}};
	return cause?.code ?? reasonOf(cause ?? error);
};
