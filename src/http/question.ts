/** A question is one row of a table, from which its route, documentation, client and types are derived. */
import type {Static, TObject, TSchema} from '../platform/typebox.ts';
import {type DeepReadonly, memoizeWeak} from '../platform/immutable.ts';
import type {Identity} from '../identity/identity.ts';
import type {CallOptions, Eventually} from '../platform/waiting.ts';
import {escapeHidden} from '../platform/plain-line.ts';
import {fromWire, toWire, wireSchema} from '../wire/names.ts';
import {ignoredHeader, route, type Group, type Repeat, type Route} from './routes/route.ts';
import {errorResponses, type FailureStatus} from './schemas/errors.ts';

/** The type of an answer, from its schema. */
export type AnswerBySchema<Answer extends TSchema> = DeepReadonly<Static<Answer>>;

type Asked<Ask extends TObject> = Readonly<Required<Static<Ask>>>;

type OfRoute = Readonly<Pick<Route, 'right' | 'summary' | 'description' | 'texts'>>;

/** One row. Its schemas use the names of the code, from which the wire names are derived. */
export type Question<Name extends string = string, Ask extends TObject = TObject, Answer extends TSchema = TSchema> = OfRoute & {
	/** The name of the method, in the library and in the client. */
	readonly name: Name;
	/** @default the name */
	readonly path?: `/${string}`;
	/** How a request may be repeated. With it the method is POST, otherwise GET. */
	readonly repeat?: Repeat;
	readonly group: Group;
	/** The schema of the query of a GET, or of the body of a POST. @default no fields */
	readonly ask?: Ask;
	readonly answer: Answer;
	readonly failures: readonly FailureStatus[];
	/** Whether a client that disconnects cancels it. Without it, `run` gets no signal. */
	readonly isCancellable?: true;
	/** Whether the same state has the same answer, so that its JSON text is worth caching. */
	readonly isCacheable?: true;
	/** Whether unknown fields and parameters are accepted, and named in a header, instead of refused. */
	readonly namesIgnored?: true;
	/** Whether the library has no method with this name, request and answer, so that `run` asks it differently. */
	readonly isOfService?: true;
	/** Errors of the library's method besides those that follow from `failures`. */
	readonly throws?: readonly string[];
	/** @default the identity's method of this name */
	readonly run?: (identity: Identity, ask: Asked<Ask>, options: CallOptions) => Eventually<AnswerBySchema<Answer>>;
};

export type AnyQuestion = Omit<Question, 'run' | 'path'> & {
	readonly method: 'GET' | 'POST';
	readonly path: `/${string}`;
	readonly run?: (identity: Identity, ask: never, options: CallOptions) => unknown;
};

/** For an endpoint of the original interface: unknown fields are named instead of refused, and the library differs. */
export const ofInterface = {namesIgnored: true, isOfService: true} as const;

/** For a question that reads the journal. */
export const readsJournal = {failures: [409, 422, 429, 500, 503], isCancellable: true} as const;

/** For a question that reads the journal and has a body. */
export const takesBody = {failures: [409, 413, 415, 422, 429, 500, 503], isCancellable: true} as const;

/** For a decision about texts. */
export const decidesTexts = {group: 'Past', repeat: 'unsafe', ...takesBody} as const;

/** Type-checks a row against its own schemas. */
export const question = <const Name extends string, Answer extends TSchema, Ask extends TObject = TObject<Record<never, never>>>(
	row: Question<Name, Ask, Answer>,
) => ({method: row.repeat ? 'POST' : 'GET', path: `/${row.name}`, ...row} as const);

type Run = (identity: Identity, ask: object, options: CallOptions) => unknown;

/** A function that asks an identity this question. The request must have its defaults filled in. */
export const askingOf = ({name, ask, isCancellable, run}: AnyQuestion): Run =>
	(run ?? ((identity: Identity, asked: object, options: CallOptions) => {
		const methods = identity as unknown as Record<string, (...given: object[]) => unknown>;
		return methods[name]!(...(ask ? [asked] : []), ...(isCancellable ? [options] : []));
	})) as Run;

export const questionRoute = (row: AnyQuestion): Route => {
	const {ask, answer, failures, namesIgnored, ...declared} = row;
	const run = askingOf(row);
	const answered = (view: object): object => toWire(answer)(view) as object;
	const toAnswer = row.isCacheable ? memoizeWeak(answered) : answered;
	return route({
		...declared,
		...(ask && {[row.method === 'GET' ? 'query' : 'body']: wireSchema(ask)}),
		...(namesIgnored && {ignoredHeader}),
		// A getter, since answers have many fields and their wire schema is seldom needed.
		responses: {get 200() {
			return wireSchema(answer);
		}, ...errorResponses(...failures)},
		handle: async (identity: Identity, fields: object, signal?: AbortSignal) =>
			toAnswer(await run(identity, ask ? fromWire(ask)(fields) as object : {}, {signal}) as object),
	} as Parameters<typeof route>[0]);
};

/** An answer as JSON with wire names, safe to print on a terminal. */
export const toJson = (schema: TSchema, answer: object): string => escapeHidden(JSON.stringify(toWire(schema)(answer), null, '\t'));
