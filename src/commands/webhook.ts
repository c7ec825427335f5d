/**
 * A webhook: sends events to one address, in order, each signed as Standard Webhooks specifies
 * (https://www.standardwebhooks.com). A receiver that does not answer costs bounded memory: the oldest
 * waiting events are dropped. Those that wait when the program ends are sent by the next one.
 */
import {createHmac} from 'node:crypto';
import {readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {boundedFetch, RefusedResponseError} from '../platform/bounded-fetch.ts';
import {systemTime, timestampOf, unrefTimers, type Random, type Time, type Timers} from '../platform/clock.ts';
import {ProcessualError, reasonOf, withErrors, type Warn} from '../platform/errors.ts';
import {ifExists, makeFolder} from '../platform/files/folders.ts';
import {writeFileAtomically} from '../platform/files/write.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import {alertTypes, subscribeToIdentity} from '../observe/identity-events.ts';
import {signingKeyOf} from '../platform/server-access.ts';
import {wait, waitAtMost} from '../platform/waiting.ts';

/** Options of a webhook. */
export type WebhookOptions = {
	/** The receiver: an http or https address. */
	url: string;
	/** The key of the signatures: at least 24 bytes in base64, with or without the prefix `whsec_`. */
	secret: string;
	/** The file that keeps the events that are not delivered yet. @default none, so that they end with the program */
	outboxFile?: string;
	/** Called for events that could not be delivered. Warnings never contain the full address, which may include a key. */
	warn: Warn;
	/** The clock of the signatures. @default the system's */
	time?: Time;
	/** Timers for the pauses between attempts. @default timers that do not keep the program running */
	timers?: Timers;
	/** Draws the jitter. @default Math.random */
	random?: Random;
	/** Makes the events' ids. @default crypto.randomUUID */
	newId?: () => string;
	/** How long one attempt may take, in milliseconds. @default 10,000 */
	timeoutMs?: number;
};

/** An open webhook. */
export type Webhook = {
	/** Sends the events that an earlier program has left. */
	resume(): void;
	/** Queues an event, with its data as JSON. Returns at once. */
	send(type: string, json: string): void;
	/** Resolves when every event is delivered or dropped, or after the given milliseconds. */
	idle(atMostMs: number): Promise<void>;
	/** Aborts the current attempt. The waiting events stay in the outbox. */
	close(): void;
};

type Message = {id: string; body: string; type: string};

/** Maximum events that wait behind the current one. */
const maxWaiting = 100;

/** With the pauses below, about 25 minutes. */
const maxAttempts = 12;
const firstPauseMs = 1000;
const maxPauseMs = 300_000;

/** The response's body is not used. */
const maxResponseBytes = 65_536;

/** How long a stop waits for the receiver of alerts. */
export const lastAlertsMs = 2000;

/** The receiver refuses this message, or would give the same answer again. */
class RejectedError extends ProcessualError {
	override readonly name = 'RejectedError';
}

/** Returns a function that posts a message once. It throws on failure; a {@link RejectedError} if a retry would not help. */
const createAttempt = (url: string, key: Buffer, time: Time, timeoutMs: number, signal: AbortSignal) => {
	const {host} = new URL(url);
	const sign = ({id, body}: Message): Record<string, string> => {
		const seconds = String(Math.floor(time.now() / 1000));
		const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
		return {'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}`};
	};

	return async (message: Message): Promise<void> => withErrors(async () => {
		const headers = {'content-type': 'application/json', ...sign(message)};
		const bounds = {maxBytes: maxResponseBytes, timeoutMs, option: 'ALERT_WEBHOOK_URL'};
		const {ok, status} = await boundedFetch(url, {method: 'POST', headers, body: message.body, signal}, bounds);
		if (!ok) {
			throw new (status === 410 ? RejectedError : ProcessualError)(`${host} answered with status ${status}.`);
		}
	}, error => error instanceof RefusedResponseError ? new RejectedError(error.message.replaceAll(url, host)) : error);
};

/** Exponential backoff with jitter over the upper half of the pause, so that many senders do not return at the same time. */
const pauseAfter = (failures: number, random: Random): number =>
	Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1)) * (1 + random()) / 2;

/** If the file can be neither read nor written, events are sent all the same, and a warning says what a restart would lose. */
const openOutbox = (file: string | undefined, warn: Warn) => {
	const attempt = <Result>(run: (file: string) => Result): Result | null => {
		try {
			return file === undefined ? null : run(file);
		} catch (error) {
			warn(`Alerts that wait for their receiver are not kept across a restart: ${reasonOf(error)}. Check ${file}.`, error);
			return null;
		}
	};

	return {
		read: () => attempt(place => [...JSON.parse(ifExists(() => readFileSync(place, 'utf8')) ?? '[]') as Message[]]) ?? [],
		write(waiting: readonly Message[]): void {
			attempt(place => {
				if (waiting.length === 0) {
					rmSync(place, {force: true});
				} else {
					makeFolder(path.dirname(place));
					writeFileAtomically(place, JSON.stringify(waiting));
				}
			});
		},
	};
};

/** Opens a webhook. Nothing is sent before the first event. */
export const createWebhook = ({
	url, secret, warn, outboxFile,
	time = systemTime, timers = unrefTimers, random = Math.random, newId = () => crypto.randomUUID(), timeoutMs = 10_000,
}: WebhookOptions): Webhook => {
	const key = signingKeyOf(secret)!;
	const {host} = new URL(url);
	/** The first one is being delivered. */
	const waiting: Message[] = [];
	const end = new AbortController();
	const attempt = createAttempt(url, key, time, timeoutMs, end.signal);
	const outbox = openOutbox(outboxFile, warn);
	let sending: Promise<void> | null = null;

	const deliver = async (message: Message): Promise<void> => {
		for (let failures = 1; ; failures++) {
			try {
				await attempt(message);
				return;
			} catch (error) {
				end.signal.throwIfAborted();
				const isLast = failures === maxAttempts || error instanceof RejectedError;
				if (isLast || failures === 1) {
					const fate = isLast ? `, and was dropped after attempt ${failures}` : '; it will be tried again';
					warn(`The event ${message.type} could not be delivered to the webhook at ${host}${fate}: ${reasonOf(error)}`);
				}

				if (isLast) {
					return;
				}
			}

			await wait(pauseAfter(failures, random), timers, end.signal);
		}
	};

	const sendAll = async (): Promise<void> => {
		try {
			for (let [message] = waiting; message; [message] = waiting) {
				await deliver(message);
				waiting.shift();
				outbox.write(waiting);
			}
		} catch {
			// Only `close` leads here.
		} finally {
			sending = null;
		}
	};

	return {
		send(type, json) {
			if (end.signal.aborted) {
				return;
			}

			if (waiting.length > maxWaiting) {
				const [oldest] = waiting.splice(1, 1);
				warn(`The webhook at ${host} does not keep up: ${maxWaiting} events are waiting. The oldest, ${oldest!.type}, was dropped.`);
			}

			waiting.push({id: newId(), type, body: `{"type":${JSON.stringify(type)},"timestamp":"${timestampOf(time)}","data":${json}}`});
			outbox.write(waiting);
			sending ??= sendAll();
		},
		resume() {
			waiting.unshift(...outbox.read());
			if (waiting.length > 0) {
				sending ??= sendAll();
			}
		},
		idle: async atMostMs => waitAtMost(sending ?? Promise.resolve(), atMostMs, timers),
		close: () => end.abort(),
	};
};

const alerts: ReadonlySet<string> = new Set(alertTypes);

/** Sends the alerts of an identity from now on, with its name. */
export const sendAlerts = (identity: string, {actor}: Pick<LocalIdentity, 'actor'>, webhook: Pick<Webhook, 'send'>): void => {
	subscribeToIdentity(actor, ({type, data}) => {
		// Held texts may be very many: an alert for the first, then whenever their number has doubled.
		const isGrown = type === 'cycle.held' && Number.isInteger(Math.log2(actor.getSnapshot().context.quarantine!.waiting));
		if (alerts.has(type) || isGrown) {
			webhook.send(type, JSON.stringify({identity, ...data}));
		}
	});
};
