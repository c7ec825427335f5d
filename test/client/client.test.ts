import {readFile} from 'node:fs/promises';
import {stripTypeScriptTypes} from 'node:module';
import test from 'ava';
import {connectIdentity, createClient, ClientError, type Client, type InvalidField} from '../../src/client/index.ts';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {errorResponses} from '../../src/http/schemas/errors.ts';
import {routesFor} from '../../src/http/routes.ts';
import {events as eventsOperation} from '../../src/http/routes/events.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {serve} from '../http/service.ts';
import {fakeIdentity} from '../http/fake-identity.ts';
import {serveWhole} from './served.ts';

/** The methods for a service with many identities. */
const ofHost = ['createIdentity', 'fleet', 'identities', 'putAside'] as const;

/** One call of every other method; of the stream, its first event. */
const calls: Record<Exclude<keyof Client, (typeof ofHost)[number]>, (client: Client) => Promise<unknown>> = {
	health: client => client.health(),
	cycle: client => client.cycle({content: 'The sea is quiet today.', trigger: 'veille', metadata: {source: 'notebook'}}),
	dryRun: client => client.dryRun({content: 'The sea is quiet today.'}),
	whatIf: client => client.whatIf({without: {sources: ['notebook']}, add: ['The sea is quiet today.']}),
	translate: client => client.translate({context: 'A letter.'}),
	state: client => client.state(),
	tensor: client => client.tensor(),
	vigilance: client => client.vigilance(),
	metrics: client => client.metrics(),
	daemonStatus: client => client.daemonStatus(),
	daemonStart: client => client.daemonStart(),
	daemonStop: client => client.daemonStop(),
	profile: client => client.profile(),
	scaledProfile: client => client.scaledProfile({lens: 'thirdness'}),
	ledger: client => client.ledger({by: 'source', limit: 5}),
	history: client => client.history({points: 10}),
	diff: client => client.diff({from: 0}),
	drift: client => client.drift(),
	sources: client => client.sources({since: 0}),
	uptake: client => client.uptake({since: 0}),
	livez: client => client.livez(),
	readyz: client => client.readyz(),
	openapi: client => client.openapi(),
	// The service refuses, since there are too few texts.
	validate: client => client.validate({note: 'As it is.'}).catch(({status}: ClientError) => status),
	revise: client => client.revise({note: 'Not theirs.', without: {sources: ['notebook']}}),
	hold: client => client.hold({note: 'Not theirs.', sources: ['notebook']}),
	forget: client => client.forget({note: 'A request.', sources: ['notebook']}),
	revisions: client => client.revisions(),
	held: client => client.held(),
	// The service refuses, since no text is held.
	releaseHeld: client => client.releaseHeld({ids: ['a']}).catch(({status}: ClientError) => status),
	dropHeld: client => client.dropHeld({ids: ['a']}).catch(({status}: ClientError) => status),
	reset: client => client.reset(),
	async events(client) {
		const events = client.events();
		await events.next();
		await events.return(undefined);
	},
};

test('every route and the stream have a method, and every method a route', async t => {
	const {client, asked} = await serveWhole(t, {identity: {journal: new FakeJournal()}});
	for (const call of Object.values(calls)) {
		await call(client);
	}

	t.deepEqual(Object.keys(client).toSorted(), [...Object.keys(calls), ...ofHost].toSorted());
	t.deepEqual(
		asked.toSorted(),
		[...routesFor({isInspected: true}), eventsOperation].map(({method, path}) => `${method} ${path}`).toSorted(),
	);
});

test('the methods return the service’s responses', async t => {
	const {client} = await serveWhole(t);
	const {stateId, isChoc} = await client.cycle({content: 'A first thought.'});
	t.is(stateId, 1);
	t.is(typeof isChoc, 'boolean');
	t.is((await client.health()).stateId, 1);
	t.is((await client.state()).dimensions.firstness.length, 10);
	t.is((await client.profile()).profile['affective']!['calm_agitated']!.polePositive, 'calm');
	t.regex((await client.translate()).text, /calm/);

	const begun = await client.daemonStart();
	t.is(begun.status === 'started' && begun.config.cycleIntervalSeconds, 864);
	t.true((await client.daemonStatus()).daemonRunning);
	t.is((await client.daemonStop()).status, 'stopped');
	t.deepEqual(await client.reset(), {status: 'ok', stateId: 0});
});

test('a refused request throws an error that names the invalid field', async t => {
	const {client} = await serveWhole(t);
	const error = await t.throwsAsync(client.cycle({content: ' '}), {instanceOf: ClientError});
	t.is(error.status, 422);
	t.deepEqual((error.detail as InvalidField[]).map(({loc}) => loc), [['body', 'content']]);
	t.regex(error.message, /^body\.content: /);
	t.is(error.retryAfter, null);
});

test('an invalid field has the properties of its schema', t => {
	const field: Required<InvalidField> = {type: 'missing', loc: ['body', 'content'], msg: 'Field required', input: {}, ctx: {}};
	const {properties} = errorResponses(422)[422] as unknown as {properties: {detail: {items: {properties: object}}}};
	t.deepEqual(Object.keys(properties.detail.items.properties), Object.keys(field));
});

test('the error of a busy service has the time until a retry', async t => {
	const {client, encoder} = await serveWhole(t, {identity: {maxPendingCycles: 1}});
	const held = encoder.hold('slow');
	const first = client.cycle({content: 'slow'});
	while (!encoder.asked.includes('slow')) {
		await client.health();
	}

	const error = await t.throwsAsync(client.cycle({content: 'more'}), {instanceOf: ClientError});
	t.is(error.status, 429);
	t.is(error.retryAfter, 1);
	t.is(typeof error.detail, 'string');
	held.resolve();
	t.is((await first).stateId, 1);
});

test('the error for too many translations has the time until a retry', async t => {
	const asked = Promise.withResolvers<void>();
	const held = Promise.withResolvers<void>();
	const {client} = await serveWhole(t, {identity: {
		maxPendingTranslations: 1,
		translator: async () => ({
			async translate() {
				asked.resolve();
				await held.promise;
				return {text: 'I am calm.', reasoningDetected: false};
			},
		}),
	}});
	const first = client.translate();
	await asked.promise;
	const error = await t.throwsAsync(client.translate(), {instanceOf: ClientError});
	t.is(error.status, 429);
	t.is(error.retryAfter, 5);
	held.resolve();
	t.is((await first).text, 'I am calm.');
});

test('an error has the service’s message', async t => {
	const {client} = await serveWhole(t, {identity: {translator: async () => null}});
	const error = await t.throwsAsync(client.translate(), {instanceOf: ClientError});
	t.is(error.status, 503);
	t.is(error.message, 'Translator is unavailable: no language model is configured.');
});

test('the error of a proxy has its status', async t => {
	const client = createClient({baseUrl: 'http://service.example', fetch: async () => new Response('<h1>Bad gateway</h1>', {status: 502})});
	const error = await t.throwsAsync(client.health(), {instanceOf: ClientError});
	t.is(error.status, 502);
	t.is(error.detail, 'The service answered with status 502.');
});

for (const detail of [['No such tenant.'], [null], [{msg: 'No such tenant.'}], {reason: 'No such tenant.'}]) {
	test(`the error of another service is one by its status: ${JSON.stringify(detail)}`, async t => {
		const options = {baseUrl: 'http://service.example', fetch: async () => Response.json({detail}, {status: 400})};
		const message = 'The service answered with status 400.';
		await t.throwsAsync(createClient(options).health(), {instanceOf: ClientError, message});
		await t.throwsAsync(Promise.resolve(connectIdentity(options).health()), {instanceOf: ConfigurationError, message});
	});
}

const noObjects = [new Response('<h1>Welcome</h1>'), ...[null, [1], 'Welcome', 5].map(value => Response.json(value))];
for (const response of noObjects) {
	test(`a successful response that is not a JSON object is an error that says so: ${noObjects.indexOf(response)}`, async t => {
		const client = createClient({baseUrl: 'http://service.example', fetch: async () => response});
		await t.throwsAsync(client.health(), {instanceOf: ClientError, message: /not JSON/});
	});
}

test('a client and a connection without options say what they need', t => {
	for (const make of [createClient, connectIdentity] as Array<() => unknown>) {
		t.throws(() => make(), {instanceOf: ConfigurationError, message: /^baseUrl must be a plain http or https address/});
	}
});

test('the token is sent with every request', async t => {
	const token = 'a-long-secret';
	const {client, url} = await serveWhole(t, {app: {token}, client: {token}});
	t.is((await client.state()).stateId, 0);
	const error = await t.throwsAsync(createClient({baseUrl: url}).state(), {instanceOf: ClientError});
	t.is(error.status, 401);
});

test('a token that no request can carry is refused at once', t => {
	for (const make of [createClient, connectIdentity]) {
		for (const token of ['“quoted”', 'two words', 'a\nb', 'clé']) {
			t.throws(() => make({baseUrl: 'http://service.example', token}), {instanceOf: ConfigurationError, message: /^token must be/});
		}
	}
});

test('the base URL may have a path prefix and a trailing slash', async t => {
	for (const baseUrl of ['https://app.example/identity', 'https://app.example/identity/', new URL('https://app.example/identity/')]) {
		const asked: string[] = [];
		const client = createClient({
			baseUrl,
			async fetch(input) {
				asked.push(String(input));
				return Response.json({status: 'ok'});
			},
		});
		await client.livez();
		t.deepEqual(asked, ['https://app.example/identity/livez']);
	}
});

for (const baseUrl of [
	'nonsense', '127.0.0.1:8100', 'ftp://service.example', 'http://me:secret@service.example',
	'http://service.example?key=secret', undefined,
]) {
	test(`the base URL ${baseUrl} is refused at once, without secrets in the error`, t => {
		for (const make of [createClient, connectIdentity]) {
			t.throws(() => make({baseUrl: baseUrl!}), {
				instanceOf: ConfigurationError,
				message: /^baseUrl must be a plain http or https address(?!.*secret)/,
			}, make.name);
		}
	});
}

const withRequest = [
	'translate', 'state', 'tensor', 'whatIf', 'scaledProfile', 'ledger', 'history', 'diff', 'drift', 'sources', 'uptake', 'held',
	'releaseHeld', 'dropHeld',
] as const;
const takesRequest = (name: keyof Client): name is typeof withRequest[number] => (withRequest as readonly string[]).includes(name);

for (const name of Object.keys(calls).filter(each => each !== 'events') as Array<Exclude<keyof typeof calls, 'events'>>) {
	test(`${name} can be aborted`, async t => {
		const client = createClient({
			baseUrl: 'http://service.example',
			fetch: async (_input, init) => new Promise((_resolve, reject) => {
				init!.signal!.addEventListener('abort', () => {
					reject(init!.signal!.reason);
				});
			}),
		});
		const leaving = new AbortController();
		const options = {signal: leaving.signal};
		const body = {content: 'slow', note: 'As it is.'};
		const call = name === 'cycle' || name === 'dryRun' || name === 'validate' || name === 'revise' || name === 'hold' || name === 'forget'
			? client[name](body, options)
			: (takesRequest(name) ? client[name]({}, options) : client[name](options));
		const reason = new Error('enough');
		leaving.abort(reason);
		t.is(await t.throwsAsync(call), reason);
	});
}

test('aborting a translation cancels it in the service', async t => {
	const begun = Promise.withResolvers<AbortSignal>();
	const identity = fakeIdentity({
		translate: async (_request: object, {signal}: {signal: AbortSignal}) => {
			begun.resolve(signal);
			return new Promise((_resolve, reject) => {
				signal.addEventListener('abort', () => {
					reject(signal.reason);
				});
			});
		},
	});
	const {url} = await serve(t, identity);
	const leaving = new AbortController();
	const call = createClient({baseUrl: url}).translate({}, {signal: leaving.signal});
	const signal = await begun.promise;
	leaving.abort();
	await t.throwsAsync(call, {name: 'AbortError'});
	await new Promise<void>(resolve => {
		if (signal.aborted) {
			resolve();
		} else {
			signal.addEventListener('abort', () => {
				resolve();
			});
		}
	});
	t.true(signal.aborted);
});

test('the clients import only files that need no particular platform', async t => {
	const folder = new URL('../../src/', import.meta.url).href;
	const rooms = [
		'client/',
		'generated/asked-names.ts',
		'generated/rows.ts',
		'identity/',
		'kernel/dimensions.ts',
		'wire/',
		'instruments/source-of.ts',
		...['clock', 'errors', 'phrase', 'plain-line', 'server-access', 'unknown-names', 'waiting'].map(name => `platform/${name}.ts`),
	];
	const read = new Set<string>();
	const waiting = [`${folder}client/index.ts`];
	for (let file = waiting.pop(); file; file = waiting.pop()) {
		read.add(file);
		const code = stripTypeScriptTypes(await readFile(new URL(file), 'utf8')).replaceAll(/\/\*.*?\*\//gs, '');
		for (const [, name] of code.matchAll(/(?:^(?:import|export)\b[^'"]*?\bfrom\s*|^import\s*|\bimport\(\s*)['"]([^'"]+)['"]/gm)) {
			const imported = new URL(name!, file).href;
			t.true(rooms.some(room => imported.startsWith(folder + room)), `${name} in ${file}`);
			if (!read.has(imported)) {
				waiting.push(imported);
			}
		}
	}

	t.true(read.size > 2);
});
