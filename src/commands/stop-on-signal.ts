/** How a command that serves stops: on a signal, or after an error that nothing caught. */
import closeWithGrace from 'close-with-grace';
import type {Logger} from 'pino';
import {systemTime} from '../platform/clock.ts';
import type {Settings} from './settings.ts';

/** Code cannot continue after these: a listener might never return, and some runtimes reject one. */
const fatalSignals: closeWithGrace.Signals[] = ['SIGILL', 'SIGBUS', 'SIGFPE', 'SIGSEGV'];

const askingSignals = ['SIGINT', 'SIGTERM'] as const;

/** Until then a second one is the first again: a shell's `timeout` signals the process and its group, as `npx` does. */
const secondAfterMs = 1000;

export type Stopping = {
	readonly hasBegun: boolean;
	/** Leaves signals to Node again. */
	uninstall(): void;
};

/** Runs `stop` once, for the settings' time at most, and ends the process then. */
export const stopOnSignal = ({SHUTDOWN_SECONDS}: Settings, logger: Logger, stop: () => Promise<void>): Stopping => {
	let begunAt: number | null = null;
	let asking: NodeJS.Signals | undefined;
	const options = {delay: SHUTDOWN_SECONDS * 1000, logger, skip: [...fatalSignals, ...askingSignals]};
	const grace = closeWithGrace(options, async ({signal = asking, err}) => {
		begunAt = systemTime.elapsed();
		if (err) {
			logger.fatal({err}, 'uncaught error; stopping');
		}

		logger.info(signal ? `stopping on ${signal}` : 'stopping');
		await stop();
		logger.info('stopped');
	});

	const ask = (signal: NodeJS.Signals): void => {
		if (begunAt === null) {
			asking = signal;
			// Ends the process.
			void grace.close();
		} else if (systemTime.elapsed() - begunAt >= secondAfterMs) {
			logger.error(`second ${signal}, exiting`);
			process.exit(1);
		}
	};

	for (const signal of askingSignals) {
		process.on(signal, ask);
	}

	return {
		get hasBegun() {
			return begunAt !== null;
		},
		uninstall() {
			grace.uninstall();
			for (const signal of askingSignals) {
				process.off(signal, ask);
			}
		},
	};
};

/**
 * Runs what makes a service ready. Where it fails, `close` frees what it held, unless a stop does so already.
 *
 * @returns whether the service is ready; a boot that a stop ended is not
 * @throws what failed the boot
 */
export const bootUnlessStopped = async (
	stopping: Stopping,
	{boot, close}: Record<'boot' | 'close', () => Promise<void>>,
): Promise<boolean> => {
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
