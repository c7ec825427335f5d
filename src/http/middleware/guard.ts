/**
 * Puts a route on duty: reads and checks the request, asks the route, checks and sends the
 * answer. Nothing reaches the process before its request is found valid.
 */
import type {ServerResponse} from 'node:http';
import type {Middleware} from 'koa';
import type {TSchema} from 'typebox';
import {Compile} from 'typebox/compile';
import type {Process} from '../../actors/views.ts';
import {memoizeWeak} from '../../memoize-weak.ts';
import type {Held} from '../../identity/bytes-under-way.ts';
import {readJson, type BodyLimits} from './read-json.ts';
import {Refusal} from '../request-error.ts';
import type {Route} from '../routes/route.ts';
import {bodyCheck} from './validation.ts';

type GuardOptions = BodyLimits & {
	/** Counts the bytes of bodies while they are read and worked on. */
	hold: () => Held;
	/** Whether answers are checked against their schemas too. */
	validateResponses: boolean;
};

export const guard = ({method, body: schema, responses, handle}: Route, process: Process, {validateResponses, hold, ...limits}: GuardOptions): Middleware => {
	const check = schema && bodyCheck(schema);
	const verify = validateResponses ? answerCheck(responses[200]) : undefined;
	// Reads of a state that stays are answered with a body that stands ready.
	const bodyOf = method === 'GET' ? memoizeWeak(readyBody) : readyBody;

	return async (ctx) => {
		const held = hold();
		let signal: AbortSignal | undefined;
		try {
			const body = check ? check(await readJson(ctx, limits, held)) : {};
			const answer = await handle(process, body, () => signal ??= disconnection(ctx.res));
			verify?.(answer);
			ctx.type = 'json';
			ctx.body = bodyOf(answer as object);
		} catch (error) {
			// What a cancelled request throws is of no interest: it is the client that left.
			throw signal?.aborted ? signal.reason : error;
		} finally {
			held.release();
		}
	};
};

/** A large text as bytes, which are written as they are; a small one as text, which is written together with the headers. */
const readyBody = (answer: object): string | Buffer => {
	const text = JSON.stringify(answer);
	return text.length > 4096 ? Buffer.from(text) : text;
};

/** A check that throws when an answer is not what its schema promises, which is a defect of the service. */
const answerCheck = (schema: TSchema) => {
	const validator = Compile(schema);
	return (answer: unknown): void => {
		if (!validator.Check(answer)) {
			const faults = validator.Errors(answer).map(({instancePath, message}) => `${instancePath.slice(1).replaceAll('/', '.') || 'it'} ${message}`);
			throw new Error(`The service's answer does not match its own schema: ${faults.join('; ')}`);
		}
	};
};

/** A signal that aborts when the connection is lost before the answer is out. */
const disconnection = (response: ServerResponse): AbortSignal => {
	const controller = new AbortController();
	response.once('close', () => {
		if (!response.writableFinished) {
			controller.abort(new Refusal(400, 'The client disconnected.'));
		}
	});
	return controller.signal;
};
