/**
 * `processual mcp`: an MCP server on standard input and output, for a client that starts this program. It opens the
 * settings' identity in this program or, with PROCESSUAL_URL, connects to a service's. The protocol takes standard
 * output, so the log goes to standard error.
 */
import {setImmediate} from 'node:timers/promises';
import type {Logger} from 'pino';
import {unrefTimers} from '../platform/clock.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {JournalError, MovedError, reasonOf, UnknownIdentityError, withErrors} from '../platform/errors.ts';
import {createIdentity} from '../identity/create-identity.ts';
import type {Identity} from '../identity/identity.ts';
import {serveStdio} from '../agents/mcp/transports.ts';
import {waitAtMost} from '../platform/waiting.ts';
import {connectTo, speakingOwnWords, toServiceElsewhere} from './connect-to.ts';
import {toIdentityOptions} from './identity-options.ts';
import {logIdentity, warnIn} from './logging.ts';
import {isInUse, noIdentityError, requireNoOther} from './open-journal.ts';
import {openSources} from './open-sources.ts';
import {toEmbeddingOptions} from './options.ts';
import {showingDownloads} from './progress.ts';
import {requireReadableFiles} from './setting-files.ts';
import type {Settings} from './settings.ts';
import {stopOnSignal} from './stop-on-signal.ts';
import {tuneV8} from './tune-v8.ts';

/** An identity that can be asked at once, though it may be booting. */
type Opened = {
	identity: Identity;
	/** Resolves when it is ready. @throws the error of a failed boot */
	ready: () => Promise<unknown>;
	/** Waits for calls under way, then disposes of it. */
	close: () => Promise<void>;
};

/** Adds to the error of a failed boot what the user of this command can do. */
const withWayOut = (error: unknown, settings: Settings): unknown => {
	if (error instanceof UnknownIdentityError) {
		return noIdentityError(settings);
	}

	return error instanceof MovedError || isInUse(error)
		? new JournalError(`${reasonOf(error)} To share the identity between programs, run processual serve, `
			+ 'and set PROCESSUAL_URL to its address.', {cause: error})
		: error;
};

const openHere = async (settings: Settings, logger: Logger): Promise<Opened> => {
	requireReadableFiles(settings);
	requireNoOther(settings);
	const stores = await openSources(settings);
	const identity = createIdentity({
		encoder: async ({signal}) => showingDownloads(logger, false, async onProgress =>
			loadEncoder(toEmbeddingOptions(settings), {onProgress, signal})),
		...stores.sources,
		...toIdentityOptions(settings, {logger}),
		drainTimeoutMs: settings.SHUTDOWN_SECONDS * 1000,
		warn: warnIn(logger),
	});
	logIdentity(identity, logger);
	return {
		identity,
		async ready() {
			await withErrors(async () => identity.ready(), error => withWayOut(error, settings));
			tuneV8();
			if (settings.RESUME_DAEMON) {
				identity.daemon.start();
			}
		},
		async close() {
			await identity[Symbol.asyncDispose]();
			await stores[Symbol.asyncDispose]();
		},
	};
};

/** The service may be started later; until then the tools answer that it cannot be reached. */
const openAfar = (baseUrl: string, settings: Settings): Opened => {
	const service = toServiceElsewhere(settings, baseUrl);
	const identity = speakingOwnWords(connectTo(service, settings), service);
	return {identity, ready: async () => {}, close: async () => identity[Symbol.asyncDispose]()};
};

/** Serves until the client closes the input or a signal arrives. @throws the error of a failed boot */
export const runMcp = async (settings: Settings, logger: Logger): Promise<void> => {
	const {identity, ready, close} = settings.PROCESSUAL_URL === undefined
		? await openHere(settings, logger)
		: openAfar(settings.PROCESSUAL_URL, settings);
	const booted = ready();
	// Handled here, because it may reject before the race below begins, or after the client has gone.
	const settled = booted.catch(() => {});
	const server = await serveStdio(identity, {input: process.stdin, output: process.stdout, ready: booted, warn: warning => {
		logger.warn(warning);
	}});
	const stopping = stopOnSignal(settings, logger, async () => {
		server.close();
		await close();
	});
	try {
		// The client's first message is answered without waiting for the model.
		await Promise.race([booted, server.gone]);
		await server.gone;
		// Requests from before the client went are answered: they wait for the boot, and start one turn later.
		await waitAtMost(settled, settings.SHUTDOWN_SECONDS * 1000, unrefTimers);
		await setImmediate();
	} finally {
		stopping.uninstall();
		server.close();
		await close();
	}
};
