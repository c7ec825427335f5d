/** What `fetch` means when it fails: Node says “fetch failed” and hides the rest in the cause. */
import {reasonOf} from '../../errors.ts';

/** Whether a connection failed or broke, as opposed to a defect, which may be a TypeError too. */
export const isConnectionTrouble = (error: unknown): boolean => error instanceof TypeError && error.cause !== undefined;

/** The code (`ECONNREFUSED` …) or the words of what went wrong. */
export const connectionTrouble = (error: unknown): string => {
	const {cause} = error as {cause?: {code?: string}};
	return cause?.code ?? reasonOf(cause ?? error);
};
