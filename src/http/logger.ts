/** The part of a logger that the HTTP layer uses. A pino logger fits. */
type Log = (fields: object, message: string) => void;

/** A logger for requests and connections. */
export type Logger = {
	/** A request was answered. */
	debug: Log;
	/** A request was answered late, or with a fault of the service. */
	info: Log;
	/** A request failed by a fault of the service. */
	error: Log;
	/** A connection failed. */
	warn: Log;
};
