/**
 * A program in which one process lives and is disposed of. It prints what of it can be seen outside of it before,
 * during and after, and must then end by itself.
 */
import path from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {LocalIdentity} from 'processual-state';

export type Life = 'own' | 'bundled' | 'journal' | 'http';

const [, , life, folder] = process.argv;

type Begun = {identity: LocalIdentity; end: () => Promise<void>};

const nothing = async (): Promise<void> => {};

/** The package is loaded when the life begins, so that what loading it leaves is seen too. */
const beginnings: Record<Life, () => Promise<Begun>> = {
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
				// What was closed goes in turns of the event loop; what is not never goes.
				while (process.getActiveResourcesInfo().some(handle => handle.startsWith('TCP'))) {
					await setImmediate();
				}
			},
		};
	},
};

// They open when they are first looked at.
const emitters = {process, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr};

const look = () => ({
	listeners: Object.fromEntries(Object.entries(emitters).map(([name, emitter]) => [
		name,
		Object.fromEntries(emitter.eventNames().map(event => [String(event), emitter.listenerCount(event)])),
	])),
	globals: Reflect.ownKeys(globalThis).map(String),
	handles: process.getActiveResourcesInfo(),
});

// Node's fetch leaves what it works with among the globals at its first use.
await fetch('data:,');

const before = look();
const {identity, end} = await beginnings[life as Life]();
await identity.ready();
await identity.cycle({content: 'The sea is quiet today.'});
identity.profile();
identity.daemon.start();
const during = look();
await end();
await identity.drain();
await identity.dispose();
console.log(JSON.stringify({before, during, after: look()}));
