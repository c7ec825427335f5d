/** Warnings: something could not be used or done, and the work continues without it. */

/** Called with a warning, and with the error where one was thrown. */
export type Warn = (warning: string, error?: unknown) => void;

/** Where warnings go unless a caller wants them. */
export const warnToConsole: Warn = (...given) => {
	// oxlint-disable-next-line no-console
	console.warn(...given);
};
