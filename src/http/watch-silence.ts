/** Distinguishes a slow node from an unreachable one: when the network breaks, a connection stays open but silent. */
import type {Timers} from '../platform/clock.ts';
import {wait} from '../platform/waiting.ts';

/** The silence after which a node is probed, and the time that the probe may take. */
export const maxSilenceMs = 2000;

/** Probes a node that has not answered yet, on a separate connection, because the first may be cut. */
export const watchSilence = (url: string, timers: Timers, onSilence: () => void): {end: () => void} => {
	const over = new AbortController();
	const isThere = async (): Promise<boolean> => fetch(`${url}/livez`, {
		headers: {connection: 'close'}, signal: AbortSignal.any([over.signal, AbortSignal.timeout(maxSilenceMs)]),
	}).then(({ok}) => ok, () => false);

	const watch = async (): Promise<void> => {
		do {
			await wait(maxSilenceMs, timers, over.signal);
		} while (await isThere());

		over.signal.throwIfAborted();
		onSilence();
	};

	watch().catch(() => {
		// It was ended.
	});
	return {end: () => over.abort()};
};
