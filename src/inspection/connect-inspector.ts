/**
 * Feeds an inspector that speaks the WebSocket protocol of `@statelyai/inspect`: one frame of
 * the machines, as a JSON object, for each message.
 *
 * The connection is kept up, with growing pauses between tries. After a break it goes on behind
 * the last event that was sent, as far back as the buffered past reaches; where that is not far
 * enough, the living actors come anew. Texts are never sent.
 */
import {ConfigurationError} from '../errors.ts';
import {unrefTimers, type Timers} from '../clock.ts';
import {isMachineFrameType, machineFrameTypes} from './event-types.ts';
import type {Inspection} from './inspection.ts';

/** How to wait, and whom to tell. */
export type ConnectOptions = {
	timers?: Timers;
	/** Hears of every connection that stands, and of every one that broke or could not be had. */
	onChange?: (isConnected: boolean) => void;
};

/** Milliseconds between two tries: twice as long each time, up to the longest. */
const shortestPause = 1000;
const longestPause = 30_000;

/** Bytes under way to an inspector that does not read them; with more, the connection is begun anew. */
const backlogLimit = 8 * 2 ** 20;

/**
 * Connects to an inspector, now and whenever the connection breaks. Returns what ends it.
 *
 * @throws {ConfigurationError} when the address is no WebSocket's
 */
export const connectInspector = (address: string, inspection: Inspection, {timers = unrefTimers, onChange}: ConnectOptions = {}): (() => void) => {
	const url = webSocketUrl(address);
	const wish = {types: new Set<string>(machineFrameTypes), contents: false, history: true};
	let lastSent: string | null = null;
	let pause = shortestPause;
	let timer: unknown;

	/** Tries once, and again when that has come to its end. Returns what ends it before. */
	const connect = (): (() => void) => {
		const socket = new WebSocket(url);
		let isEnded = false;
		// What happens until the connection stands is in the past by then, but only if somebody watches.
		let stopWatching = inspection.watch({...wish, after: lastSent}, () => {});

		socket.addEventListener('open', () => {
			pause = shortestPause;
			onChange?.(true);
			stopWatching();
			stopWatching = inspection.watch({...wish, after: lastSent}, ({id, type, json}) => {
				if (socket.bufferedAmount > backlogLimit) {
					socket.close();
				}

				if (socket.readyState === WebSocket.OPEN && isMachineFrameType(type)) {
					socket.send(json);
					lastSent = id;
				}
			});
		});
		const end = () => {
			stopWatching();
			if (!isEnded) {
				isEnded = true;
				onChange?.(false);
				timer = timers.setTimeout(() => {
					disconnect = connect();
				}, pause);
				pause = Math.min(pause * 2, longestPause);
			}
		};

		socket.addEventListener('close', end);
		// A close follows upon every error, but in Node 22, which leaves a connection that cannot be had as if it were still on its way.
		socket.addEventListener('error', () => {
			if (socket.readyState === WebSocket.CONNECTING) {
				end();
			}
		});
		return () => {
			stopWatching();
			if (!isEnded) {
				isEnded = true;
				socket.close();
			}
		};
	};

	let disconnect = connect();
	return () => {
		timers.clearTimeout(timer);
		disconnect();
	};
};

const webSocketUrl = (address: string): URL => {
	const url = URL.canParse(address) ? new URL(address) : null;
	if (url?.protocol !== 'ws:' && url?.protocol !== 'wss:') {
		throw new ConfigurationError(`The inspector's address “${address}” is no WebSocket's: give one like ws://127.0.0.1:8080.`);
	}

	return url;
};
