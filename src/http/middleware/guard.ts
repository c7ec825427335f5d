/**
 * Turns a route into middleware that reads and validates the request, calls the handler and sends the response. The
 * identity gets valid requests only.
 */
import {createHash} from 'node:crypto';
import type {ServerResponse} from 'node:http';
import type {Context, Middleware} from 'koa';
import {Type, type TObject, type TSchema} from '../../platform/typebox.ts';
import type {Identity} from '../../identity/identity.ts';
import type {Held} from '../../identity/pending-limits.ts';
import {describeFaults} from '../../platform/describe-faults.ts';
import {memoizeWeak} from '../../platform/immutable.ts';
import {nearestName} from '../../platform/unknown-names.ts';
import {onlyThese} from '../../wire/builders.ts';
import {fitAnswer} from '../../wire/fit-answer.ts';
import {callerOf} from '../caller.ts';
import type {Logger} from '../http-options.ts';
import {isUnchanged} from '../pages/serve-files.ts';
import {RequestError} from '../request-error.ts';
import type {Route} from '../routes/route.ts';
import {readJson, type BodyLimits} from './read-json.ts';
import {compiled, createValidator, parseQuery, queryOf, toRequestError} from './validation.ts';

type GuardOptions = BodyLimits & {
	/** Reports the ignored fields and parameters of a request. */
	nameIgnored: NameIgnored;
	/** Counts the bytes of a body while it is read and processed. */
	hold: () => Held;
	/** Whether to check responses against their schemas too. */
	validateResponses: boolean;
};

/** Finds the subject for `handle`, an identity or the host; null if the request is already answered. Called again after a wait. */
type SubjectOf = (ctx: Context, isAgain?: boolean) => Promise<object | null>;

export const guard = (
	route: Route, subjectOf: SubjectOf, {validateResponses, hold, nameIgnored, ...limits}: GuardOptions,
): Middleware => {
	const {
		query, body: schema, responses, status = 200, handle, isCancellable, isCacheable, isPolled, isForAll, keyHeader, ignoredHeader,
		bodyBounds,
	} = route;
	const verify = validateResponses ? createVerifier(responses[200]) : undefined;
	const readKey = keyHeader && createHeaderReader(keyHeader);
	const toText = isCacheable ? memoizeWeak(stringify) : stringify;
	const toTag = memoizeWeak((response: object) => createHash('sha256').update(toText(response)).digest('base64url'));

	const respond = async (ctx: Context, subject: object | null, fields: Parameters<typeof handle>[1]): Promise<void> => {
		if (!subject) {
			return;
		}

		const key = readKey?.(ctx);
		const signal = isCancellable ? disconnectSignal(ctx.res) : undefined;
		let response;
		try {
			response = await handle(subject as Identity, fields, signal, key);
		} catch (error) {
			// After a cancellation, `error` only says that the request was cancelled.
			throw signal?.aborted ? signal.reason : error;
		}

		response = moveToHeaders(ctx, route, response as object);
		ctx.status = status;
		if (status === 204) {
			return;
		}

		verify?.(response);
		ctx.set('Content-Type', 'application/json; charset=utf-8');
		ctx.body = isPolled && isUnchanged(ctx, toTag(response as object)) ? null : toText(response as object);
	};

	if (isForAll) {
		return ctx => respond(ctx, {}, {});
	}

	const parameters = query ?? noParameters;
	const validateQuery = createValidator(ignoredHeader ? parameters : refusingOthers(parameters), 'query');
	const readQuery = (ctx: Context) => {
		const given = queryOf(ctx);
		return {fields: validateQuery(parseQuery(parameters, given)), unknown: unknownNames(parameters, given)};
	};

	if (!schema) {
		return async ctx => {
			const {fields, unknown} = readQuery(ctx);
			nameIgnored(ctx, route, unknown);
			await respond(ctx, await subjectOf(ctx), fields);
		};
	}

	const validate = createValidator(schema, 'body');
	return async ctx => {
		if (!await subjectOf(ctx)) {
			return;
		}

		const {unknown} = readQuery(ctx);
		const held = hold();
		try {
			const fields = validate(await readJson(ctx, {...limits, ...bodyBounds}, held));
			nameIgnored(ctx, route, [...unknownNames(schema, fields), ...unknown]);
			// The token is the author of a decision that names none.
			const decided = fields['by'] === '' ? {...fields, by: callerOf(ctx)?.hint ?? ''} : fields;
			await respond(ctx, await subjectOf(ctx, true), decided);
		} finally {
			held.release();
		}
	};
};

/** The parameters of routes without any. One shared schema, so that its check is compiled once. */
const noParameters: TObject = Type.Object({});

const refusingOthers = memoizeWeak(onlyThese);

const unknownNames = ({properties}: TObject, given: object): string[] =>
	Object.keys(given).filter(name => !Object.hasOwn(properties, name));

/** Clients make the names up, so these are bounded: names per response, characters per name, and names remembered. */
const bounds = {fields: 10, characters: 40, logged: 100};

/** @param names The names of the unknown fields and parameters. */
type NameIgnored = (ctx: Context, route: Route, names: readonly string[]) => void;

/** Names unknown fields and parameters that the interface accepts: in the response, and once in the log. */
export const createIgnoredNaming = (logger: Pick<Logger, 'warn'> | undefined): NameIgnored => {
	const logged = new Set<string>();
	return (ctx, {path, body, query, ignoredHeader}, names) => {
		if (!ignoredHeader || names.length === 0) {
			return;
		}

		const known = Object.keys((body ?? query)?.properties ?? {});
		const unknown = names.slice(0, bounds.fields).map(name => name.slice(0, bounds.characters).toWellFormed());
		ctx.set(ignoredHeader.name, unknown.map(name => encodeURIComponent(name)).join(', '));
		for (const field of unknown) {
			if (logged.size < bounds.logged && !logged.has(path + field)) {
				logged.add(path + field);
				logger?.warn({path, field, nearest: nearestName(field, known)}, 'a field of a request is unknown and was ignored');
			}
		}
	};
};

/** Moves a cycle's id, and whether it was repeated, to headers: the interface's body does not have them. */
const moveToHeaders = (ctx: Context, {idHeader, replayedHeader}: Route, response: object): object => {
	if (!idHeader) {
		return response;
	}

	const {id, is_replayed: isReplayed, ...body} = response as {id: string; is_replayed?: true};
	ctx.set(idHeader.name, id);
	if (isReplayed) {
		ctx.set(replayedHeader!.name, 'true');
	}

	return body;
};

/** Makes a reader of an optional request header, which throws a {@link RequestError} (422) for a value that does not match. */
const createHeaderReader = ({name, schema}: NonNullable<Route['keyHeader']>) => (ctx: Context): string | undefined => {
	const value = ctx.get(name);
	if (value !== '' && !compiled(schema).Check(value)) {
		const {pattern} = schema as {pattern?: string};
		throw toRequestError([{
			type: 'string_pattern_mismatch', loc: ['header', name], msg: `String should match pattern '${pattern}'`, input: value,
			ctx: {pattern},
		}]);
	}

	return value || undefined;
};

/** Node writes a large buffer without copying it, and a small text together with the headers. */
const stringify = (response: object): string | Buffer => {
	const text = fitAnswer(response, isSmall);
	return text.length > 4096 ? Buffer.from(text) : text;
};

/** An answer is under 1 MiB, whatever a journal contains. */
const maxAnswerBytes = 2 ** 20 - 1;

/** A UTF-16 unit takes at most three bytes, which often saves counting them. */
const isSmall = (json: string): boolean => 3 * json.length <= maxAnswerBytes || Buffer.byteLength(json) <= maxAnswerBytes;

/** Makes a check that throws if a response does not match its schema, which is a defect of the service. */
const createVerifier = (schema: TSchema) => (response: unknown): void => {
	if (!compiled(schema).Check(response)) {
		throw new Error(`The service's response does not match its own schema: ${describeFaults(schema, response).join('; ')}`);
	}
};

/** A signal that aborts when the connection closes before the response is sent; at once if it is already closed. */
export const disconnectSignal = (response: ServerResponse): AbortSignal => {
	const controller = new AbortController();
	const onClose = (): void => {
		if (!response.writableFinished) {
			controller.abort(new RequestError(400, 'The client disconnected.'));
		}
	};

	response.once('close', onClose);
	if (response.destroyed) {
		onClose();
	}

	return controller.signal;
};
