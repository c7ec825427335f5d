/** Who may ask: a bearer token on everything but the probes and the pages, when the operator sets one. */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {Middleware} from 'koa';
import {docsPaths} from '../pages/docs-page.ts';
import {inspectorPaths} from '../pages/inspector-page.ts';
import {isProbe} from '../probes.ts';
import {Refusal} from '../request-error.ts';

/** A browser cannot send a token for a page; and what is in the pages, and in the document, stands in the package too. */
const open = new Set(['/openapi.json', ...docsPaths, ...inspectorPaths]);

const isOpen = (path: string): boolean => isProbe(path) || open.has(path);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Digests are compared, in constant time: neither the token's bytes nor its length can be guessed from how long it takes. */
export const requireToken = (token: string): Middleware => {
	const expected = digest(token);
	return async (ctx, next) => {
		const [, given = ''] = /^bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
		if (!isOpen(ctx.path) && !timingSafeEqual(digest(given), expected)) {
			throw new Refusal(401, 'Send the service\'s token as “Authorization: Bearer <token>”.', {'WWW-Authenticate': 'Bearer'});
		}

		await next();
	};
};
