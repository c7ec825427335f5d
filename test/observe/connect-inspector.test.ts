/** Frames sent to an inspector over WebSocket: to the server of `@statelyai/inspect`, and read by its receiver. */
import {once} from 'node:events';
import {connect, createServer} from 'node:net';
import {Worker} from 'node:worker_threads';
import test, {type ExecutionContext} from 'ava';
import {createWebSocketReceiver} from '@statelyai/inspect';
import {SimulatedClock} from 'xstate';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {createInspection} from '../../src/observe/inspection.ts';
import {connectInspector} from '../../src/observe/connect-inspector.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {findFreePort} from '../helpers/find-free-port.ts';

const serveStately = async (port: number): Promise<Worker> => {
	const worker = new Worker(new URL('stately-server.ts', import.meta.url), {workerData: port});
	await once(worker, 'message');
	return worker;
};

type Frame = Record<string, any>;

/** The frames that an inspector behind the server receives; `until` waits for one. The server replays earlier frames. */
const receive = (port: number) => {
	const frames: Frame[] = [];
	let wake = Promise.withResolvers<void>();
	createWebSocketReceiver({server: `ws://127.0.0.1:${port}`}).subscribe((frame) => {
		frames.push(frame);
		wake.resolve();
		wake = Promise.withResolvers();
	});
	return {
		frames,
		async until(fits: (frame: Frame) => boolean): Promise<Frame> {
			for (;;) {
				const found = frames.find(frame => fits(frame));
				if (found) {
					return found;
				}

				await wake.promise;
			}
		},
	};
};

const start = async (t: ExecutionContext, port: number) => {
	const {identity, clock} = await startIdentity();
	const inspection = createInspection({actor: identity.actor, timers: clock});
	const timers = new SimulatedClock();
	const delays: number[] = [];
	const changes: boolean[] = [];
	let returned = 0;
	let wake = Promise.withResolvers<void>();
	const disconnect = connectInspector(`ws://127.0.0.1:${port}`, inspection, {
		timers: {
			setTimeout(callback, delay) {
				delays.push(delay);
				return timers.setTimeout(callback, delay);
			},
			clearTimeout(timer) {
				timers.clearTimeout(timer as number);
			},
		},
		onChange(isConnected) {
			changes.push(isConnected);
			wake.resolve();
			wake = Promise.withResolvers();
		},
	});
	t.teardown(async () => {
		disconnect();
		inspection.close();
		await identity.dispose();
	});
	return {
		identity,
		inspection,
		clock,
		timers,
		/** Delays between tries, in milliseconds. */
		delays,
		changes,
		disconnect,
		/** The next change of the connection; each is returned once. */
		async changed(): Promise<boolean> {
			while (returned === changes.length) {
				await wake.promise;
			}

			return changes[returned++]!;
		},
	};
};

test('an inspector receives the present actors, then every frame of a cycle', async (t) => {
	const port = await findFreePort();
	const server = await serveStately(port);
	t.teardown(() => server.terminate());
	const {identity, changed} = await start(t, port);
	t.true(await changed());
	const {frames, until} = receive(port);
	await identity.cycle({content: 'my secret'});
	await until(({snapshot}) => snapshot?.value === 'done');
	t.deepEqual(frames.slice(0, 3).map(({type, name}) => [type, name]), [
		['@xstate.actor', 'process'],
		['@xstate.actor', 'resources'],
		['@xstate.actor', 'daemon'],
	]);
	t.true(frames.every(({type}) => ['@xstate.actor', '@xstate.event', '@xstate.snapshot'].includes(type)));
	t.true(frames.every(({rootId, id, _version: version}) => rootId === frames[0]!['sessionId'] && id === null && version === '0.7.2'));
	t.is(frames.filter(({name}) => name === 'cycle-1').length, 1);
	t.like(frames.find(({event}) => event?.type === 'cycle'), {sessionId: frames[0]!['sessionId'], event: {content: '…'}});
});

test('frames from before the connection is open are sent when it opens', async (t) => {
	const port = await findFreePort();
	const server = await serveStately(port);
	t.teardown(() => server.terminate());
	const {identity, changed, changes} = await start(t, port);
	await identity.cycle({content: 'early'});
	t.deepEqual(changes, []);
	await changed();
	const {until} = receive(port);
	t.truthy(await until(({event}) => event?.type === 'cycle'));
	t.truthy(await until(({snapshot}) => snapshot?.value === 'done'));
});

test('after a break the connection is opened again, and resumes where it broke off', async (t) => {
	const port = await findFreePort();
	const first = await serveStately(port);
	const {identity, changed, timers} = await start(t, port);
	t.true(await changed());
	await first.terminate();
	t.false(await changed());
	await identity.cycle({content: 'between'});
	const second = await serveStately(port);
	t.teardown(() => second.terminate());
	timers.increment(1000);
	t.true(await changed());
	const {frames, until} = receive(port);
	await until(({snapshot}) => snapshot?.value === 'done');
	t.is(frames[0]!['event'].type, 'cycle');
	t.is(frames.filter(({event}) => event?.type === 'cycle').length, 2);
});

test('an inspector that reconnects after the grace period receives the present actors', async (t) => {
	const port = await findFreePort();
	const first = await serveStately(port);
	const {identity, changed, timers, clock} = await start(t, port);
	t.true(await changed());
	await first.terminate();
	t.false(await changed());
	clock.increment(15_000);
	identity.daemon.start();
	const second = await serveStately(port);
	t.teardown(() => second.terminate());
	timers.increment(1000);
	t.true(await changed());
	const {frames, until} = receive(port);
	t.like(await until(({name}) => name === 'daemon'), {snapshot: {value: {mode: 'autonomous'}}});
	t.is(frames[0]!['name'], 'process');
});

test('without an inspector, the delays between tries grow to half a minute', async (t) => {
	const {changed, timers, delays} = await start(t, await findFreePort());
	for (let tries = 0; tries < 7; tries++) {
		t.false(await changed());
		timers.increment(delays.at(-1)!);
	}

	t.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('once disconnected, there are no more tries', async (t) => {
	const port = await findFreePort();
	const {changed, timers, disconnect, changes} = await start(t, port);
	await changed();
	disconnect();
	timers.increment(60_000);
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	let connections = 0;
	const seen = new Promise<void>(resolve => {
		server.on('connection', (socket) => {
			connections++;
			socket.destroy();
			resolve();
		});
	});
	connect(port, '127.0.0.1');
	await seen;
	server.close();
	t.is(connections, 1);
	t.deepEqual(changes, [false]);
});

test('an address that is not a WebSocket URL is rejected, with an example of one that is', async (t) => {
	const {identity} = await startIdentity();
	const inspection = createInspection({actor: identity.actor});
	for (const address of ['http://127.0.0.1:8080', '127.0.0.1:8080', '', 'ws://127.0.0.1:8080/#frames', 'ws://127.0.0.1:8080/#']) {
		const error = t.throws(() => connectInspector(address, inspection), {instanceOf: ConfigurationError});
		t.true(error.message.includes(`“${address}”`));
		t.true(error.message.includes('ws://127.0.0.1:8080'));
	}
});
