/** A question: one row, from which its route, its documentation, its client and its types follow. */
import type {Static, TObject, TSchema} from '../platform/typebox.ts';
import {type DeepReadonly, memoizeWeak} from '../platform/immutable.ts';
import type {Identity} from '../identity/identity.ts';
import type {CallOptions, Eventually} from '../platform/waiting.ts';
import {escapeHidden} from '../platform/plain-line.ts';
import {fromWire, toWire, wireSchema} from '../wire/names.ts';
import {ignoredHeader, route, type Group, type Repeat, type Route} from './routes/route.ts';
import {errorResponses, type FailureStatus} from './schemas/errors.ts';

/** What the schema of an answer allows. */
export type AnswerBySchema<Answer extends TSchema> = DeepReadonly<Static<Answer>>;

type Asked<Ask extends TObject> = Readonly<Required<Static<Ask>>>;

type OfRoute = Readonly<Pick<Route, 'right' | 'summary' | 'description' | 'texts'>>;

/** Names in its schemas are the code's; the wire's follow from them. */
export type Question<Name extends string = string, Ask extends TObject = TObject, Answer extends TSchema = TSchema> = OfRoute & {
	/** Of its method, in the library and in the client. */
	readonly name: Name;
	/** @default its name */
	readonly path?: `/${string}`;
	/** How it may be repeated: then it is asked by POST, and else by GET. */
	readonly repeat?: Repeat;
	readonly group: Group;
	/** What is asked: the query of a GET, the body of a POST. Without it nothing is. */
	readonly ask?: Ask;
	readonly answer: Answer;
	readonly failures: readonly FailureStatus[];
	/** Whether a client that disconnects ends it. Without it, `run` gets no signal. */
	readonly isCancellable?: true;
	/** Whether the same state has the same answer, so that its text is worth keeping. */
	readonly isCacheable?: true;
	/** Whether unknown fields and parameters are named in a header, as the interface accepts them. */
	readonly namesIgnored?: true;
	/** Whether the library has no method of this name with this request and this answer: `run` says what is asked instead. */
	readonly isOfService?: true;
	/** What the library's method throws beside what follows from `failures`. */
	readonly throws?: readonly string[];
	/** @default the identity's method of this name */
	readonly run?: (identity: Identity, ask: Asked<Ask>, options: CallOptions) => Eventually<AnswerBySchema<Answer>>;
};

export type AnyQuestion = Omit<Question, 'run' | 'path'> & {
	readonly method: 'GET' | 'POST';
	readonly path: `/${string}`;
	readonly run?: (identity: Identity, ask: never, options: CallOptions) => unknown;
};

/** Of an endpoint as the interface has it: unknown fields are named and not refused, and the library asks it otherwise. */
export const ofInterface = {namesIgnored: true, isOfService: true} as const;

/** Of a question that reads the journal. */
export const readsJournal = {failures: [409, 422, 429, 500, 503], isCancellable: true} as const;

/** Of a question that reads the journal and has a body. */
export const takesBody = {failures: [409, 413, 415, 422, 429, 500, 503], isCancellable: true} as const;

/** Of a decision about texts. */
export const decidesTexts = {group: 'Past', repeat: 'unsafe', ...takesBody} as const;

/** Checks a row against its own schemas. */
export const question = <const Name extends string, Answer extends TSchema, Ask extends TObject = TObject<Record<never, never>>>(
	row: Question<Name, Ask, Answer>,
) => ({method: row.repeat ? 'POST' : 'GET', path: `/${row.name}`, ...row} as const);

type Run = (identity: Identity, ask: object, options: CallOptions) => unknown;

/** How a row is asked of an identity: what is asked has its defaults. */
export const askingOf = ({name, ask, isCancellable, run}: AnyQuestion): Run =>
	(run ?? ((identity: Identity, asked: object, options: CallOptions) => {
		const methods = identity as unknown as Record<string, (...given: object[]) => unknown>;
		return methods[name]!(...(ask ? [asked] : []), ...(isCancellable ? [options] : []));
	})) as Run;

export const questionRoute = (row: AnyQuestion): Route => {
	const {
		method, path, right, group, summary, description, repeat, ask, answer, failures, isCancellable, isCacheable, namesIgnored, texts,
	} = row;
	const run = askingOf(row);
	const answered = (view: object): object => toWire(answer)(view) as object;
	const toAnswer = isCacheable ? memoizeWeak(answered) : answered;
	return route({
		method, path, group, summary, description,
		...(repeat && {repeat}),
		...(right && {right}),
		...(ask && (method === 'GET' ? {query: wireSchema(ask)} : {body: wireSchema(ask)})),
		...(namesIgnored && {ignoredHeader}),
		...(texts && {texts}),
		// Answers have many fields, and their names on the wire are seldom asked for.
		responses: {get 200() {
			return wireSchema(answer);
		}, ...errorResponses(...failures)},
		...(isCancellable && {isCancellable}),
		...(isCacheable && {isCacheable}),
		handle: async (identity: Identity, fields: object, signal?: AbortSignal) =>
			toAnswer(await run(identity, ask ? fromWire(ask)(fields) as object : {}, {signal}) as object),
	} as Parameters<typeof route>[0]);
};

/** An answer as a text in the names of the wire, for a terminal too. */
export const toJson = (schema: TSchema, answer: object): string => escapeHidden(JSON.stringify(toWire(schema)(answer), null, '\t'));
