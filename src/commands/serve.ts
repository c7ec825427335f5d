/** `processual serve`: opens the port and loads the model, then starts the service on a folder or a database. */
import {isIP} from 'node:net';
import type {Logger} from 'pino';
import {toEmbeddingOptions, toHttpOptions, toOutboxFile, toWebhookOptions} from './options.ts';
import type {Settings} from './settings.ts';
import type {LoadedEncoder} from '../embedding/encoder.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {warnIn} from './logging.ts';
import {showingDownloads} from './progress.ts';
import {tuneV8} from './tune-v8.ts';
import type {Http} from '../http/create-http.ts';
import type {HttpOptions, OriginPolicy} from '../http/http-options.ts';
import {canonicalHost, listen, type Listening} from '../http/server.ts';
import {requireReadableFiles} from './setting-files.ts';
import {createWebhook, type Webhook} from './webhook.ts';

/** The open port, the HTTP interface to come, the webhook, and the model, which the service disposes of when it stops. */
export type OpenPort = {
	server: Listening;
	opened: PromiseWithResolvers<Http>;
	options: HttpOptions;
	webhook: Webhook | null;
	loading: Promise<LoadedEncoder>;
	abortLoading: AbortController;
};

/** Starts the service. Ctrl-C and SIGTERM stop it after the accepted requests are answered. */
export const serve = async (settings: Settings, logger: Logger, isTerminal: boolean): Promise<void> => {
	requireReadableFiles(settings);
	const options = toHttpOptions(settings);
	const receiver = toWebhookOptions(settings);
	const webhook = receiver && createWebhook({...receiver, warn: warnIn(logger), outboxFile: toOutboxFile(settings)});
	const opened = Promise.withResolvers<Http>();
	// The model takes longest, so it loads in its worker while the port is opened and the other modules are imported.
	const abortLoading = new AbortController();
	const loading = showingDownloads(logger, isTerminal, async onProgress =>
		loadEncoder(toEmbeddingOptions(settings), {onProgress, signal: abortLoading.signal}));
	loading.catch(() => {
		// The boot handles it.
	});
	let server: Listening | undefined;
	try {
		// The port comes first, so that no identity is made if it is in use.
		server = await listen(opened.promise, {
			host: settings.HOST,
			port: settings.PORT,
			cors: options.cors,
			token: options.token,
		});
		const run = settings.DATABASE_URL === undefined
			? (await import('./serve-folder.ts')).serveFolder
			: (await import('./serve-node.ts')).serveNode;
		await run(settings, logger, isTerminal, {server, opened, options, webhook, loading, abortLoading});
		tuneV8();
	} catch (error) {
		abortLoading.abort(error);
		opened.reject(error);
		await server?.close();
		await (await loading.catch(() => null))?.dispose();
		throw error;
	}
};

/** Describes for the operator from where, by which pages and with which token the service can be used. */
export const describeExposure = (host: string, {cors, token}: OriginPolicy): string => {
	const pages = cors === '*' ? 'pages of every origin' : `pages of ${(cors && cors.join(', ')) || 'its own origin'}`;
	const access = token === undefined ? 'without a token' : 'with the token only';
	return `open to ${describeNetwork(host)} (HOST), to ${pages} (ALLOWED_ORIGINS), ${access} (AUTH_TOKEN)`;
};

const describeNetwork = (given: string): string => {
	const host = canonicalHost(given);
	if (host === '0.0.0.0' || host === '::') {
		return 'every network of this machine';
	}

	const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
	return isLocal ? 'this machine only' : `the network of ${host}`;
};
