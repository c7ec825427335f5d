/** Serves a fixed list of files, with a strict policy. No path outside the list is read, so path traversal is impossible. */
import {createHash} from 'node:crypto';
import type {Middleware} from 'koa';

/** One file: its media type, and how to read it. It is read when it is first requested. */
export type ServedFile = {type: string; read: () => Promise<Buffer>};

/** A page may load from and connect to this service only. Inline styles set by script are not restricted. */
const policy = [
	'default-src \'none\'',
	'script-src \'self\'',
	'style-src \'self\'',
	'img-src \'self\' data:',
	'connect-src \'self\'',
	'base-uri \'none\'',
	'form-action \'none\'',
	'frame-ancestors \'none\'',
].join('; ');

/** Answers the paths of `files`. */
export const serveFiles = (files: ReadonlyMap<string, ServedFile>): Middleware => {
	const contents = new Map<string, {bytes: Buffer; tag: string}>();

	return async (ctx, next) => {
		const file = files.get(ctx.path);
		if (!file) {
			await next();
			return;
		}

		let content = contents.get(ctx.path);
		if (!content) {
			const bytes = await file.read();
			content = {bytes, tag: createHash('sha256').update(bytes).digest('base64url')};
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
		ctx.etag = content.tag;
		ctx.status = 200;
		if (ctx.fresh) {
			ctx.status = 304;
		} else {
			ctx.body = content.bytes;
		}
	};
};
