/** A route declares an endpoint. `guard.ts` makes its middleware from it, and `openapi.ts` its documentation. */
import type {Static, TObject, TSchema} from '../../platform/typebox.ts';
import type {DeepReadonly} from '../../platform/immutable.ts';
import type {Identity} from '../../identity/identity.ts';
import {ignoredFieldsHeader} from '../../wire/rename.ts';
import {text} from '../../wire/builders.ts';
import type {Right} from '../caller.ts';

/** The fields of a valid request; optional ones have their defaults. */
type Checked<Fields extends TObject> = Required<Static<Fields>>;

/** A response; `id` and `is_replayed` are sent as headers. */
type Answer<Response extends TSchema> = DeepReadonly<Static<Response>> & {readonly id?: string; readonly is_replayed?: true};

type Header = {name: string; schema: TSchema};

/** The groups of the OpenAPI document, in order. */
export const groups = {
	Talk: 'What moves the state, and what puts it into words.',
	State: 'What the identity is now.',
	Past: 'How it came about, because of whom, and what would be different.',
	Drift: 'Whether it moved away from the state that was approved.',
	Service: 'Whether it runs, what it counts, which identities it has, and its documents.',
};

export type Group = keyof typeof groups;

/** Whether a request that may already have been carried out can be repeated: without harm, not at all, or under its key. */
export type Repeat = 'safe' | 'unsafe' | 'by key';

/** An entry of the OpenAPI document: a route, or a page or stream with its own middleware. */
export type Operation<Fields extends TObject = TObject> = {
	path: `/${string}`;
	/** @default 'Service' */
	group?: Group;
	/** The right that a token must have. @default read for a GET, otherwise operate */
	right?: Right;
	summary: string;
	description: string;
	/** Schema of the query parameters, all of which are optional. */
	query?: Fields;
	/** Schema of the body. Without one, the body is not read. An operation has either a query or a body. */
	body?: Fields;
	/** Schemas of the path segments that begin with a colon. */
	parameters?: Record<string, TSchema>;
	/** The status of success. Its schema is in `responses` under 200 in any case; 204 has no body. @default 200 */
	status?: 201 | 204;
	/** Schemas of JSON responses by status; their descriptions describe the responses. */
	responses: Record<number, TSchema>;
	/** The request header that makes a request safe to repeat; its value must match the schema's pattern. */
	keyHeader?: Header;
	/** The response header for the `id` of the handler's result, which the interface's body does not have. */
	idHeader?: Header;
	/** The response header for the result's `is_replayed`. */
	replayedHeader?: Header;
	/** The response header that names unknown fields and parameters, which are then accepted. Without it they are refused. */
	ignoredHeader?: Header;
	/** Schemas of successful responses in other media types. */
	texts?: Readonly<Record<string, TSchema>>;
} & ({method: 'GET' | 'PUT' | 'DELETE'} | {method: 'POST'; repeat: Repeat});

/** An endpoint: its documentation, its schemas and its handler. */
export type Route<Fields extends TObject = TObject, Response extends TSchema = TSchema, Subject = Identity> = Operation<Fields> & {
	responses: {200: Response};
	/** Whether `handle` returns the same object for the same state, so that its JSON text is worth caching. */
	isCacheable?: boolean;
	/** Whether clients poll it: responses have an ETag, and an unchanged one becomes a 304 without a body. */
	isPolled?: boolean;
	/** Bounds for a body that may be larger than others. */
	bodyBounds?: {maxValues: number; maxMetadataBytes: number};
	/** Whether `handle` gets a signal that aborts when the client disconnects. For long requests that change nothing. */
	isCancellable?: boolean;
	/** Whether the response is the same for every identity, so that none is looked up; `handle` then gets an empty object. */
	isForAll?: boolean;
	/** Asks the subject, usually an identity, and returns the body of the response. `key` is the value of `keyHeader`. */
	handle: (subject: Subject, fields: Checked<Fields>, signal?: AbortSignal, key?: string) => Answer<Response> | Promise<Answer<Response>>;
};

/** For endpoints of the original interface, and for a probe, whose orchestrator may add parameters. */
export const ignoredHeader: Header = {
	name: ignoredFieldsHeader,
	schema: text('The fields or parameters that are not known, and so had no effect: the first ten, percent-encoded and cut to 40 '
		+ 'characters.', 'sorce, metadat'),
};

/** Type-checks a declaration against its own schemas. The result is untyped, so that all routes fit into one list. */
export const route = <Fields extends TObject, Response extends TSchema, Subject = Identity>(
	declaration: Route<Fields, Response, Subject>,
): Route =>
	declaration as unknown as Route;
