/**
 * The one place where errors become responses. All are JSON, `{"detail": …}`:
 *
 * - a request error: its own status and detail
 * - input that the identity cannot use: 422
 * - too much at the same time: 429, with Retry-After
 * - something that the request needs is unavailable: 503
 * - any other error: 500 with its message, without stack or paths
 */
import {STATUS_CODES} from 'node:http';
import type {Context, Middleware} from 'koa';
import {BusyError, InputError, ProcessualError} from '../../errors.ts';
import {redactedMessage} from '../../wire/redact-paths.ts';
import type {Logger} from '../logger.ts';
import {RequestError} from '../request-error.ts';
import {toRequestError} from './validation.ts';

export const errorHandler = (logger?: Logger): Middleware => async (ctx, next) => {
	try {
		await next();
		if (ctx.status >= 400 && !ctx.body) {
			respond(ctx, ctx.status, STATUS_CODES[ctx.status]);
		}
	} catch (error) {
		const {status, detail, headers} = toResponse(error);
		ctx.set(headers);
		respond(ctx, status, detail);
		if (status >= 500) {
			logger?.error({err: error, method: ctx.method, path: ctx.path, status}, 'request failed');
		}
	}
};

const respond = (ctx: Context, status: number, detail: unknown): void => {
	ctx.status = status;
	ctx.type = 'json';
	ctx.body = JSON.stringify({detail});
};

const toResponse = (error: unknown): Pick<RequestError, 'status' | 'detail' | 'headers'> => {
	if (error instanceof RequestError) {
		return error;
	}

	if (error instanceof InputError) {
		return toRequestError([{type: 'value_error', loc: ['body'], msg: redactedMessage(error), input: {}}]);
	}

	if (error instanceof BusyError) {
		return {status: 429, detail: error.message, headers: {'Retry-After': String(error.retryAfter)}};
	}

	const status = error instanceof ProcessualError && error.code === 'unavailable' ? 503 : 500;
	return {status, detail: redactedMessage(error) || STATUS_CODES[status], headers: {}};
};
