/**
 * The one place where errors become responses. All are JSON, `{"detail": …}`; an error that this
 * software raises on purpose adds its `code` and `retryable`:
 *
 * - a request error: its own status and detail
 * - input that the identity cannot use: 422
 * - too much at the same time: 429, with Retry-After
 * - an identity that is not there: 404
 * - a name that is taken, a question to a past that no journal keeps, a validation of too few texts, or of many that the model cannot read: 409
 * - something that the request needs is unavailable: 503
 * - another node has taken the identity over: 503, with Retry-After
 * - any other error: 500 with its message, without stack or paths
 */
import {STATUS_CODES} from 'node:http';
import type {Context, Middleware} from 'koa';
import {BusyError, InputError, MovedError, ProcessualError} from '../../platform/errors.ts';
import {errorFields, type ErrorFields} from '../../wire/error-fields.ts';
import {redactedMessage} from '../../wire/redact-paths.ts';
import type {Logger} from '../logger.ts';
import {NotReadyError} from '../not-ready-error.ts';
import {RequestError} from '../request-error.ts';
import {toRequestError} from './validation.ts';

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
		if (status >= 500) {
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

/** By an error's code; of any other error the status is 500. */
const statuses: Readonly<Record<string, number>> = {unknown_identity: 404, conflict: 409, no_journal: 409, baseline_too_short: 409, unread_texts: 409, moved: 503, outcome: 503, unavailable: 503};

/** @param part Where the input of a request is. */
const toResponse = (error: unknown, part: 'body' | 'query' = 'body'): ErrorResponse => {
	if (error instanceof RequestError) {
		const {status, detail, headers} = error;
		return {status, detail, headers};
	}

	if (error instanceof InputError) {
		return toResponse(toRequestError([{type: 'value_error', loc: [part], msg: redactedMessage(error), input: {}}]));
	}

	const fields = errorFields(error);
	if (error instanceof BusyError) {
		return {status: 429, detail: error.message, headers: {'Retry-After': String(error.retryAfter)}, ...fields};
	}

	const status = error instanceof ProcessualError ? statuses[error.code] ?? 500 : 500;
	return {status, detail: redactedMessage(error) || STATUS_CODES[status], headers: error instanceof MovedError ? {'Retry-After': '1'} : {}, ...fields, ...(error instanceof NotReadyError && {parts: error.parts})};
};
