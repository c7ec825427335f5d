/** What a misspelled name most likely means, and that no option is ignored in silence. */
import test from 'ava';
import {createClient, connectIdentity} from '../../src/client/index.ts';
import {findMisspelled} from '../../src/commands/read-settings.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {ConfigurationError, InputError} from '../../src/platform/errors.ts';
import {createEmbeddedHost} from '../../src/host/embedded-host.ts';
import {createHttp} from '../../src/http/create-http.ts';
import {withIdentity} from '../../src/agents/ai-sdk/with-identity.ts';
import {nearestName} from '../../src/platform/unknown-names.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {fakeIdentity} from '../http/fake-identity.ts';

test('the nearest name has one slip in three letters at most: one left out, put in, replaced, or exchanged', t => {
	const known = ['source', 'metadata', 'model', 'trigger_type', 'id'];
	const given = ['sorce', 'soruce', 'metadat', 'METADATA', 'modle', 'triggerType', 'od', 'colour', '', 'x'.repeat(100_000)];
	t.deepEqual(given.map(name => nearestName(name, known)), ['source', 'source', 'metadata', 'metadata', 'model', 'trigger_type', 'id', null, null, null]);
});

const url = 'http://127.0.0.1:9';
const places: Array<[what: string, use: (options: never) => unknown, nearest: string, options: object]> = [
	['createHttp', options => createHttp(fakeIdentity(), options), 'prefix', {prefx: '/a'}],
	['loadEncoder', async options => loadEncoder(options), 'model', {modle: 'openai:bge-m3'}],
	['withIdentity', options => withIdentity(fakeIdentity(), options), 'source', {sorce: 'Ada'}],
	['createEmbeddedHost', options => createEmbeddedHost(options), 'maxLive', {maxLiv: 3}],
	['createClient', options => createClient(options), 'token', {baseUrl: url, tokn: 'secret'}],
	['connectIdentity', options => connectIdentity(options), 'identity', {baseUrl: url, idntity: 'ada'}],
];

for (const [what, use, nearest, options] of places) {
	test(`${what} refuses an unknown option, and names the nearest`, async t => {
		const message = new RegExp(`^The [a-z]+ has no option “${Object.keys(options).at(-1)}”; the nearest is “${nearest}”\\. Its options are `);
		await t.throwsAsync(async () => use(options as never), {instanceOf: ConfigurationError, message});
	});
}

test('what-if refuses an unknown field, and one of what is left out', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	t.teardown(() => identity.dispose());
	await t.throwsAsync(identity.whatIf({witout: {}} as never), {instanceOf: InputError, message: /no field “witout”; the nearest is “without”/});
	await t.throwsAsync(identity.whatIf({without: {source: ['Ada']}} as never), {instanceOf: InputError, message: /no field “source”; the nearest is “sources”/});
});

test('a name in the environment that resembles a setting is named; names of others are not', t => {
	const environment = {EMBEDING_MODEL: 'x', AUTH_TOEKN: 'x', LOG_LEVEL: 'info', HOME: '/', PATH: '/', USER: 'x', TERM: 'x', LANG: 'x', PWD: '/', HOSTNAME: 'x', NODE_ENV: 'x', PGHOST: 'x', EMPTY: ''};
	t.deepEqual(findMisspelled(environment, false), [
		'EMBEDING_MODEL is no setting, and has no effect; the nearest is EMBEDDING_MODEL.',
		'AUTH_TOEKN is no setting, and has no effect; the nearest is AUTH_TOKEN.',
	]);
});
