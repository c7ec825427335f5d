/**
 * Serves a fixed list of files, with a strict policy, compressed for clients that take it. No path
 * outside the list is read, so path traversal is impossible.
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

/** A file as it is sent: plain, or compressed where that makes it smaller. */
type Content = {bytes: Buffer; compressed: Buffer | null; tag: string};

/** As a stream of the web, which every runtime has. */
const compress = async (bytes: Buffer): Promise<Buffer> =>
	Buffer.from(await new Response(new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());

const load = async (file: ServedFile): Promise<Content> => {
	const bytes = await file.read();
	const compressed = await compress(bytes);
	return {bytes, compressed: compressed.length < bytes.length ? compressed : null, tag: createHash('sha256').update(bytes).digest('base64url')};
};

const policy = pagePolicy();

/** Answers the paths of `files`. */
export const serveFiles = (files: ReadonlyMap<string, ServedFile>): Middleware => {
	const contents = new Map<string, Content>();

	return async (ctx, next) => {
		const file = files.get(ctx.path);
		if (!file) {
			await next();
			return;
		}

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
		ctx.vary('Accept-Encoding');
		const isCompressed = content.compressed !== null && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
		// Weak: the same for both forms.
		ctx.etag = `W/"${content.tag}"`;
		ctx.status = 200;
		if (ctx.fresh) {
			ctx.status = 304;
		} else if (isCompressed) {
			ctx.set('Content-Encoding', 'gzip');
			ctx.body = content.compressed;
		} else {
			ctx.body = content.bytes;
		}
	};
};
