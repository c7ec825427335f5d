/**
 * The HTTP application over a process: everything that a request passes, in its order.
 */
import {METHODS} from 'node:http';
import cors from '@koa/cors';
import {Router} from '@koa/router';
import Koa from 'koa';
import type {Process} from '../actors/views.ts';
import {errorHandler} from './error-handler.ts';
import {guard} from './guard.ts';
import type {Logger} from './logger.ts';
import {routes} from './routes.ts';

export type AppOptions = {
	/** Largest request body, in bytes; 1 MiB unless given. */
	bodyLimit?: number;
	/** Whether answers are checked against their schemas, and one that does not match becomes a 500; off unless given. */
	validateResponses?: boolean;
	/** Hears of failed requests. */
	logger?: Logger;
};

/**
 * Mounts the interface on a process. The application can be given to `listen`, or mounted in
 * another one.
 */
export const createApp = (process: Process, {bodyLimit = 2 ** 20, validateResponses = false, logger}: AppOptions = {}): Koa => {
	// Paths are what the interface says, to the letter. A method that no route has is still a known method: 405, not 501.
	const router = new Router({sensitive: true, strict: true, methods: METHODS});
	for (const route of routes) {
		router.register(route.path, [route.method], guard(route, process, {bodyLimit, validateResponses}));
	}

	const app = new Koa();

	// 1. Every answer, errors too, may be read from any origin. An origin is reflected, since browsers refuse `*` with credentials.
	app.use(cors({origin: (ctx) => ctx.get('Origin'), credentials: true, allowMethods: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'}));

	// 2. Whatever goes wrong below becomes an answer here.
	app.use(errorHandler(logger));

	// 3. Authentication and rate limits, where an application has them, belong here: before anything is read.

	// 4. The routes; then OPTIONS, and 405 for a known path.
	app.use(router.routes());
	app.use(router.allowedMethods());

	app.on('error', (error: unknown) => {
		logger?.warn({err: error}, 'connection failed');
	});
	return app;
};
