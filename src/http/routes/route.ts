/** A route: one declaration of an endpoint. `guard.ts` makes its middleware of it, and `openapi.ts` its documentation. */
import type {Static, TObject, TSchema} from '../../platform/typebox.ts';
import type {DeepReadonly} from '../../platform/immutable.ts';
import type {Identity} from '../../identity/identity.ts';
import {ignoredFieldsHeader} from '../../wire/rename.ts';
import {text} from '../../wire/builders.ts';
import type {Right} from '../caller.ts';

/** The fields of a valid request. Optional ones have their defaults, so none is absent. */
type Checked<Fields extends TObject> = Required<Static<Fields>>;

/** A response; `id` and `is_replayed` are sent as headers. */
type Answer<Response extends TSchema> = DeepReadonly<Static<Response>> & {readonly id?: string; readonly is_replayed?: true};

type Header = {name: string; schema: TSchema};

/** The groups of the document, in its order. */
export const groups = {
	Talk: 'What moves the state, and what puts it into words.',
	State: 'What the identity is now.',
	Past: 'How it came about, because of whom, and what would be otherwise.',
	Drift: 'Whether it moved away from the state that was approved.',
	Service: 'Whether it runs, what it counts, which identities it has, and its documents.',
};

export type Group = keyof typeof groups;

/** Whether a request that may have been done already can be sent again: without harm, with it, or under its key. */
export type Repeat = 'safe' | 'unsafe' | 'by key';

/** An entry of the OpenAPI document: a route, or a page or stream with its own middleware. */
export type Operation<Fields extends TObject = TObject> = {
	path: `/${string}`;
	/** @default 'Service' */
	group?: Group;
	/** What a token must be allowed to. @default read for a GET, else operate */
	right?: Right;
	summary: string;
	description: string;
	/** Schema of the query's parameters; all of them are optional. */
	query?: Fields;
	/** Schema of the body. Without one the body is not read. An operation has a query or a body. */
	body?: Fields;
	/** Schemas of the parts of the path that begin with a colon. */
	parameters?: Record<string, TSchema>;
	/** The status of success, which `responses` has under 200 whatever it is; 204 has no body. @default 200 */
	status?: 201 | 204;
	/** Schemas of responses in JSON, by status. Their descriptions describe the responses. */
	responses: Record<number, TSchema>;
	/** The request header that makes a request safe to repeat; its value must match the schema's pattern. */
	keyHeader?: Header;
	/** The response header that carries the `id` of the handler's result, where the interface's body has none. */
	idHeader?: Header;
	/** The response header that says that a result `is_replayed`. */
	replayedHeader?: Header;
	/** The response header that names unknown fields of the body and parameters: the interface accepts them. Without it they are refused. */
	ignoredHeader?: Header;
	/** Schemas of successful responses in other media types. */
	texts?: Readonly<Record<string, TSchema>>;
} & ({method: 'GET' | 'PUT' | 'DELETE'} | {method: 'POST'; repeat: Repeat});

/** An endpoint: its documentation, its schemas and its handler. */
export type Route<Fields extends TObject = TObject, Response extends TSchema = TSchema, Subject = Identity> = Operation<Fields> & {
	responses: {200: Response};
	/** Whether `handle` gives the same object for the same state, so that its JSON text is worth caching. */
	isCacheable?: boolean;
	/** Whether it is asked again and again: an answer has a tag, and who shows that tag gets an unchanged answer as a 304 without a body. */
	isPolled?: boolean;
	/** Bounds of the body, where it is larger than others. */
	bodyBounds?: {maxValues: number; maxMetadataBytes: number};
	/** Whether `handle` gets a signal that aborts when the client disconnects. For long requests that change nothing. */
	isCancellable?: boolean;
	/** Whether the response is the same for every identity, so that none is looked up: the identity of `handle` is then undefined. */
	isForAll?: boolean;
	/** Asks the identity, or what else the route is about, and gives the body of the response. `key` is the value of `keyHeader`. */
	handle: (subject: Subject, fields: Checked<Fields>, signal?: AbortSignal, key?: string) => Answer<Response> | Promise<Answer<Response>>;
};

/** For endpoints of the interface, and for a probe, whose parameters are of its orchestrator. */
export const ignoredHeader: Header = {
	name: ignoredFieldsHeader,
	schema: text('The fields or parameters that are not known, and so had no effect: the first ten, percent-encoded and cut to 40 '
		+ 'characters.', 'sorce, metadat'),
};

/** Checks a declaration against its own schemas. The result is untyped, so that routes fit into one list. */
export const route = <Fields extends TObject, Response extends TSchema, Subject = Identity>(
	declaration: Route<Fields, Response, Subject>,
): Route =>
	declaration as unknown as Route;
