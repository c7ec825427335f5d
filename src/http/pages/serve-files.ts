/** Serves a fixed list of files, with a strict policy. No path outside the list is read, so path traversal is impossible. */
import {createHash} from 'node:crypto';
import type {Context, Middleware} from 'koa';
import {readFile} from 'node:fs/promises';
import {UnavailableError} from '../../platform/errors.ts';
import {locatePackageFile} from '../../platform/package-file.ts';
import {text} from '../../wire/builders.ts';
import type {Operation} from '../routes/route.ts';

/** One file: its media type, and how to read it. It is read when it is first requested. */
export type ServedFile = {type: string; read: () => Promise<Buffer>};

/** A page may load from and connect to this service only. Inline styles set by script are not restricted. */
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

/** The operation of a page. */
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

/** Answers the paths of `files`, which are one route to who counts requests: the first path. */
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

		// Browsers keep the file and revalidate it each time, so a new version shows at once.
		ctx.set({...pageHeaders(file.type, policy), 'Cache-Control': 'no-cache'});
		if (!isUnchanged(ctx, content.tag)) {
			ctx.body = content.bytes;
		}
	};
};

/**
 * Tags an answer.
 *
 * @returns whether the client has it already: then the status is 304, also where browsers add “no-cache”, which is for caches
 */
export const isUnchanged = (ctx: Context, tag: string): boolean => {
	const isHere = ctx.get('If-None-Match').includes(`"${tag}"`);
	// Weak: the same whether the answer is compressed or not.
	ctx.etag = `W/"${tag}"`;
	ctx.status = isHere ? 304 : 200;
	return isHere;
};

/**
 * Reads a file of the package. A worker has none, nor has a bundle without the package beside it.
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

let version: string | undefined;

/** The version of the package; that it is unknown is the answer of a bundle, which has no files. */
export const packageVersion = async (): Promise<string> => {
	version ??= await readPackageFile('package.json').then(
		bytes => (JSON.parse(bytes.toString()) as {version: string}).version, () => 'bundled',
	);
	return version;
};
