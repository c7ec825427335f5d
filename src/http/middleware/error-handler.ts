/**
 * The one place where errors become answers. All are JSON, `{"detail": …}`.
 *
 * - a refused request: the status and the detail that it was refused with
 * - what the process itself cannot use of a request: 422
 * - more under way than the process takes on: 429, with Retry-After
 * - something that the request needs is not there: 503
 * - anything else: 500 with the error's message, without stack or paths
 */
import {STATUS_CODES} from 'node:http';
import type {Middleware} from 'koa';
import {BusyError, InputError, ProcessualError} from '../../errors.ts';
import type {Logger} from '../logger.ts';
import {Refusal} from '../request-error.ts';
import {invalid} from './validation.ts';
import {redactedMessage, redactPaths} from '../../wire/redact-paths.ts';

export const errorHandler = (logger?: Logger): Middleware => async (ctx, next) => {
	const answer = (status: number, detail: unknown): void => {
		ctx.status = status;
		ctx.type = 'json';
		ctx.body = JSON.stringify({detail});
	};

	try {
		await next();
		if (ctx.status >= 400 && !ctx.body) {
			answer(ctx.status, STATUS_CODES[ctx.status]);
		}
	} catch (thrown) {
		const {status, detail, headers} = told(thrown);
		ctx.set(headers);
		answer(status, detail);
		if (status >= 500) {
			logger?.error({err: thrown, method: ctx.method, path: ctx.path, status}, 'request failed');
		}
	}
};

/** What a client is told of an error. */
const told = (thrown: unknown): Pick<Refusal, 'status' | 'detail' | 'headers'> => {
	if (thrown instanceof Refusal) {
		return thrown;
	}

	if (thrown instanceof InputError) {
		return invalid([{type: 'value_error', loc: ['body'], msg: redactPaths(thrown.message), input: {}}]);
	}

	if (thrown instanceof BusyError) {
		return {status: 429, detail: thrown.message, headers: {'Retry-After': String(thrown.retryAfter)}};
	}

	const status = thrown instanceof ProcessualError && thrown.code === 'unavailable' ? 503 : 500;
	return {status, detail: redactedMessage(thrown) || STATUS_CODES[status], headers: {}};
};
