/**
 * What a route is: one declaration, from which `guard.ts` makes validation and handling, and
 * `openapi.ts` the documentation.
 */
import type {Static, TObject, TSchema} from 'typebox';
import type {DeepReadonly} from '../../deep-freeze.ts';
import type {Process} from '../../actors/views.ts';

/** A request's body once it is checked. Every optional field has a default, so none is absent. */
type Checked<Body extends TObject> = Required<Static<Body>>;

/** What the OpenAPI document says of a path: of a route, or of a page or stream that is served beside the routes. */
export type Documented<Body extends TObject = TObject> = {
	method: 'GET' | 'POST';
	path: `/${string}`;
	summary: string;
	description: string;
	/** Schemas of what may stand in the query; all of it is optional. */
	query?: Record<string, TSchema>;
	/** Schema of the body; a route without one does not look at what is sent. */
	body?: Body;
	/** Schemas of answers in JSON, by status. Their descriptions are the responses'. */
	responses: Record<number, TSchema>;
	/** Schemas of a success that is no JSON, by media type. */
	texts?: Record<string, TSchema>;
};

export type Route<Body extends TObject = TObject, Answer extends TSchema = TSchema> = Documented<Body> & {
	/** A success is always 200. */
	responses: {200: Answer};
	/**
	 * Asks the process. `gone` gives a signal that aborts when the client disconnects; only
	 * requests that take long and change nothing ask for it.
	 */
	handle: (process: Process, body: Checked<Body>, gone: () => AbortSignal) => DeepReadonly<Static<Answer>> | Promise<DeepReadonly<Static<Answer>>>;
};

/** Declares a route with the types of its own schemas, and forgets them so that routes can stand in a list. */
export const route = <Body extends TObject, Answer extends TSchema>(declaration: Route<Body, Answer>): Route =>
	declaration as unknown as Route;
