/**
 * Runs in Node, Deno and Bun, from an installed package: prints the outcome of each part as JSON,
 * with all bits. Its argument is the folder to work in. It must exit by itself.
 */
import path from 'node:path';
import {createIdentity, type LocalIdentity} from 'processual-state';
import {connectIdentity, createClient} from 'processual-state/client';
import {loadEncoder} from 'processual-state/embedding';
import {createHttp, listen} from 'processual-state/http';
import {createSqliteJournal, JournalReader} from 'processual-state/journal';
import {selectKernel} from 'processual-state/kernel';
import {templateTranslator} from 'processual-state/language';
import {openSqliteStore} from 'processual-state/store';
import {begin, digestOf, encoder, journey} from './journey.ts';

const folder = process.argv[2]!;

const withJournal = async (name: string): Promise<LocalIdentity> => {
	const identity = begin({kernel: selectKernel('wasm'), journal: createSqliteJournal({folder: path.join(folder, name)})});
	await identity.ready();
	return identity;
};

/** Serves an identity over HTTP with all pages. @returns its address, and a function that ends it */
const serve = async () => {
	const identity = begin({kernel: selectKernel('wasm'), translator: async () => templateTranslator});
	await identity.ready();
	const http = createHttp(identity, {maxBodyBytes: 2000, validateResponses: true, inspector: true});
	const server = await listen(http, {host: '127.0.0.1', port: 0});
	const end = async () => {
		const closed = server.close();
		await identity.drain();
		http.close();
		await closed;
		await identity.dispose();
	};

	return {url: server.url, end};
};

const parts = {
	'in memory, with the WebAssembly kernel': async () => journey('wasm'),
	'in memory, with the TypeScript kernel': async () => journey('js'),
	'the kernel that is chosen': async () => selectKernel().name,

	async 'the bundled model'() {
		const model = await loadEncoder();
		const vectors = [await model.embed('The sea is quiet today.'), await model.embed('I am not sure that I can trust you.')];
		await model.dispose();
		return {model: model.passport.model.startsWith('bundled:'), vectors: vectors.map(vector => [...vector])};
	},

	async 'an identity without options'() {
		const identity = createIdentity();
		const report = await identity.ready();
		const {stateId} = await identity.cycle({content: 'The sea is quiet today.'});
		const {directionsCount} = identity.profile();
		await identity.dispose();
		return {stateId, directionsCount, warnings: report.flatMap(({warnings}) => warnings)};
	},

	async 'a journal in SQLite'() {
		const first = await withJournal('journal');
		await Promise.all(Array.from({length: 30}, async (_, index) => first.cycle({content: `Thought ${index}.`, metadata: {index}})));
		const before = await digestOf(first);
		await first.dispose();

		const second = await withJournal('journal');
		const after = await digestOf(second);
		const refused = await withJournal('journal').catch((error: Error) => error.name);
		await second.cycle({content: 'Let us go on.'});
		await second.dispose();

		const reader = new JournalReader(path.join(folder, 'journal'));
		const {records} = reader;
		reader.close();
		return {before, isRestored: before === after, refused, records};
	},

	async 'a store in SQLite'() {
		const store = openSqliteStore(path.join(folder, 'store.sqlite'));
		const thoughts = await Promise.all(['The sea is quiet.', 'I am calm.'].map(async content => ({
			type: null,
			content,
			model: encoder.passport.model,
			vector: await encoder.embed(content),
		})));
		const written = await store.write({thoughts});
		const again = await store.write({thoughts});
		const kept = (await store.thoughts(10)).map(({content}) => content);
		const [nearest] = await store.nearestThoughts(thoughts[0]!.vector, {limit: 1});
		await store.close();
		return {written, again, kept, nearest: [...nearest!]};
	},

	async 'requests over HTTP'() {
		const {url, end} = await serve();
		const client = createClient({baseUrl: url});
		const post = async (body: string, type = 'application/json') => {
			const response = await fetch(`${url}/cycle`, {method: 'POST', headers: {'content-type': type}, body});
			return {status: response.status, type: response.headers.get('content-type'), text: await response.text()};
		};

		const statusOf = async (place: string, init?: RequestInit) => {
			const response = await fetch(url + place, init);
			await response.arrayBuffer();
			return response.status;
		};

		const {id: _, processingTimeMs: __, ...cycle} = await client.cycle({content: 'The sea is quiet today.'});
		const outcomes = {
			cycle,
			state: await client.state(),
			vigilance: await client.vigilance(),
			profile: await client.profile(),
			translation: await client.translate({}),
			blank: await post('{"content": "  "}'),
			broken: await post('{"content": '),
			foreign: await post('content', 'text/plain'),
			large: await post(JSON.stringify({content: 'a'.repeat(3000)})),
			statuses: await Promise.all([
				'/livez', '/readyz', '/docs', '/docs/swagger-ui.css', '/inspector', '/inspector/main.js', '/nowhere', '/cycle',
			].map(async place => [place, await statusOf(place)])),
			started: (await client.daemonStart()).status,
			stopped: (await client.daemonStop()).status,
			reset: await client.reset(),
			metrics: (await (await fetch(`${url}/metrics`, {headers: {accept: 'text/plain'}})).text()).includes('processual_cycles_total'),
		};
		await end();
		return outcomes;
	},

	async 'a service that has ended'() {
		const {url, end} = await serve();
		await end();
		return connectIdentity({baseUrl: url}).cycle('The sea is quiet today.').catch((error: Error) => error.name);
	},

	async 'events over HTTP'() {
		const {url, end} = await serve();
		const client = createClient({baseUrl: url});
		const seen: string[] = [];
		for await (const {type} of client.events({types: ['state', 'cycle.done']})) {
			seen.push(type);
			if (seen.length === 1) {
				await client.cycle({content: 'The sea is quiet today.'});
			} else if (type === 'cycle.done') {
				break;
			}
		}

		// A stream that is still open when the server ends.
		const open = client.events({types: ['state']});
		await open.next();
		await end();
		await open.return();
		return seen;
	},
};

const outcomes: Record<string, unknown> = {};
for (const [part, run] of Object.entries(parts)) {
	try {
		outcomes[part] = await run();
	} catch (error) {
		outcomes[part] = {failed: (error as Error).stack};
	}
}

console.log(JSON.stringify(outcomes));
