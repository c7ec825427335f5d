/** Warnings: of something that could not be used or done, without which the work goes on. */

/** Hears of a warning; the error is there where something was thrown. */
export type Warn = (warning: string, error?: unknown) => void;

/** Where warnings go unless a caller wants them. */
export const warnToConsole: Warn = (...given) => {
	// oxlint-disable-next-line no-console
	console.warn(...given);
};
