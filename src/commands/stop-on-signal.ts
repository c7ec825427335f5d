/** How a command that serves stops: on a signal, or after an error that nothing caught. And how V8 is tuned for it. */
import closeWithGrace from 'close-with-grace';
import type {Logger} from 'pino';
import {systemTime} from '../platform/clock.ts';
import type {Settings} from './settings.ts';
import {setFlagsFromString} from 'node:v8';

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

/**
 * Tunes V8 for a service. A flag holds for the whole operating-system process, so only the service sets it, not the library.
 * Resident after 1,500 cycles one by one with the bundled encoder: 170 MB with both flags and 194 without, for the same
 * processor time.
 *
 * Call it when the service is ready: Node keeps compiled code of Node's modules for the flags that it was built
 * with. After a change it compiles from source what is still to load: 35 ms for a thread, 16 ms for `node:http`, a
 * sixth of a start.
 */
export const tuneV8 = (): void => {
	// V8 takes XState's objects of a cycle for long-lived: in the old space they keep young ones until a full collection.
	setFlagsFromString('--no-allocation-site-pretenuring');
	// The compiler between the quick one and the best leaves 20 to 30 MB in the threads that compile.
	setFlagsFromString('--no-maglev');
};
