/**
 * A program that creates and disposes of one identity. It prints the listeners, globals and handles of the process
 * before, during and after, and must then exit by itself.
 */
import path from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {LocalIdentity} from 'processual-state';

export type Kind = 'own' | 'bundled' | 'journal' | 'http';

const [, , kind, folder] = process.argv;

type Begun = {identity: LocalIdentity; end: () => Promise<void>};

const nothing = async (): Promise<void> => {};

/** The package is loaded here, so that what loading it leaves is printed too. */
const beginnings: Record<Kind, () => Promise<Begun>> = {
	async own() {
		const {begin} = await import('../runtimes/journey.ts');
		return {identity: begin({}), end: nothing};
	},
	async bundled() {
		const {createIdentity} = await import('processual-state');
		return {identity: createIdentity(), end: nothing};
	},
	async journal() {
		const [{begin}, {createSqliteJournal}] = await Promise.all([import('../runtimes/journey.ts'), import('processual-state/journal')]);
		return {identity: begin({journal: createSqliteJournal({folder: path.join(folder!, 'journal')})}), end: nothing};
	},
	async http() {
		const [{begin}, {createHttp, listen}] = await Promise.all([import('../runtimes/journey.ts'), import('processual-state/http')]);
		const identity = begin({});
		const http = createHttp(identity, {rateLimit: {requests: 100, seconds: 60}, inspector: true});
		const server = await listen(http, {host: '127.0.0.1', port: 0});
		await identity.ready();
		for (const place of ['state', 'metrics', 'inspector', 'docs']) {
			await (await fetch(`${server.url}/${place}`, {headers: {connection: 'close'}})).arrayBuffer();
		}

		return {
			identity,
			async end() {
				http.close();
				await server.close();
				// Closed handles disappear within turns of the event loop; open ones never do.
				while (process.getActiveResourcesInfo().some(handle => handle.startsWith('TCP'))) {
					await setImmediate();
				}
			},
		};
	},
};

// Node opens them at their first use.
const emitters = {process, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr};

const observe = () => ({
	listeners: Object.fromEntries(Object.entries(emitters).map(([name, emitter]) => [
		name,
		Object.fromEntries(emitter.eventNames().map(event => [String(event), emitter.listenerCount(event)])),
	])),
	globals: Reflect.ownKeys(globalThis).map(String),
	handles: process.getActiveResourcesInfo(),
});

// Node's fetch adds globals at its first use.
await fetch('data:,');

const before = observe();
const {identity, end} = await beginnings[kind as Kind]();
await identity.ready();
await identity.cycle({content: 'The sea is quiet today.'});
identity.profile();
identity.daemon.start();
const during = observe();
await end();
await identity.drain();
await identity.dispose();
console.log(JSON.stringify({before, during, after: observe()}));
