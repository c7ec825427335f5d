/**
 * Sends the frames of the machines to an inspector over WebSocket, in the protocol of `@statelyai/inspect`: one frame per
 * message, as a JSON object. Texts are never sent.
 *
 * A broken connection is reopened with growing delays, and resumes after the last event sent. If the buffer no longer
 * reaches back that far, the frames of all present actors follow.
 */
import {unrefTimers, type Timers} from '../platform/clock.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {wait, withSignal} from '../platform/waiting.ts';
import {isMachineFrameType, machineFrameTypes} from '../wire/event-types.ts';
import type {Inspection} from './inspection.ts';

/** Options of {@link connectInspector}. */
export type InspectorConnectOptions = {
	/** The timers for reconnecting. @default timers that do not keep the program alive */
	timers?: Timers;
	/** Called when a connection opens, breaks, or cannot be opened. @default undefined */
	onChange?: (isConnected: boolean) => void;
};

/** The delay before reconnecting doubles from the minimum to the maximum. */
const minReconnectMs = 1000;
const maxReconnectMs = 30_000;

/** With more unsent bytes, the inspector is too slow: the connection is closed and reopened. */
const maxBacklogBytes = 8 * 2 ** 20;

/**
 * Connects to an inspector, now and whenever the connection breaks. Returns a function that disconnects.
 *
 * @throws {ConfigurationError} when the address is not a `ws:` or `wss:` URL
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {connectInspector, createInspection} from 'processual-state/inspection';
 *
 * const inspection = createInspection({actor: createIdentity().actor});
 * const disconnect = connectInspector('ws://127.0.0.1:8080', inspection);
 * disconnect();
 * ```
 */
export const connectInspector = (
	address: string, inspection: Inspection, {timers = unrefTimers, onChange}: InspectorConnectOptions = {},
): (() => void) => {
	const url = parseAddress(address);
	const filter = {types: new Set<string>(machineFrameTypes), contents: false, history: true};
	const over = new AbortController();
	let lastSent: string | null = null;
	let reconnectMs = minReconnectMs;

	/** Opens a connection, and waits until it ends. */
	const holdConnection = async (): Promise<void> => {
		const socket = new WebSocket(url);
		const {promise: ended, resolve: end} = Promise.withResolvers<void>();
		// Machines are observed only while watched. Without this watch, frames before the connection opens would be lost.
		let stopWatching = inspection.watch({...filter, after: lastSent}, () => {});

		socket.addEventListener('open', () => {
			reconnectMs = minReconnectMs;
			onChange?.(true);
			stopWatching();
			stopWatching = inspection.watch({...filter, after: lastSent}, ({id, type, json}) => {
				if (socket.bufferedAmount > maxBacklogBytes) {
					socket.close();
				}

				if (socket.readyState === WebSocket.OPEN && isMachineFrameType(type)) {
					socket.send(json);
					lastSent = id;
				}
			});
		});
		socket.addEventListener('close', () => end());
		// Every error is followed by a close, except in Node 22, where a refused connection stays in CONNECTING.
		socket.addEventListener('error', () => {
			if (socket.readyState === WebSocket.CONNECTING) {
				end();
			}
		});
		try {
			await withSignal(ended, over.signal);
		} finally {
			stopWatching();
			socket.close();
		}
	};

	const keepConnected = async (): Promise<never> => {
		for (;;) {
			await holdConnection();
			onChange?.(false);
			await wait(reconnectMs, timers, over.signal);
			reconnectMs = Math.min(reconnectMs * 2, maxReconnectMs);
		}
	};

	keepConnected().catch((error: unknown) => {
		if (!over.signal.aborted) {
			throw error;
		}
	});
	return () => over.abort();
};

const parseAddress = (address: string): URL => {
	const url = URL.canParse(address) ? new URL(address) : null;
	// A WebSocket has no part after a “#”, not even an empty one, which `hash` does not show.
	if ((url?.protocol !== 'ws:' && url?.protocol !== 'wss:') || url.href.includes('#')) {
		throw new ConfigurationError(`The inspector's address “${address}” is not a WebSocket URL: give one like ws://127.0.0.1:8080.`);
	}

	return url;
};
