/**
 * A fixed list of files, served with a strict policy: what a page is made of. Nothing that is not on
 * the list can be asked for, so no path can lead astray.
 */
import {createHash} from 'node:crypto';
import type {Middleware} from 'koa';

/** One file: its media type, and where its bytes come from. They are read when first asked for. */
export type ServedFile = {type: string; read: () => Promise<Buffer>};

/** A page may run, show and ask what comes from this service, and nothing else. Styles that are set by script are let pass. */
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

/** Answers the paths of `files`, and leaves all others alone. */
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
			// Kept, and asked about each time: a new version of the service is seen at once.
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
