/**
 * The only place where errors become responses. All are JSON, `{"detail": …}`. A request error carries its status and
 * detail. An error with a code of this software has the code's status, and adds `code` and `retryable`. Any other is a 500
 * with its message, without stack or paths.
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
 * Whether not to log an error: a retry will work here or at another node, or the service lacks a part, as it said at its
 * start. A line for each such request would bury the failures.
 */
const isExpected = (error: unknown): boolean =>
	error instanceof MovedError || (error instanceof UnavailableError && (error.retryable || error.cause === undefined));

const respond = (ctx: Context, status: number, body: object): void => {
	ctx.status = status;
	ctx.type = 'json';
	ctx.body = JSON.stringify(body);
};

type ErrorResponse = Pick<RequestError, 'status' | 'detail' | 'headers'> & ErrorFields & Partial<Pick<NotReadyError, 'parts'>>;

/** @param part The part of the request that an input error refers to. */
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

/** By the interface a failed translation is a 500; it has Retry-After if the language model's server gave one. */
const retryAfterOf = (error: unknown, status: number, {retryable}: ErrorFields): Record<string, string> => {
	const wait = error instanceof LanguageError ? error.retryAfter : null;
	// If a retry could carry the request out twice, do not suggest one, even for a passing outage.
	const isPassing = retryable || (isOutage(error) && !(error instanceof UnknownOutcomeError));
	const seconds = wait ?? (status === 503 && isPassing ? 1 : null);
	return seconds === null ? {} : {'Retry-After': String(seconds)};
};
