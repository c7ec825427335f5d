/**
 * The one place where errors become responses. All are JSON, `{"detail": …}`. A request error has its
 * own status and detail; an error that this software raises on purpose has the status of its code, and
 * adds `code` and `retryable`; any other is a 500 with its message, without stack or paths.
 */
import {STATUS_CODES} from 'node:http';
import type {Context, Middleware} from 'koa';
import {BusyError, InputError, isOutage, MovedError, UnavailableError} from '../../platform/errors.ts';
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
		// Another node answers next, or this one when it is a member again.
		const isPassing = error instanceof MovedError || (error instanceof UnavailableError && error.retryable);
		if (status >= 500 && !isPassing) {
			logger?.error({err: error, method: ctx.method, path: ctx.path, status}, 'request failed');
		}
	}
};

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
		status, detail: redactedMessage(error) || STATUS_CODES[status],
		headers: status === 503 && (isOutage(error) || fields.retryable) ? {'Retry-After': '1'} : {}, ...fields,
		...(error instanceof NotReadyError && {parts: error.parts}),
	};
};
