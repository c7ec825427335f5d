/**
 * Which pages may read answers, and which may change something.
 *
 * Browsers ask for permission before they send JSON to another origin, but not before a body
 * without a type, or none: those arrive, and only the answer is kept from the page. So unless
 * every origin is allowed, a request that can change something must come from an allowed one,
 * from a page beside the service, or from no page at all.
 */
import {isIP} from 'node:net';
import type {Context, Middleware} from 'koa';
import {Refusal} from '../request-error.ts';

/** Who may do what with the answers, as {@link AppOptions} has it. */
export type Sharing = {
	/** Origins whose pages may read answers and change something; `'*'` for all. Absent: those of the service's own origin alone. */
	allowedOrigins?: '*' | readonly string[] | undefined;
	/** Where a token is required, only listed origins are allowed credentials. */
	token?: string | undefined;
};

/** What of an answer's headers a page may read. */
export const exposedHeaders = 'X-Request-Id, Retry-After';

/** Empty for an origin that may not read, which gets no CORS headers: browsers take that for a no. An origin is reflected, since browsers refuse `*` with credentials. */
export const reflected = (origin: string, {allowedOrigins = []}: Sharing): string =>
	allowedOrigins === '*' || allowedOrigins.includes(origin) ? origin : '';

/** Whether pages that may read may send cookies and the like along. */
export const areCredentialsAllowed = ({allowedOrigins, token}: Sharing): boolean => allowedOrigins !== '*' || token === undefined;

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @throws {Refusal} 403 */
export const requireOrigin = (allowedOrigins?: readonly string[]): Middleware => {
	const isOwn = allowedOrigins ? isOwnAddress : isSameOrigin;
	return async (ctx, next) => {
		if (!harmless.has(ctx.method) && !allowedOrigins?.includes(ctx.get('Origin')) && !isOwn(ctx)) {
			throw new Refusal(403, `Pages of ${ctx.get('Origin') || 'other origins'} may not do this: list the origin in ALLOWED_ORIGINS (allowedOrigins of createApp).`);
		}

		await next();
	};
};

/** A name could be anybody's that was made to lead here for a moment; an address, or this machine's own name, could not. */
const isOwnAddress = (ctx: Context): boolean => {
	const name = ctx.get('Host').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
	return ctx.get('Origin') === '' || (hasHostOfOrigin(ctx) && (name === 'localhost' || isIP(name) !== 0));
};

/**
 * What a browser says of the page, where it does: behind a proxy the application need not know
 * its own name. Older browsers, and pages without TLS, say the origin alone.
 */
const isSameOrigin = (ctx: Context): boolean => {
	const site = ctx.get('Sec-Fetch-Site');
	return site === '' ? ctx.get('Origin') === '' || hasHostOfOrigin(ctx) : site === 'same-origin' || site === 'none';
};

const hasHostOfOrigin = (ctx: Context): boolean => {
	const [origin, host] = [ctx.get('Origin'), ctx.get('Host')];
	return origin === `http://${host}` || origin === `https://${host}`;
};
