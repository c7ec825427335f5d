/**
 * Compresses bodies of 1 KiB or more with gzip, for clients that accept it. A buffer that is sent often, such as a file or
 * the text of a state, is the same object each time and is compressed once. Event streams have no body here, so they are
 * not compressed.
 */
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import type {Middleware} from 'koa';
import {memoizeWeak} from '../../platform/immutable.ts';

/** A smaller body fits in one packet with its headers. */
const minBytes = 1024;

/** Runs in the thread pool. For floats, level 4 takes half the time of level 6 and 2 % more bytes. */
const toGzip = async (bytes: Buffer | string): Promise<Buffer> => promisify(gzip)(bytes, {level: 4});

const toGzipOnce = memoizeWeak<Buffer, Promise<Buffer>>(toGzip);

const isCompressible = /^(?:text\/|image\/svg|application\/json)/;

export const compress = (): Middleware => async (ctx, next) => {
	await next();
	const {body} = ctx as {body: unknown};
	const isLong = (typeof body === 'string' || Buffer.isBuffer(body)) && body.length >= minBytes;
	if (!isLong || ctx.res.hasHeader('Content-Encoding') || !isCompressible.test(ctx.response.get('Content-Type'))) {
		return;
	}

	ctx.vary('Accept-Encoding');
	if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
		ctx.body = typeof body === 'string' ? await toGzip(body) : await toGzipOnce(body);
		ctx.set('Content-Encoding', 'gzip');
	}
};
