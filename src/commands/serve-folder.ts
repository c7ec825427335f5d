/** `processual serve` with a folder: its identities live in this program. A signal shuts it down. */
import path from 'node:path';
import type {Logger} from 'pino';
import {createEmbeddedHost, type EmbeddedHost} from '../host/embedded-host.ts';
import type {Http} from '../http/create-http.ts';
import {createIdentity, whenReady} from '../identity/create-identity.ts';
import type {LocalIdentity} from '../identity/identity.ts';
import {openJournals} from '../journal/sqlite/journals.ts';
import {ConfigurationError, orUndo, reasonOf, UnavailableError} from '../platform/errors.ts';
import {defaultIdentityName} from '../platform/identity-name.ts';
import {classifyFailure} from '../platform/sqlite/failure.ts';
import {lendSources, toIdentityOptions} from './identity-options.ts';
import {warnIn} from './logging.ts';
import {askRows, createObservers, type Observers} from './observe-identities.ts';
import {requireNoOther} from './open-journal.ts';
import {toJournalFolder, toJournalOptions, toJournalsFolder, toKeys} from './options.ts';
import {describeExposure, type OpenPort} from './serve.ts';
import {holdFolder} from './service-lock.ts';
import type {Settings} from './settings.ts';
import {bootUnlessStopped, stopOnSignal} from './stop-on-signal.ts';
import {lastAlertsMs} from './webhook.ts';

export const serveFolder = async (settings: Settings, logger: Logger, isTerminal: boolean, port: OpenPort): Promise<void> => {
	const {server, opened, options, webhook, loading, abortLoading} = port;
	requireNoOther(settings);
	const release = hold(settings, server.url, logger);
	const folder = await orUndo(async () => openFolder(settings, logger, port), release);
	const {host, main} = folder;
	webhook?.resume();
	let http: Http | undefined;
	let disconnect: (() => void) | undefined;
	let isAccepting = false;

	const close = async (): Promise<void> => {
		http?.close();
		disconnect?.();
		await folder.observers.close();
		await host[Symbol.asyncDispose]();
		await (await loading.catch(() => null))?.dispose();
		await folder.parts[Symbol.asyncDispose]();
		release();
	};

	const stopping = stopOnSignal(settings, logger, async () => {
		const reason = new UnavailableError('The service is stopping.');
		if (!isAccepting) {
			folder.abortBoot.abort(reason);
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

	/** Runs while the threads start. */
	const makeHttp = async (): Promise<void> => {
		const {createHttp} = await import('../http/create-http.ts');
		http = createHttp(host, {...options, ...folder.observers.ofHttp});
	};

	const boot = async (): Promise<void> => {
		await Promise.all([makeHttp(), host.place(settings.IDENTITY)]);
		if (stopping.hasBegun) {
			return;
		}

		isAccepting = true;
		opened.resolve(http!);
		if (settings.INSPECTOR_URL !== undefined) {
			disconnect = await folder.observers.follow(settings.INSPECTOR_URL, main()!);
		}
	};

	if (await bootUnlessStopped(stopping, {boot, close})) {
		if (settings.RESUME_DAEMON) {
			void main()!.daemon.start();
		}

		logReady(settings, logger, {...port, kernel: folder.kernel, isTerminal});
	}
};

const openFolder = async (settings: Settings, logger: Logger, {webhook, loading}: OpenPort) => {
	/** Null until they are made. The main identity is for requests without a name. */
	let [opened, host, main] = [null as Observers | null, null as EmbeddedHost | null, null as LocalIdentity | null];
	const journals = openJournals({
		folder: toJournalsFolder(settings),
		elsewhere: {[defaultIdentityName]: toJournalFolder(settings, defaultIdentityName)},
		keys: toKeys(settings),
		...toJournalOptions(settings, {logger, onCommit: (...commit) => opened?.onCommit(...commit)}),
	});
	return orUndo(async () => {
		const [{openSources}, observers] = await Promise.all([
			import('./open-sources.ts'),
			createObservers({logger, webhook, main: () => main, fleet: async request => askRows(host, request)}),
		]);
		const identityOptions = toIdentityOptions(settings);
		const parts = await openSources(settings);
		const sources = lendSources(parts.sources, loading);
		const abortBoot = new AbortController();
		opened = observers;
		host = createEmbeddedHost({
			defaultName: settings.IDENTITY,
			journals,
			async open(name, journal, {state} = {}) {
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
				observers.observe(name, identity, log);
				if (isMain) {
					main = identity;
					// Created now, so that its history begins with the boot.
					observers.ofHttp.inspector(identity);
				}

				return whenReady(identity);
			},
			maxIdentities: settings.MAX_IDENTITIES,
			maxLive: settings.MAX_LIVE,
			idleMs: settings.IDLE_SECONDS * 1000,
			fleetFile: path.join(settings.DATA_DIR, 'fleet.sqlite'),
			warn: warning => logger.warn(warning),
		});
		return {host, main: () => main, observers, parts, abortBoot, kernel: identityOptions.kernel.name};
	}, journals.close);
};

/**
 * Locks the folder. If it cannot be written, serves it anyway, and warns how commands find the service.
 *
 * @returns a function that unlocks it
 * @throws {ConfigurationError} if another service has the folder, even one with another IDENTITY: they would share its files
 */
const hold = (settings: Settings, url: string, logger: Logger): () => void => {
	try {
		return holdFolder(settings, url);
	} catch (error) {
		if (classifyFailure(error) === 'busy') {
			throw new ConfigurationError(`The folder ${settings.DATA_DIR} is in use by another service, which can hold many identities. `
				+ 'Stop that service, or configure another folder (DATA_DIR).', {cause: error});
		}

		// Without the error, whose stack would bury the reason. If nothing can be written to the folder, the start soon says so.
		logger.warn(`Commands in ${settings.DATA_DIR} cannot find this service; set PROCESSUAL_URL to ${url} for them: ${reasonOf(error)}`);
		return () => {};
	}
};

const logReady = (
	settings: Settings, logger: Logger, {server, options, kernel, isTerminal}: OpenPort & {kernel: string; isTerminal: boolean},
): void => {
	const uptime = Math.round(performance.now());
	const addresses = {inspector: `${server.url}/inspector`, docs: `${server.url}/docs`, interface: `${server.url}/openapi.json`};
	const shown = isTerminal ? Object.entries(addresses).map(([name, address]) => `\n  ${name.padEnd(10)} ${address}`).join('') : '';
	logger.info(
		{host: settings.HOST, port: server.port, kernel, model: settings.EMBEDDING_MODEL, uptime, addresses},
		`ready at ${server.url} after ${uptime} ms, ${describeExposure(settings.HOST, options)}${shown}`,
	);
};
