/** What telemetry gets to know of a request. Its types are public, and so need no package. */

/** One answered request. */
export type AnsweredRequest = {
	method: string;
	/** The path of the route; `other` without one. */
	route: string;
	status: number;
	/** From the request's headers to the response's. */
	seconds: number;
};
