/** `processual serve`: opens the port, starts the identity, and shuts both down on a signal. */
import closeWithGrace from 'close-with-grace';
import type {Logger} from '#pino';
import type {OpenSources} from './open-sources.ts';
import {toHttpOptions, toEmbeddingOptions, toJournalFolder, toJournalsFolder, toWebhookOptions} from './options.ts';
import type {Settings} from './settings.ts';
import {createEmbeddedHost} from '../host/embedded-host.ts';
import {createIdentity} from '../identity/create-identity.ts';
import {defaultIdentityName} from '../identity-name.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Journal} from '../journal/journal.ts';
import {openJournals} from '../journal/sqlite/journals.ts';
import {memoizeWeak} from '../memoize-weak.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import {shareSources} from './share-sources.ts';
import {UnavailableError} from '../errors.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {showDownloads} from './progress.ts';
import {tuneV8} from './tune-v8.ts';
import type {Http} from '../http/create-http.ts';
import type {HttpOptions} from '../http/http-options.ts';
import {describeExposure} from './describe-exposure.ts';
import {listen, type Listening} from '../http/server.ts';
import {logIdentity} from './logging.ts';
import {fatalSignals} from './signals.ts';
import {toIdentityOptions} from './identity-options.ts';
import {requireReadableFiles} from './setting-files.ts';
import {createWebhook, sendAlerts, type Webhook} from './webhook.ts';

/** How long a stop waits for the receiver of alerts. */
export const lastAlertsMs = 2000;

/** Starts the service. Ctrl-C and SIGTERM stop it after the accepted requests are answered. */
export const serve = async (settings: Settings, logger: Logger, isTerminal: boolean): Promise<void> => {
	requireReadableFiles(settings);
	tuneV8();
	const options = toHttpOptions(settings);
	const webhook = openWebhook(settings, logger);
	const opened = Promise.withResolvers<Http>();
	// The port comes first: if it is in use, no identity is made.
	const server = await listen(opened.promise, {
		host: settings.HOST,
		port: settings.PORT,
		cors: options.cors,
		token: options.token,
	});
	try {
		const run = settings.DATABASE_URL === undefined ? start : (await import('./serve-node.ts')).serveNode;
		await run(settings, logger, isTerminal, {server, opened, options, webhook});
	} catch (error) {
		opened.reject(error);
		await server.close();
		throw error;
	}
};

/** The open port, the interface that will answer on it, and where alerts go. */
export type Listener = {server: Listening; opened: PromiseWithResolvers<Http>; options: HttpOptions; webhook: Webhook | null};

const openWebhook = (settings: Settings, logger: Logger): Webhook | null => {
	const options = toWebhookOptions(settings);
	return options && createWebhook({...options, warn: warning => {
		logger.warn(warning);
	}});
};

const start = async (settings: Settings, logger: Logger, isTerminal: boolean, {server, opened, options, webhook}: Listener): Promise<void> => {
	// The model takes longest: it loads in its worker while the other modules are imported.
	const abortLoading = new AbortController();
	const loading = loadEncoder(toEmbeddingOptions(settings), {onProgress: showDownloads(logger, isTerminal), signal: abortLoading.signal});
	loading.catch(() => {
		// The boot handles it.
	});
	const [{openSources}, {createTelemetry}, {createInspection}] = await Promise.all([
		import('./open-sources.ts'),
		import('../telemetry/telemetry.ts'),
		import('../inspection/inspection.ts'),
	]);
	let parts: OpenSources;
	try {
		parts = await openSources(settings);
	} catch (error) {
		// No identity exists yet that would dispose of the model.
		abortLoading.abort(error);
		await (await loading.catch(() => null))?.dispose();
		throw error;
	}

	const telemetry = createTelemetry(() => main, {defaultMetrics: true});
	const inspectionOf = memoizeWeak(({actor, records: read}: LocalIdentity) => createInspection({actor, read}));
	const sources = shareSources(parts.sources, loading);
	const identityOptions = toIdentityOptions(settings, {logger});
	/** The identity that requests without a name mean, once it is made. */
	let main = null as LocalIdentity | null;
	const abortBoot = new AbortController();
	const open = async (name: string, journal: Journal, {state}: {state?: StateTensor} = {}): Promise<LocalIdentity> => {
		const isMain = name === settings.IDENTITY;
		const identity = createIdentity({
			...sources,
			...(state && {initialState: state}),
			...identityOptions,
			journal,
			signal: abortBoot.signal,
		});
		telemetry.observe(identity);
		logIdentity(identity, isMain ? logger : logger.child({identity: name}), isMain);
		if (webhook) {
			sendAlerts(name, identity, webhook);
		}

		if (isMain) {
			main = identity;
			// From now on, so that its history begins with the boot.
			inspectionOf(identity);
		}

		try {
			await identity.ready();
			return identity;
		} catch (error) {
			await identity.dispose().catch(() => {});
			throw error;
		}
	};

	const host = createEmbeddedHost({
		defaultName: settings.IDENTITY,
		journals: openJournals({
			folder: toJournalsFolder(settings),
			elsewhere: {[defaultIdentityName]: toJournalFolder(settings, defaultIdentityName)},
			content: settings.JOURNAL_CONTENT,
			compaction: {keepRecords: settings.JOURNAL_KEEP_RECORDS, keepDays: settings.JOURNAL_KEEP_DAYS},
			logger,
			onCommit(milliseconds, records) {
				telemetry.observeCommit(milliseconds / 1000, records);
			},
		}),
		open,
		maxLive: settings.MAX_LIVE,
		idleMs: settings.IDLE_SECONDS * 1000,
		warn(warning) {
			logger.warn(warning);
		},
	});

	const close = async (): Promise<void> => {
		http?.close();
		disconnect?.();
		webhook?.close();
		telemetry.close();
		await host[Symbol.asyncDispose]();
		await (await loading.catch(() => null))?.dispose();
		await parts.close();
	};

	let isStopping = false;
	const stop = closeWithGrace({delay: settings.SHUTDOWN_SECONDS * 1000, logger, skip: fatalSignals}, async ({signal, err}) => {
		isStopping = true;
		if (err) {
			logger.fatal({err}, 'uncaught error; stopping');
		}

		logger.info(signal ? `stopping on ${signal}` : 'stopping');
		const reason = new UnavailableError('The service is stopping.');
		if (!http) {
			// Nothing was accepted yet.
			abortBoot.abort(reason);
			abortLoading.abort(reason);
		}

		const drained = host.drain();
		opened.reject(reason);
		const closed = server.close();
		await drained;
		// All accepted requests are done, and their events are sent.
		http?.close();
		await closed;
		await webhook?.idle(lastAlertsMs);
		await close();
		logger.info('stopped');
	});

	let http: Http | undefined;
	let disconnect: (() => void) | undefined;
	try {
		const [{createHttp}] = await Promise.all([import('../http/create-http.ts'), host.place(settings.IDENTITY)]);
		if (isStopping) {
			return;
		}

		http = createHttp(host, {...options, logger, metrics: telemetry, inspector: inspectionOf});
		opened.resolve(http);
		if (settings.INSPECTOR_URL !== undefined) {
			const {connectInspector} = await import('../inspection/connect-inspector.ts');
			const address = settings.INSPECTOR_URL;
			disconnect = connectInspector(address, inspectionOf(main!), {
				onChange(isConnected) {
					// Without the rest of the address, which may hold credentials.
					logger.info({inspector: new URL(address).host}, isConnected ? 'inspector connected' : 'inspector not connected');
				},
			});
		}
	} catch (error) {
		if (isStopping) {
			return;
		}

		stop.uninstall();
		await close();
		throw error;
	}

	if (settings.RESUME_DAEMON) {
		void main!.daemon.start();
	}

	const uptime = Math.round(performance.now());
	const addresses = {inspector: `${server.url}/inspector`, docs: `${server.url}/docs`, interface: `${server.url}/openapi.json`};
	const shown = isTerminal ? Object.entries(addresses).map(([name, address]) => `\n  ${name.padEnd(10)} ${address}`).join('') : '';
	logger.info({host: settings.HOST, port: server.port, kernel: identityOptions.kernel.name, model: settings.EMBEDDING_MODEL, uptime, addresses}, `ready at ${server.url} after ${uptime} ms, ${describeExposure(settings.HOST, options)}${shown}`);
};
