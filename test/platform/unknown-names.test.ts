/** Misspelled names are refused with the nearest one: no option is silently ignored. */
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {createClient, connectIdentity} from '../../src/client/index.ts';
import {findWithoutEffect} from '../../src/commands/read-settings.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import type {Identity} from '../../src/identity/identity.ts';
import {ConfigurationError, InputError, ProcessualError} from '../../src/platform/errors.ts';
import {fromAiSdk} from '../../src/embedding/from-ai-sdk.ts';
import {createEmbeddedHost} from '../../src/host/embedded-host.ts';
import {createHttp} from '../../src/http/create-http.ts';
import {listen} from '../../src/http/server.ts';
import {Questions} from '../../src/instruments/past/questions.ts';
import {createSqliteJournal, openJournals} from '../../src/journal/index.ts';
import {openLanguageModel} from '../../src/language/model-translator.ts';
import {createTelemetry} from '../../src/observe/metrics/telemetry.ts';
import {withIdentity} from '../../src/agents/ai-sdk/with-identity.ts';
import {nearestName} from '../../src/platform/unknown-names.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {fakeIdentity} from '../http/fake-identity.ts';

test('the nearest name has at most one edit in three letters: a deletion, insertion, substitution or transposition', t => {
	const known = ['source', 'metadata', 'model', 'trigger_type', 'id'];
	const given = ['sorce', 'soruce', 'metadat', 'METADATA', 'modle', 'triggerType', 'od', 'colour', '', 'x'.repeat(100_000)];
	t.deepEqual(given.map(name => nearestName(name, known)), [
		'source', 'source', 'metadata', 'metadata', 'model', 'trigger_type', 'id', null, null, null,
	]);
});

const url = 'http://127.0.0.1:9';
const places: Array<[what: string, use: (options: never) => unknown, nearest: string, options: object]> = [
	['createHttp', options => createHttp(fakeIdentity(), options), 'prefix', {prefx: '/a'}],
	['loadEncoder', async options => loadEncoder(options), 'model', {modle: 'openai:bge-m3'}],
	['withIdentity', options => withIdentity(fakeIdentity(), options), 'source', {sorce: 'Ada'}],
	['createEmbeddedHost', options => createEmbeddedHost(options), 'maxLive', {maxLiv: 3}],
	['createClient', options => createClient(options), 'token', {baseUrl: url, tokn: 'secret'}],
	['connectIdentity', options => connectIdentity(options), 'identity', {baseUrl: url, idntity: 'ada'}],
	['listen', async options => listen({handler: async () => {}}, options), 'host', {port: 0, hst: '127.0.0.1'}],
	['createSqliteJournal', options => createSqliteJournal(options), 'content', {folder: 'none', contnet: 'hash'}],
	['openJournals', options => openJournals(options), 'elsewhere', {folder: 'none', elsewere: {}}],
	['Questions', options => new Questions(options), 'maxRunning', {maxRuning: 1}],
	['fromAiSdk', options => fromAiSdk({modelId: 'x', doEmbed: async () => ({embeddings: []})}, options), 'truncate', {trunkate: true}],
	['createTelemetry', options => createTelemetry(() => null, options), 'defaultMetrics', {defaultMetric: true}],
	['openLanguageModel', options => openLanguageModel(options), 'timeoutSeconds', {timeoutSecond: 60}],
];

for (const [what, use, nearest, options] of places) {
	test(`${what} refuses an unknown option, and names the nearest`, async t => {
		const message = new RegExp(
			`^(?:The )?[a-zA-Z ]+ has no option “${Object.keys(options).at(-1)}”; the nearest is “${nearest}”\\. Its options are `,
		);
		await t.throwsAsync(async () => use(options as never), {instanceOf: ConfigurationError, message});
	});
}

test('what-if refuses an unknown field, also in “without”', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	t.teardown(() => identity.dispose());
	await t.throwsAsync(identity.whatIf({witout: {}} as never), {
		instanceOf: InputError,
		message: /no field “witout”; the nearest is “without”/,
	});
	await t.throwsAsync(identity.whatIf({without: {source: ['Ada']}} as never), {
		instanceOf: InputError,
		message: /no field “source”; the nearest is “sources”/,
	});
});

const requests = {
	translate: 'contxt',
	validate: 'noet',
	ledger: 'sinc',
	history: 'pionts',
	diff: 'form',
	drift: 'sicne',
	sources: 'snce',
	scaledProfile: 'lnes',
	fork: 'ta',
};
const asked = {
	translate: 'context',
	validate: 'note',
	ledger: 'since',
	history: 'points',
	diff: 'from',
	drift: 'since',
	sources: 'since',
	scaledProfile: 'lens',
	fork: 'at',
};

for (const [method, misspelled] of Object.entries(requests)) {
	test(`${method} refuses an unknown field, and names the nearest`, async t => {
		const {identity} = await startIdentity({journal: new FakeJournal()});
		t.teardown(() => identity.dispose());
		const message = new RegExp(`has no field “${misspelled}”; the nearest is “${asked[method as keyof typeof asked]}”`);
		await t.throwsAsync(async () => identity[method as 'ledger']({[misspelled]: 1}), {instanceOf: InputError, message});
	});
}

test('a call refuses an unknown option, on a local and a remote identity', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	const remote = connectIdentity({baseUrl: url});
	t.teardown(() => identity.dispose());
	t.teardown(() => remote.dispose());
	const failure = {instanceOf: ConfigurationError, message: /has no option “singal”; the nearest is “signal”/};
	for (const each of [identity, remote]) {
		await t.throwsAsync(each.cycle('The sea.', {singal: 1} as never), failure);
		await t.throwsAsync(each.history({}, {singal: 1} as never), failure);
		t.throws(() => each.events({singal: 1} as never), failure);
	}
});

test('wrong types from JavaScript are refused by name, on a local and a remote identity', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	const remote = connectIdentity({baseUrl: url});
	t.teardown(() => identity.dispose());
	t.teardown(() => remote.dispose());
	const date = new Date();
	const calls: Array<[call: (each: Identity) => Promise<unknown>, message: RegExp]> = [
		[async each => each.cycle(undefined as never), /content of a cycle must be a text/],
		[async each => each.cycle(null as never), /content of a cycle must be a text/],
		[async each => each.dryRun(undefined as never), /content of a cycle must be a text/],
		[async each => each.ledger({since: date} as never), /The field since must be a text or a number, not a Date/],
		[async each => each.ledger(7 as never), /fields of the question “ledger” must be an object/],
		[async each => each.cycle('The sea.', {signal: 7} as never), /option signal must be an AbortSignal/],
	];
	for (const [call, message] of calls) {
		await t.throwsAsync(call(identity), {message, instanceOf: ProcessualError});
		await t.throwsAsync(call(remote), {message, instanceOf: ProcessualError});
	}

	for (const each of [identity, remote]) {
		t.throws(() => each.on('ready', 7 as never), {message: /The listener of the event ready must be a function/});
		t.throws(() => each.on('cycle.dne' as never, () => {}), {message: /no event “cycle\.dne”; the nearest is “cycle\.done”/});
	}
});

test('arguments of wrong types are refused, and the error says what they must be', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	t.teardown(() => identity.dispose());
	const calls: Array<[call: () => Promise<unknown>, message: RegExp]> = [
		[async () => identity.whatIf({without: {sources: 'Ada'}} as never), /The field sources must be a list of texts/],
		[async () => identity.whatIf({without: {sources: [7]}} as never), /The field sources must be a list of texts/],
		[async () => identity.whatIf({add: 'The sea.'} as never), /The field add must be a list of texts/],
		[async () => identity.ledger({direction: 7} as never), /A direction is named by a text such as relational\.trust, not 7/],
		[async () => identity.history({direction: 7} as never), /A direction is named by a text such as relational\.trust, not 7/],
		[async () => identity.records('a' as never, 1), /The argument from of records must be a whole number, not a/],
		[async () => identity.records(1, undefined as never), /The argument count of records must be a whole number, not undefined/],
		[async () => identity.hold({sources: 'Ada', note: 'A test.'} as never), /The field sources must be a list of texts/],
		[async () => identity.validate(undefined as never), /A validation needs a note/],
		[async () => identity.forget(undefined as never), /A forgetting needs a note/],
		[async () => identity.revise(undefined as never), /A revision says/],
		[async () => identity.importText(undefined as never), /saidAt of an import must be one in ISO 8601/],
		[async () => identity.importText({content: 'The sea.', saidAt: new Date()} as never), /ISO 8601.*, not a Date: give its toISOString/],
	];
	for (const [call, message] of calls) {
		await t.throwsAsync(call(), {message, instanceOf: InputError});
	}
});

test('an environment variable that resembles a setting is reported; others are not', t => {
	const environment = {
		EMBEDING_MODEL: 'x',
		AUTH_TOEKN: 'x',
		LOG_LEVEL: 'info',
		HOME: '/',
		PATH: '/',
		USER: 'x',
		TERM: 'x',
		LANG: 'x',
		PWD: '/',
		HOSTNAME: 'x',
		NODE_ENV: 'x',
		PGHOST: 'x',
		EMPTY: '',
	};
	t.deepEqual(findWithoutEffect(environment, false), [
		'EMBEDING_MODEL is not a setting and has no effect; the closest setting is EMBEDDING_MODEL.',
		'AUTH_TOEKN is not a setting and has no effect; the closest setting is AUTH_TOKEN.',
	]);
});

test('a line of the settings file that sets nothing is reported', t => {
	const file = path.join(mkdtempSync(path.join(tmpdir(), 'settings-')), '.env');
	writeFileSync(file, 'AUTH_TOKEN: secret\nexport PORT 80\nDATA_DIR = here\n# LOG_LEVEL debug\nSELF_TOKEN="a\nSELF_TOKEN b"\n');
	t.deepEqual(findWithoutEffect({}, file), ['PORT', 'AUTH_TOKEN'].map(name =>
		`${name} is in ${file} on a line without “=”, which has no effect; write ${name}=….`));
});
