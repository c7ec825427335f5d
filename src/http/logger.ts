/**
 * What the HTTP layer asks of a logger. A pino logger fits.
 */
type Log = (fields: object, message: string) => void;

/** Where lines go, as Pino takes them. */
export type Logger = {
	/** A request was answered. */
	info: Log;
	/** A request failed through no fault of its client. */
	error: Log;
	/** A connection broke. */
	warn: Log;
};
