/** Serves a fixed list of files with a strict content policy. No other path is read, so path traversal is impossible. */
import {createHash} from 'node:crypto';
import type {Context, Middleware} from 'koa';
import {readFile} from 'node:fs/promises';
import {UnavailableError} from '../../platform/errors.ts';
import {locatePackageFile} from '../../platform/package-file.ts';
import {text} from '../../wire/builders.ts';
import type {Operation} from '../routes/route.ts';

/** A file with its media type, read at its first request. */
export type ServedFile = {type: string; read: () => Promise<Buffer>};

/** Lets a page load from and connect to this service only. Inline styles set by script are not restricted. */
export const pagePolicy = (styles = '\'self\''): string => [
	'default-src \'none\'',
	'script-src \'self\'',
	`style-src ${styles}`,
	'img-src \'self\' data:',
	'connect-src \'self\'',
	'base-uri \'none\'',
	'form-action \'none\'',
	'frame-ancestors \'none\'',
].join('; ');

/** Declares the operation of a page. */
export const pageAt = (path: `/${string}`, summary: string, description: string): Operation =>
	({method: 'GET', path, summary, description, responses: {}, texts: {'text/html': text('The page.', '<!doctype html>')}});

export const pageHeaders = (type: string, policy: string) => ({
	'Content-Security-Policy': policy, 'Content-Type': type, 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff',
});

type Content = {bytes: Buffer; tag: string};

const load = async (file: ServedFile): Promise<Content> => {
	const bytes = await file.read();
	return {bytes, tag: createHash('sha256').update(bytes).digest('base64url')};
};

const policy = pagePolicy();

/** Serves the paths of `files`. Telemetry counts them all under the first path. */
export const serveFiles = (files: ReadonlyMap<string, ServedFile>): Middleware => {
	const [page] = files.keys();
	const contents = new Map<string, Content>();

	return async (ctx, next) => {
		const file = files.get(ctx.path);
		if (!file) {
			await next();
			return;
		}

		Object.assign(ctx, {_matchedRoute: page});
		const content = contents.get(ctx.path) ?? await load(file);
		contents.set(ctx.path, content);

		// Browsers cache the file but revalidate it each time, so a new version shows at once.
		ctx.set({...pageHeaders(file.type, policy), 'Cache-Control': 'no-cache'});
		if (!isUnchanged(ctx, content.tag)) {
			ctx.body = content.bytes;
		}
	};
};

/**
 * Sets the ETag of a response.
 *
 * @returns whether the client already has it; the status is then 304, even if the browser adds “no-cache”, which is for caches
 */
export const isUnchanged = (ctx: Context, tag: string): boolean => {
	const isHere = ctx.get('If-None-Match').includes(`"${tag}"`);
	// Weak, because it is the same whether or not the response is compressed.
	ctx.etag = `W/"${tag}"`;
	ctx.status = isHere ? 304 : 200;
	return isHere;
};

/**
 * Reads a file of the package. Workers have none, and neither has a bundle without the package beside it.
 *
 * @throws {UnavailableError} when the file is not there
 */
export const readPackageFile = async (path: string): Promise<Buffer> => {
	try {
		return await readFile(locatePackageFile(path));
	} catch (error) {
		throw new UnavailableError('The files of this page are missing, as in a bundled program: deploy node_modules/processual-state '
			+ 'with the bundle, or leave the page out.', {cause: error, retryable: false});
	}
};
