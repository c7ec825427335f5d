/**
 * Serves a fixed list of files, with a strict policy. No path outside the list is read, so path
 * traversal is impossible.
 */
import {createHash} from 'node:crypto';
import type {Middleware} from 'koa';

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
		let content = contents.get(ctx.path);
		if (!content) {
			content = await load(file);
			contents.set(ctx.path, content);
		}

		ctx.set({
			'Content-Security-Policy': policy,
			'Content-Type': file.type,
			// Browsers keep the file and revalidate it each time, so a new version shows at once.
			'Cache-Control': 'no-cache',
			'Referrer-Policy': 'no-referrer',
			'X-Content-Type-Options': 'nosniff',
		});
		// Weak: the same whether the file is compressed or not.
		ctx.etag = `W/"${content.tag}"`;
		ctx.status = 200;
		if (ctx.fresh) {
			ctx.status = 304;
		} else {
			ctx.body = content.bytes;
		}
	};
};
