/**
 * Forwards requests over one hop to the node that owns their identity, and streams the responses back.
 *
 * The owner may stop or be fenced during a request. If repeating it is harmless, the request goes to the next owner, and
 * the client only sees a delay. That holds for reads, questions that change nothing, and cycles with a key; a cycle
 * without a key gets one here.
 */
import {request as httpRequest, Agent as HttpAgent, type IncomingMessage, type OutgoingHttpHeaders} from 'node:http';
import {request as httpsRequest, Agent as HttpsAgent} from 'node:https';
import {pipeline} from 'node:stream/promises';
import type {Context} from 'koa';
import {timeOrderedId, type Time, type Timers} from '../platform/clock.ts';
import {readUpTo} from '../platform/bounded-fetch.ts';
import {valueOfJson} from '../platform/describe-faults.ts';
import {reasonOf, UnavailableError, UnknownIdentityError, UnknownOutcomeError} from '../platform/errors.ts';
import type {Forwarder} from './http-options.ts';
import {limitCalls, type Held} from '../identity/pending-limits.ts';
import {disconnectSignal} from './middleware/guard.ts';
import {idempotencyKeyHeader as keyHeader} from '../wire/rename.ts';
import {requestIdOf} from './middleware/record-requests.ts';
import {readBody} from './middleware/read-json.ts';
import {wait} from '../platform/waiting.ts';
import {forwardedHeader, isSigned, signRequest} from './peer-signature.ts';
import type {ByteBudget} from './middleware/share-turns.ts';
import {routesFor} from './routes.ts';
import {events} from './routes/events.ts';
import {maxSilenceMs, watchSilence} from './watch-silence.ts';
import type {Repeat} from './routes/route.ts';

/** The longest wait for an identity's next owner. A frozen owner is replaced after 3 to 4 s. */
const maxRetryMs = 8000;

const retryPauseMs = 50;

const maxForwarded = 2000;

/** Concurrent event streams of other nodes. Counted separately, since they stay open. */
const maxStreams = 2000;

/** Shorter than the 65 s for which a node keeps an idle connection. */
const idleConnectionMs = 30_000;

/** The largest body of a 503 that is read to see whether a retry can help. */
const maxErrorBytes = 65_536;

/** The client's credentials, which this node has checked. The other node only needs the signature. */
const credentialHeaders = ['authorization', 'cookie'];

/** Hop-by-hop headers. */
const connectionHeaders = [
	'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade',
	'content-length', 'expect',
];

/** The endpoints with POST, which declare whether a request may be repeated. */
const posts = routesFor({isInspected: false}).flatMap(route => route.method === 'POST' ? [route] : []);

/** How a request may be repeated. An unknown path is taken as unsafe. */
const repeatOf = ({method, path}: Context): Repeat =>
	method === 'POST' ? posts.find(post => path.endsWith(post.path))?.repeat ?? 'unsafe' : 'safe';

export type Peers = {
	/**
	 * Finds the address of an identity's owner after the node at `notAt` failed to answer as the owner; it may be this
	 * node's address.
	 */
	findOwner(name: string, notAt: string): Promise<string>;
	/** A signal that aborts when the node at an address is gone. */
	lifeOf(url: string): AbortSignal;
	/** Asks the owner through the database to release an identity, because this node cannot reach it at its address. */
	askHandOver(name: string, url: string): Promise<void>;
	/** The database's time in milliseconds since 1970, the same for all nodes. */
	now(): number;
};

/** The outcome of one attempt: another node answered, the request is retried, or it failed. */
export type ForwardOutcome = 'answered' | 'retried' | 'failed';

export type ForwarderOptions = {
	token: string;
	peers: Peers;
	maxBodyBytes: number;
	/** Counts the bytes of bodies that are kept for retries. */
	hold: () => Held;
	readBudget: ByteBudget;
	time: Time;
	timers: Timers;
	onOutcome?(outcome: ForwardOutcome): void;
};

export const createForwarder = (options: ForwarderOptions): Forwarder & {/** Ends idle connections. */ close(): void} => {
	const {token, peers, maxBodyBytes, hold, readBudget, time, timers, onOutcome} = options;
	const {send, close} = createSender(peers, timers);

	const forwardWith = async (ctx: Context, name: string, first: string, held: Held): Promise<void> => {
		const left = disconnectSignal(ctx.res);
		const body = ctx.method === 'GET' || ctx.method === 'HEAD' ? null : await readBody(ctx, {maxBodyBytes, readBudget}, held);
		const headers = forwardedHeaders(ctx, body);
		const repeat = repeatOf(ctx);
		const isHarmless = repeat !== 'unsafe';
		const startedAt = time.elapsed();
		let mayBeDone = false;
		const failed = (error: unknown) => mayBeDone && repeat !== 'safe' ? outcomeUnknown(isHarmless && headers[keyHeader], error) : error;
		for (let url = first; ;) {
			const sent = await send(ctx, url, {...headers, [forwardedHeader]: signRequest(token, ctx, body, peers.now())}, body, left);
			mayBeDone ||= 'error' in sent && sent.isSent;
			const isLate = time.elapsed() - startedAt >= maxRetryMs;
			if ('response' in sent) {
				const {response} = sent;
				const refusal = response.statusCode === 503 ? await readRefusal(response) : null;
				// After a lost answer to a DELETE, a 404 means that it was done.
				if (mayBeDone && ctx.method === 'DELETE' && response.statusCode === 404) {
					response.resume();
					onOutcome?.('answered');
					ctx.status = 204;
					return;
				}

				if (!refusal || isLate || !(refusal.isMoved || (refusal.isRetryable && isHarmless))) {
					onOutcome?.('answered');
					await respond(ctx, response, refusal?.body);
					return;
				}
			} else if (left.aborted) {
				ctx.respond = false;
				return;
			} else if (isLate || (sent.isSent && !isHarmless)) {
				onOutcome?.('failed');
				throw failed(unreached(sent.error, url));
			}

			onOutcome?.('retried');
			try {
				if ('error' in sent && sent.isUnreached) {
					await peers.askHandOver(name, url);
				}

				await wait(retryPauseMs, timers);
				url = await peers.findOwner(name, url);
			} catch (error) {
				if (!(mayBeDone && ctx.method === 'DELETE' && error instanceof UnknownIdentityError)) {
					throw failed(error);
				}

				ctx.status = 204;
				return;
			}
		}
	};

	const takeRequest = limitCalls(maxForwarded, 'requests to other nodes', 1);
	const takeStream = limitCalls(maxStreams, 'event streams of other nodes', 30);
	return {
		isForwarded: (ctx: Context) => ctx.headers[forwardedHeader] !== undefined && isSigned(token, ctx, peers.now()),

		async forward(ctx: Context, name, url) {
			const isStream = ctx.method === 'GET' && ctx.path.endsWith(events.path);
			await (isStream ? takeStream : takeRequest)(async () => {
				const held = hold();
				try {
					await forwardWith(ctx, name, url, held);
				} finally {
					held.release();
				}
			});
		},

		close,
	};
};

/** `isUnreached`: no node answers at the address. */
type Sent = {response: IncomingMessage} | {error: Error; isSent: boolean; isUnreached: boolean};

const unreached = (error: Error, url: string): UnavailableError =>
	new UnavailableError(`The node that has this identity cannot be reached at ${url}: ${reasonOf(error)}`, {retryable: true});

/** Without a key, a repeated request could be carried out twice, so the client must check first. */
const outcomeUnknown = (key: unknown, cause: unknown): UnknownOutcomeError => typeof key === 'string'
	? new UnknownOutcomeError('The node that has this identity ended before it answered, and no other node answered. Repeat the cycle with '
		+ `“${key}” as its Idempotency-Key: it will not run twice. ${reasonOf(cause)}`, {cause, id: key})
	: new UnknownOutcomeError('The node that has this identity ended before it answered. Before you repeat the request, check the '
		+ 'state, which shows whether it was carried out, and “revisions”, which shows whether texts were left out, held or forgotten.',
	{cause, retryable: false});

/** Sends each request once, on connections that are kept open. */
const createSender = (peers: Peers, timers: Timers) => {
	const agents = {
		'http:': new HttpAgent({keepAlive: true, timeout: idleConnectionMs}),
		'https:': new HttpsAgent({keepAlive: true, timeout: idleConnectionMs}),
	};
	const send = async (ctx: Context, url: string, headers: OutgoingHttpHeaders, body: Buffer | null, left: AbortSignal): Promise<Sent> => {
		const target = new URL(url);
		const isSecure = target.protocol === 'https:';
		const signal = AbortSignal.any([left, peers.lifeOf(url)]);
		return new Promise(resolve => {
			let isConnected = false;
			let isSilent = false;
			const upstream = (isSecure ? httpsRequest : httpRequest)({
				agent: isSecure ? agents['https:'] : agents['http:'],
				protocol: target.protocol, hostname: target.hostname.replaceAll(/^\[|\]$/g, ''), port: target.port,
				path: ctx.originalUrl,
				method: ctx.method, headers, signal,
			});
			upstream.on('socket', socket => {
				isConnected = !socket.connecting;
				if (socket.connecting) {
					socket.once('connect', () => {
						isConnected = true;
					});
				}
			});
			// A reused connection may simply have been closed while idle. A new one that ends without an answer reaches no node.
			upstream.on('error', error => resolve(
				{error, isSent: isConnected, isUnreached: isSilent || (!upstream.reusedSocket && !signal.aborted)},
			));
			const watch = watchSilence(url, timers, () => {
				isSilent = true;
				upstream.destroy(new Error(`It has not answered for ${maxSilenceMs / 1000} s.`));
			});
			upstream.on('response', response => resolve({response}));
			upstream.on('response', watch.end).on('close', watch.end);
			// The agent's timeout is for idle connections; an answer may take as long as it needs.
			upstream.setTimeout(0);
			upstream.end(body ?? undefined);
		});
	};

	return {
		send,
		close() {
			agents['http:'].destroy();
			agents['https:'].destroy();
		},
	};
};

/** The headers to forward: without hop-by-hop headers and credentials, with the original Host and the client's address. */
const forwardedHeaders = (ctx: Context, body: Buffer | null): OutgoingHttpHeaders => {
	const dropped = new Set([
		...connectionHeaders, ...credentialHeaders, ...ctx.get('Connection').toLowerCase().split(',').map(name => name.trim()),
	]);
	const kept = Object.entries(ctx.req.headers)
		.filter(([name]) => !name.startsWith(':') && !dropped.has(name) && name !== keyHeader.toLowerCase());
	const key = ctx.get(keyHeader) || (repeatOf(ctx) === 'by key' ? timeOrderedId(Date.now()) : undefined);
	return {
		...Object.fromEntries(kept),
		'X-Request-Id': ctx.response.get('X-Request-Id') || requestIdOf(ctx.get('X-Request-Id')),
		'X-Forwarded-For': ctx.ip,
		...(key !== undefined && {[keyHeader]: key}),
		...(body && {'Content-Length': body.length}),
	};
};

/** Reads the body of a 503. A body that is too long is cut. */
const readRefusal = async (response: IncomingMessage): Promise<{body: string; isMoved: boolean; isRetryable: boolean}> => {
	const body = await readUpTo(response, maxErrorBytes).then(async found => found.body.text(), () => '');
	const {code, retryable} = (valueOfJson(body) ?? {}) as {code?: string; retryable?: boolean};
	return {body, isMoved: code === 'moved', isRetryable: retryable === true};
};

/** Bypasses Koa, which would take the end of a stream for a failed connection. */
const respond = async (ctx: Context, response: IncomingMessage, body: string | undefined): Promise<void> => {
	const headers = Object.entries(response.headers)
		.filter(([name]) => !connectionHeaders.includes(name) || (name === 'content-length' && body === undefined));
	ctx.respond = false;
	ctx.status = response.statusCode!;
	ctx.res.writeHead(response.statusCode!, Object.fromEntries(headers));
	if (body !== undefined) {
		ctx.res.end(body);
		return;
	}

	// The first bytes of an event stream may come late.
	ctx.res.flushHeaders();
	await pipeline(response, ctx.res).catch(() => {
		// One side has left, and the pipeline has ended the other.
	});
};
