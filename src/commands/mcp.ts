/**
 * `processual mcp`: the Model Context Protocol on the standard streams, for a client that starts this program. It has
 * an identity of the settings in this program, or with PROCESSUAL_URL the one of a service. The output is the
 * protocol's, so the log goes to the error stream.
 */
import {setImmediate} from 'node:timers/promises';
import type {Logger} from 'pino';
import {unrefTimers} from '../platform/clock.ts';
import {loadEncoder} from '../embedding/load-encoder.ts';
import {JournalError, MovedError, reasonOf, UnknownIdentityError} from '../platform/errors.ts';
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
import {showDownloads} from './progress.ts';
import {requireReadableFiles} from './setting-files.ts';
import type {Settings} from './settings.ts';
import {stopOnSignal} from './stop-on-signal.ts';
import {tuneV8} from './tune-v8.ts';

/** An identity that is there from now on, and may be booting. */
type Opened = {
	identity: Identity;
	/** Resolves when it can work. @throws what failed the boot */
	ready: () => Promise<unknown>;
	/** Completes what is under way, and frees it. */
	close: () => Promise<void>;
};

/** What a user of this command can do about a boot that failed. */
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
		encoder: async ({signal}) => loadEncoder(toEmbeddingOptions(settings), {onProgress: showDownloads(logger, false), signal}),
		...stores.sources,
		...toIdentityOptions(settings, {logger}),
		drainTimeoutMs: settings.SHUTDOWN_SECONDS * 1000,
		warn: warnIn(logger),
	});
	logIdentity(identity, logger);
	return {
		identity,
		async ready() {
			try {
				await identity.ready();
			} catch (error) {
				throw withWayOut(error, settings);
			}

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

/** A service may be started later: until then the tools say that it cannot be reached. */
const openAfar = (baseUrl: string, settings: Settings): Opened => {
	const service = toServiceElsewhere(settings, baseUrl);
	const identity = speakingOwnWords(connectTo(service, settings), service);
	return {identity, ready: async () => {}, close: async () => identity[Symbol.asyncDispose]()};
};

/** Serves until the client closes the input, or a signal comes. @throws what failed the boot */
export const runMcp = async (settings: Settings, logger: Logger, version: string): Promise<void> => {
	const {identity, ready, close} = settings.PROCESSUAL_URL === undefined
		? await openHere(settings, logger)
		: openAfar(settings.PROCESSUAL_URL, settings);
	const booted = ready();
	// It may fail before the race below listens, and after the client has gone.
	const settled = booted.catch(() => {});
	const server = await serveStdio(identity, {version, input: process.stdin, output: process.stdout, ready: booted, warn: warning => {
		logger.warn(warning);
	}});
	const stopping = stopOnSignal(settings, logger, async () => {
		server.close();
		await close();
	});
	try {
		// A client waits for the answer to its first message, and not for the model.
		await Promise.race([booted, server.gone]);
		await server.gone;
		// What was asked before the client went is answered: it waits for the start, and is under way a turn later.
		await waitAtMost(settled, settings.SHUTDOWN_SECONDS * 1000, unrefTimers);
		await setImmediate();
	} finally {
		stopping.uninstall();
		server.close();
		await close();
	}
};
