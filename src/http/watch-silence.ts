/** Distinguishes a slow node from an unreachable one: when the network breaks, a connection stays open but silent. */
import type {Timers} from '../platform/clock.ts';

/** The silence after which a node is probed, and the time that the probe may take. */
export const maxSilenceMs = 2000;

/** Probes a node that has not answered yet, on a separate connection, because the first may be cut. */
export const watchSilence = (url: string, timers: Timers, onSilence: () => void): {end: () => void} => {
	const over = new AbortController();
	let timer: unknown;
	const ask = async (): Promise<void> => {
		try {
			const {ok} = await fetch(`${url}/livez`, {
				headers: {connection: 'close'}, signal: AbortSignal.any([over.signal, AbortSignal.timeout(maxSilenceMs)]),
			});
			schedule(ok);
		} catch {
			schedule(false);
		}
	};

	const schedule = (isThere: boolean): void => {
		if (!over.signal.aborted) {
			if (isThere) {
				timer = timers.setTimeout(() => void ask(), maxSilenceMs);
			} else {
				onSilence();
			}
		}
	};

	schedule(true);
	return {
		end() {
			over.abort();
			timers.clearTimeout(timer);
		},
	};
};
