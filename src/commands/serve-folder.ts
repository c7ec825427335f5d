/** `processual serve` with a folder: its identities live in this program. A signal shuts it down. */
import type {Logger} from 'pino';
import type {OpenSources} from './open-sources.ts';
import {toJournalFolder, toJournalsFolder} from './options.ts';
import type {Settings} from './settings.ts';
import {createEmbeddedHost} from '../host/embedded-host.ts';
import {createIdentity, whenReady} from '../identity/create-identity.ts';
import {defaultIdentityName} from '../platform/identity-name.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import type {Journal} from '../journal/journal.ts';
import {openJournals} from '../journal/sqlite/journals.ts';
import {memoizeWeak} from '../platform/memoize-weak.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {shareSources} from './share-sources.ts';
import {reasonOf, UnavailableError} from '../platform/errors.ts';
import type {Http} from '../http/create-http.ts';
import {describeExposure} from './describe-exposure.ts';
import {followWithInspector} from './follow-with-inspector.ts';
import {logIdentity, warnIn} from './logging.ts';
import type {Listener} from './serve.ts';
import {holdFolder} from './service-lock.ts';
import {bootUnlessStopped, stopOnSignal} from './stop-on-signal.ts';
import {toIdentityOptions} from './identity-options.ts';
import {lastAlertsMs, sendAlerts} from './webhook.ts';

/** Starts the service on an open port. */
export const serveFolder = async (settings: Settings, logger: Logger, isTerminal: boolean, {server, opened, options, webhook, loading, abortLoading}: Listener): Promise<void> => {
	const journals = openJournals({
		folder: toJournalsFolder(settings),
		elsewhere: {[defaultIdentityName]: toJournalFolder(settings, defaultIdentityName)},
		content: settings.JOURNAL_CONTENT,
		compaction: {keepRecords: settings.JOURNAL_KEEP_RECORDS, keepDays: settings.JOURNAL_KEEP_DAYS},
		logger,
		onCommit(milliseconds, records) {
			telemetry.observeCommit(milliseconds / 1000, records);
		},
	});
	const [{openSources}, {createTelemetry}, {createInspection}] = await Promise.all([
		import('./open-sources.ts'),
		import('../observe/metrics/telemetry.ts'),
		import('../observe/inspection.ts'),
	]);
	let parts: OpenSources;
	try {
		parts = await openSources(settings);
	} catch (error) {
		await journals.close();
		throw error;
	}

	let letGo: (() => void) | undefined;
	try {
		letGo = holdFolder(settings, server.url);
	} catch (error) {
		logger.warn({err: error}, `Commands in ${settings.DATA_DIR} do not find this service, and ask it where PROCESSUAL_URL is ${server.url}: ${reasonOf(error)}`);
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
		const log = isMain ? logger : logger.child({identity: name});
		const identity = createIdentity({
			...sources,
			...(state && {initialState: state}),
			...identityOptions,
			journal,
			warn: warnIn(log, isMain),
			signal: abortBoot.signal,
		});
		telemetry.observe(identity);
		logIdentity(identity, log);
		if (webhook) {
			sendAlerts(name, identity, webhook);
		}

		if (isMain) {
			main = identity;
			// From now on, so that its history begins with the boot.
			inspectionOf(identity);
		}

		return whenReady(identity);
	};

	const host = createEmbeddedHost({
		defaultName: settings.IDENTITY,
		journals,
		open,
		maxIdentities: settings.MAX_IDENTITIES,
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
		letGo?.();
	};

	let isAccepting = false;
	const stopping = stopOnSignal(settings, logger, async () => {
		const reason = new UnavailableError('The service is stopping.');
		if (!isAccepting) {
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
	});

	let http: Http | undefined;
	let disconnect: (() => void) | undefined;
	/** Also while the threads start. */
	const makeHttp = async (): Promise<Http> => {
		const {createHttp} = await import('../http/create-http.ts');
		http = createHttp(host, {...options, logger, metrics: telemetry, inspector: inspectionOf});
		return http;
	};

	const boot = async (): Promise<void> => {
		const [made] = await Promise.all([makeHttp(), host.place(settings.IDENTITY)]);
		if (stopping.hasBegun) {
			return;
		}

		isAccepting = true;
		opened.resolve(made);
		if (settings.INSPECTOR_URL !== undefined) {
			disconnect = await followWithInspector(settings.INSPECTOR_URL, inspectionOf(main!), logger);
		}
	};

	if (!await bootUnlessStopped(stopping, {boot, close})) {
		return;
	}

	if (settings.RESUME_DAEMON) {
		void main!.daemon.start();
	}

	const uptime = Math.round(performance.now());
	const addresses = {inspector: `${server.url}/inspector`, docs: `${server.url}/docs`, interface: `${server.url}/openapi.json`};
	const shown = isTerminal ? Object.entries(addresses).map(([name, address]) => `\n  ${name.padEnd(10)} ${address}`).join('') : '';
	logger.info({host: settings.HOST, port: server.port, kernel: identityOptions.kernel.name, model: settings.EMBEDDING_MODEL, uptime, addresses}, `ready at ${server.url} after ${uptime} ms, ${describeExposure(settings.HOST, options)}${shown}`);
};
