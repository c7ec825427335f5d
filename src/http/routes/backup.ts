/**
 * `POST /backup`: the whole journal of a running identity as a SQLite file, for `processual backup`. It contains every text
 * and takes space on the disk, so pages of other origins may not request it. It is not in the OpenAPI document.
 */
import {once} from 'node:events';
import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {pipeline} from 'node:stream/promises';
import type {Context, Middleware} from 'koa';
import type {Host} from '../../host/host.ts';
import {limitCalls} from '../../identity/pending-limits.ts';
import {identityNameOf} from '../middleware/name-identity.ts';

export const backupPath = '/backup';

/** Each backup is a whole journal on the disk until its client has read it. */
const maxBackups = 2;

export const serveBackup = (host: Host): Middleware => {
	const take = limitCalls(maxBackups, 'backups', 5);
	return async ctx => take(async () => sendBackup(host, ctx));
};

const sendBackup = async (host: Host, ctx: Context): Promise<void> => {
	await using backup = await host.backup!(identityNameOf(ctx) ?? host.defaultName);
	const {size} = await stat(backup.file);
	const content = createReadStream(backup.file);
	await once(content, 'open');
	// The file is removed after this function, so Koa must not send it later.
	ctx.respond = false;
	ctx.res.writeHead(200, {'Content-Type': 'application/vnd.sqlite3', 'Content-Length': size, 'Cache-Control': 'no-store'});
	await pipeline(content, ctx.res).catch(() => {
		// The client has left.
	});
};
