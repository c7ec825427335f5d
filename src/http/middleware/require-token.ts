/** Requires a bearer token for everything but probes and pages, where the operator sets one. */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {Middleware} from 'koa';
import {docsPaths} from '../pages/docs-page.ts';
import {inspectorPaths} from '../pages/inspector-page.ts';
import {RequestError} from '../request-error.ts';
import {isProbe} from '../routes/probes.ts';

/** Browsers send no token for a page. Pages and document are in the published package, so they are public. */
const publicPaths = new Set(['/openapi.json', ...docsPaths, ...inspectorPaths]);

const isPublic = (path: string): boolean => isProbe(path) || publicPaths.has(path);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares digests in constant time, so that the time reveals neither the token's bytes nor its length. */
export const requireToken = (token: string): Middleware => {
	const expected = digest(token);
	return async (ctx, next) => {
		const [, given = ''] = /^bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
		if (!isPublic(ctx.path) && !timingSafeEqual(digest(given), expected)) {
			throw new RequestError(401, 'Send the service\'s token as “Authorization: Bearer <token>”.', {'WWW-Authenticate': 'Bearer'});
		}

		await next();
	};
};
