/** Stops a serving command on a signal or after an uncaught error. */
import type {Logger} from 'pino';
import {systemTime} from '../platform/clock.ts';
import type {Settings} from './settings.ts';

/** Signals that ask a process to end. After the others, code cannot continue: a listener might never return. */
const askingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

/** A second signal before this is a duplicate: a shell's `timeout`, like `npx`, signals the process and its group. */
const secondAfterMs = 1000;

/** Runs `stop` once, for at most SHUTDOWN_SECONDS, then ends the process. */
export const stopOnSignal = ({SHUTDOWN_SECONDS}: Settings, logger: Logger, stop: () => Promise<void>) => {
	const deadlineMs = SHUTDOWN_SECONDS * 1000;
	let begunAt: number | null = null;
	const end = async (code: number, signal?: NodeJS.Signals): Promise<never> => {
		begunAt = systemTime.elapsed();
		setTimeout(() => {
			logger.error(`killed by timeout (${deadlineMs}ms)`);
			process.exit(1);
		}, deadlineMs);
		logger.info(signal ? `stopping on ${signal}` : 'stopping');
		try {
			await stop();
		} catch (error) {
			logger.error(error);
			process.exit(1);
		}

		logger.info('stopped');
		process.exit(code);
	};

	const listeners = {
		ask(signal: NodeJS.Signals): void {
			if (begunAt === null) {
				void end(0, signal);
			} else if (systemTime.elapsed() - begunAt >= secondAfterMs) {
				logger.error(`second ${signal}, exiting`);
				process.exit(1);
			}
		},
		fail(err: unknown): void {
			if (begunAt !== null) {
				logger.error({err}, 'second error, exiting');
				process.exit(1);
			}

			logger.fatal({err}, 'uncaught error; stopping');
			void end(1);
		},
		leave(): void {
			if (begunAt === null) {
				void end(0);
			}
		},
	};
	const events = [
		...askingSignals.map(signal => [signal, listeners.ask] as const),
		['uncaughtException', listeners.fail], ['unhandledRejection', listeners.fail], ['beforeExit', listeners.leave],
	] as const;
	for (const [event, listener] of events) {
		process.on(event, listener as () => void);
	}

	return {
		get hasBegun() {
			return begunAt !== null;
		},
		/** Removes the handlers, which leaves signals to Node again. */
		uninstall() {
			for (const [event, listener] of events) {
				process.off(event, listener as () => void);
			}
		},
	};
};

/**
 * Runs a service's boot. If it fails, `close` frees the resources, unless a stop is already doing so.
 *
 * @returns whether the service is ready; a boot that a stop ended is not
 * @throws the error of a failed boot
 */
export const bootUnlessStopped = async (
	stopping: ReturnType<typeof stopOnSignal>,
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
