/** How a command that serves stops: on a signal, or after an error that nothing caught. */
import closeWithGrace from 'close-with-grace';
import type {Logger} from 'pino';
import type {Settings} from './settings.ts';

/** Code cannot continue after these: a listener might never return, and some runtimes reject one. */
const fatalSignals: closeWithGrace.Signals[] = ['SIGILL', 'SIGBUS', 'SIGFPE', 'SIGSEGV'];

export type Stopping = {
	/** Whether the stop has begun. */
	readonly hasBegun: boolean;
	/** Leaves signals to Node again. */
	uninstall(): void;
};

/** Runs `stop` once, for the settings' time at most, and ends the process then. */
export const stopOnSignal = ({SHUTDOWN_SECONDS}: Settings, logger: Logger, stop: () => Promise<void>): Stopping => {
	let hasBegun = false;
	const {uninstall} = closeWithGrace({delay: SHUTDOWN_SECONDS * 1000, logger, skip: fatalSignals}, async ({signal, err}) => {
		hasBegun = true;
		if (err) {
			logger.fatal({err}, 'uncaught error; stopping');
		}

		logger.info(signal ? `stopping on ${signal}` : 'stopping');
		await stop();
		logger.info('stopped');
	});
	return {
		get hasBegun() {
			return hasBegun;
		},
		uninstall,
	};
};

/**
 * Runs what makes a service ready. Where it fails, `close` frees what it held, unless a stop does so already.
 *
 * @returns whether the service is ready; a boot that a stop ended is not
 * @throws what failed the boot
 */
export const bootUnlessStopped = async (stopping: Stopping, {boot, close}: {boot: () => Promise<void>; close: () => Promise<void>}): Promise<boolean> => {
	try {
		await boot();
	} catch (error) {
		if (!stopping.hasBegun) {
			stopping.uninstall();
			await close();
			throw error;
		}
	}

	return !stopping.hasBegun;
};
