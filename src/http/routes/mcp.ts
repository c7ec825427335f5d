/**
 * `POST /mcp`: the identity for clients of the Model Context Protocol. Not in the OpenAPI document, since the protocol
 * describes itself.
 */
import type {Context, Middleware} from 'koa';
import type {Held} from '../../identity/pending-limits.ts';
import {disconnectSignal} from '../middleware/guard.ts';
import {readJson, type BodyLimits} from '../middleware/read-json.ts';
import {requireRight} from '../caller.ts';
import {RequestError} from '../request-error.ts';
import type {IdentityOf} from '../resolve-identity.ts';

export const mcpPath = '/mcp';

/** A request with the protocol's headers. Its library requires a URL, but does not use it. */
const toRequest = (ctx: Context): Request => new Request('http://localhost/mcp', {
	method: 'POST',
	headers: [
		'accept', 'content-type', 'mcp-protocol-version',
	].map((name): [string, string] => [name, ctx.get(name)]).filter(([, value]) => value !== ''),
});

export const answerMcp = (identityOf: IdentityOf, {hold, ...limits}: BodyLimits & {hold: () => Held}): Middleware => async ctx => {
	if (!await identityOf(ctx)) {
		return;
	}

	// Imported here, so that only users of the protocol pay for it.
	const {answerRequest, rightOfMessage} = await import('../../agents/mcp/transports.ts');
	const held = hold();
	try {
		// A message is one nested object.
		const message = await readJson(ctx, {...limits, maxMetadataBytes: limits.maxBodyBytes}, held);
		if (Array.isArray(message)) {
			throw new RequestError(400, 'Send one message in a request, not a batch.');
		}

		requireRight(ctx, rightOfMessage(message));
		const identity = await identityOf(ctx, true);
		const response = await answerRequest(identity!, toRequest(ctx), message, disconnectSignal(ctx.res));
		ctx.body = await response.text();
		ctx.status = response.status;
		ctx.type = 'json';
	} finally {
		held.release();
	}
};
