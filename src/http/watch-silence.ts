/** Tells a node that is slow from one that is cut off: a connection of a network that broke stays open, and says nothing. */
import type {Timers} from '../platform/clock.ts';

/** How long a node may be silent before it is asked whether it is there, and then until it says so. */
export const maxSilenceMs = 2000;

/** Asks a node that has not answered yet whether it is there, on a connection of its own: the other one may be cut. */
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
