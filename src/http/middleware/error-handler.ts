/**
 * The one place where errors become responses. All are JSON, `{"detail": …}`. A request error has its
 * own status and detail; an error that this software raises on purpose has the status of its code, and
 * adds `code` and `retryable`; any other is a 500 with its message, without stack or paths.
 */
import {STATUS_CODES} from 'node:http';
import type {Context, Middleware} from 'koa';
import {BusyError, InputError, isOutage, LanguageError, MovedError, UnavailableError, UnknownOutcomeError} from '../../platform/errors.ts';
import {errorFields, statusOf, redactedMessage, type ErrorFields} from '../../wire/errors.ts';
import type {Logger} from '../http-options.ts';
import {NotReadyError, RequestError} from '../request-error.ts';
import {invalidValue} from './validation.ts';

export const errorHandler = (logger?: Logger): Middleware => async (ctx, next) => {
	try {
		await next();
		if (ctx.status >= 400 && !ctx.body && ctx.respond !== false) {
			respond(ctx, ctx.status, {detail: STATUS_CODES[ctx.status]});
		}
	} catch (error) {
		const {status, headers, ...body} = toResponse(error, ctx.method === 'GET' ? 'query' : 'body');
		ctx.set(headers);
		respond(ctx, status, body);
		if (status >= 500 && !isExpected(error)) {
			logger?.error({err: error, method: ctx.method, path: ctx.path, status}, 'request failed');
		}
	}
};

/**
 * Another node answers next, or this one when it is a member again; or the service has no such part, as its start has said:
 * a line for each request would bury the failures.
 */
const isExpected = (error: unknown): boolean =>
	error instanceof MovedError || (error instanceof UnavailableError && (error.retryable || error.cause === undefined));

const respond = (ctx: Context, status: number, body: object): void => {
	ctx.status = status;
	ctx.type = 'json';
	ctx.body = JSON.stringify(body);
};

type ErrorResponse = Pick<RequestError, 'status' | 'detail' | 'headers'> & ErrorFields & Partial<Pick<NotReadyError, 'parts'>>;

/** @param part Where the input of a request is. */
const toResponse = (error: unknown, part: 'body' | 'query' = 'body'): ErrorResponse => {
	if (error instanceof RequestError) {
		const {status, detail, headers} = error;
		return {status, detail, headers};
	}

	if (error instanceof InputError) {
		return toResponse(invalidValue([part], redactedMessage(error), {}));
	}

	const fields = errorFields(error);
	if (error instanceof BusyError) {
		return {status: 429, detail: error.message, headers: {'Retry-After': String(error.retryAfter)}, ...fields};
	}

	const status = statusOf(error);
	return {
		status, detail: redactedMessage(error) || STATUS_CODES[status], headers: retryAfterOf(error, status, fields), ...fields,
		...(error instanceof NotReadyError && {parts: error.parts}),
	};
};

/** A translation that fails is a 500, as the interface has it, also where the model's server has said when to ask again. */
const retryAfterOf = (error: unknown, status: number, {retryable}: ErrorFields): Record<string, string> => {
	const wait = error instanceof LanguageError ? error.retryAfter : null;
	// What may be done twice is not asked for again, whatever passes.
	const isPassing = retryable || (isOutage(error) && !(error instanceof UnknownOutcomeError));
	const seconds = wait ?? (status === 503 && isPassing ? 1 : null);
	return seconds === null ? {} : {'Retry-After': String(seconds)};
};
