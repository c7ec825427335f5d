import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {toGuardOptions, toHttpOptions, toJournalOptions, toLoopConfig, toWebhookOptions} from '../../src/commands/options.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {toFlag} from '../../src/commands/setting-options.ts';
import {Settings} from '../../src/commands/settings.ts';
import {checkCompaction, nextBlock} from '../../src/journal/journal-options.ts';

const read = (given: Record<string, unknown>, environment: Record<string, string> = {}) => readSettings(given, environment, false);

test('without settings, the defaults apply', t => {
	const settings = read({});
	t.like(settings, {HOST: '0.0.0.0', PORT: 8100, DATA_DIR: '.processual', KERNEL: 'auto', LOG_LEVEL: 'info'});
	t.deepEqual(toLoopConfig(settings), {cycleIntervalSeconds: 864, probRuminationFree: 0.5, probCorpus: 0.3, probUnresolved: 0.2});
});

test('every origin is allowed unless some are listed', t => {
	t.is(toHttpOptions(read({})).cors, '*');
	t.is(toHttpOptions(read({}, {ALLOWED_ORIGINS: ' * '})).cors, '*');
	t.deepEqual(toHttpOptions(read({}, {ALLOWED_ORIGINS: 'https://a.example, https://b.example'})).cors, [
		'https://a.example', 'https://b.example',
	]);
	t.deepEqual(toHttpOptions(read({}, {ALLOWED_ORIGINS: 'null,chrome-extension://abc,http://localhost:3000'})).cors, [
		'null', 'chrome-extension://abc', 'http://localhost:3000',
	]);
});

for (const wrong of ['app.example', 'https://app.example/', 'https://app.example/chat', '*, https://app.example', 'https://*.example']) {
	test(`the list of origins “${wrong}” is refused, because no browser sends such an origin`, t => {
		t.throws(() => read({}, {ALLOWED_ORIGINS: wrong}), {message: /ALLOWED_ORIGINS needs origins as browsers send them, such as https:/});
	});
}

test('the limits of bodies come from the settings', t => {
	t.like(toHttpOptions(read({})), {maxBodyBytes: 2 ** 20, maxMetadataBytes: 2 ** 16, maxPendingBytes: 2 ** 26});
	t.like(toHttpOptions(read({}, {BODY_LIMIT: '2000', METADATA_LIMIT: '100', QUEUE_BYTES: '5000'})), {
		maxBodyBytes: 2000,
		maxMetadataBytes: 100,
		maxPendingBytes: 5000,
	});
});

test('the command line overrides the environment, and the environment overrides .env', async t => {
	const file = path.join(await mkdtemp(path.join(tmpdir(), 'settings-')), '.env');
	await writeFile(file, 'PORT=1\nHOST=from.file\nLOG_LEVEL=warn\n');
	t.like(readSettings({PORT: '3'}, {PORT: '2', HOST: 'from.environment'}, file), {PORT: 3, HOST: 'from.environment', LOG_LEVEL: 'warn'});
});

test('a folder on the command line has priority over the address of a service that is not', t => {
	const elsewhere = {PROCESSUAL_URL: 'http://there:8100'};
	t.is(read({DATA_DIR: 'here'}, elsewhere).PROCESSUAL_URL, undefined);
	t.is(read({DATA_DIR: 'here', ...elsewhere}).PROCESSUAL_URL, 'http://there:8100');
	t.is(read({}, {DATA_DIR: 'here', ...elsewhere}).PROCESSUAL_URL, 'http://there:8100');
});

test('the guard holds no texts unless one of its rules is set', t => {
	t.deepEqual(toGuardOptions(read({})), {
		named: false, echoes: undefined, weight: undefined, strangers: false, unread: false, expireDays: undefined,
	});
	const given = {
		GUARD_NAMED: 'true', GUARD_ECHOES: '5', GUARD_WEIGHT: '0.2', GUARD_STRANGERS: 'true', GUARD_UNREAD: 'true', GUARD_EXPIRE_DAYS: '30',
	};
	t.deepEqual(toGuardOptions(read({}, given)), {named: true, echoes: 5, weight: 0.2, strangers: true, unread: true, expireDays: 30});
});

test('alerts are sent only if a receiver and a secret are set', t => {
	const secret = `whsec_${'A'.repeat(32)}`;
	t.is(toWebhookOptions(read({})), null);
	t.is(toWebhookOptions(read({}, {ALERT_WEBHOOK_SECRET: secret})), null);
	t.deepEqual(toWebhookOptions(read({}, {ALERT_WEBHOOK_URL: 'https://example.org/alerts', ALERT_WEBHOOK_SECRET: secret})), {
		url: 'https://example.org/alerts',
		secret,
	});
	t.throws(() => toWebhookOptions(read({}, {ALERT_WEBHOOK_URL: 'https://example.org/alerts'})), {
		code: 'configuration',
		message: /^ALERT_WEBHOOK_URL needs ALERT_WEBHOOK_SECRET/,
	});
});

test('an empty value counts as absent', async t => {
	t.is(read({}, {PORT: ''}).PORT, 8100);
	const file = path.join(await mkdtemp(path.join(tmpdir(), 'settings-')), '.env');
	await writeFile(file, 'PORT=\nHOST=\n');
	t.like(readSettings({}, {}, file), {PORT: 8100, HOST: '0.0.0.0'});
});

test('settings of other programs are ignored', t => {
	t.false('HOME' in read({}, {HOME: '/root'}));
});

test('a list of locales that the system keeps in LANGUAGE is ignored', t => {
	for (const locales of ['en_US:en', 'fr_FR', 'de:en']) {
		t.is(read({}, {LANGUAGE: locales}).LANGUAGE, 'en');
	}

	t.is(read({}, {LANGUAGE: 'fr'}).LANGUAGE, 'fr');
	t.throws(() => read({LANGUAGE: 'fr_FR'}, {}), {message: /LANGUAGE must be one of en, fr, not "fr_FR"/});
});

const wrong = test.macro({
	exec(t, settings: Record<string, string>, message: RegExp) {
		t.throws(() => read({}, settings), {code: 'configuration', message});
	},
	title: (_, settings) => `${JSON.stringify(settings)} is refused with the setting's name`,
});

test(wrong, {PORT: 'ninety'}, /: PORT must be a whole number from 0 to 65535, not "ninety"\. See/);
test(wrong, {PORT: '70000'}, /PORT must be .* to 65535, not 70000\./);
test(wrong, {KERNEL: 'gpu'}, /KERNEL must be one of auto, wasm, js, not "gpu"/);
test(wrong, {LOG_LEVEL: 'loud'}, /LOG_LEVEL must be one of .*silent, not "loud"/);
test(wrong, {CYCLE_INTERVAL_SECONDS: '0'}, /CYCLE_INTERVAL_SECONDS must be a number above 0, at most 2000000, not 0\./);
test(wrong, {PROB_CORPUS: '1.5'}, /PROB_CORPUS must be a number from 0 to 1, not 1\.5/);
test(wrong, {PROB_CORPUS: '0.4'}, /PROB_RUMINATION_FREE, PROB_CORPUS and PROB_UNRESOLVED must sum to 1, not to 1\.1/);
test(wrong, {AUTH_TOKEN: 'one-token-for-everyone', PEER_TOKEN: 'one-token-for-everyone'}, /PEER_TOKEN must differ from AUTH_TOKEN/);
test(wrong, {SELF_TOKEN: 'the-token-of-the-agent'}, /SELF_TOKEN needs an AUTH_TOKEN that differs/);
test(wrong, {AUTH_TOKEN: 'one-token-for-everyone', SELF_TOKEN: 'one-token-for-everyone'}, /SELF_TOKEN needs an AUTH_TOKEN that differs/);
test(wrong, {ADVERTISED_URL: 'http://10.0.0.7:8100/state'}, /ADVERTISED_URL must be an address without a path/);
test(wrong, {ADVERTISED_URL: 'http://10.0.0.7:8100?a=b'}, /ADVERTISED_URL must be an address without a path/);
test(wrong, {SHUTDOWN_SECONDS: '2000001'}, /SHUTDOWN_SECONDS must be .* to 2000000/);
test(wrong, {EMBEDDING_TIMEOUT_SECONDS: '1e7'}, /EMBEDDING_TIMEOUT_SECONDS must be .* at most 2000000/);
test(wrong, {EMBEDDING_CACHE_SIZE: '1e9'}, /EMBEDDING_CACHE_SIZE must be a whole number from 0 to 1000000, not 1000000000\./);
test(wrong, {LLM_TIMEOUT_SECONDS: '1e7'}, /LLM_TIMEOUT_SECONDS must be .* at most 2000000/);
test(wrong, {PORT: '0x10'}, /: PORT must be a whole number .*, not "0x10"\. See/);
test(wrong, {PORT: ' '}, /PORT must be a whole number/);
test(wrong, {BODY_LIMIT: '2000.5'}, /BODY_LIMIT must be a whole number of at least 2, not 2000\.5/);
test(wrong, {REQUIRE_STORE: 'yes'}, /REQUIRE_STORE must be true or false, not "yes"/);
test(wrong, {AUTH_TOKEN: 'too-short'}, /: AUTH_TOKEN needs at least 16 characters; this one has 9\. See/);
test(wrong, {AUTH_TOKEN: 'sixteen letters and blanks'}, /AUTH_TOKEN needs visible ASCII characters without blanks/);
test(wrong, {AUTH_TOKEN: 'sechzehn-Zeichen-für-alle'}, /AUTH_TOKEN needs visible ASCII characters/);
test(wrong, {ALERT_WEBHOOK_URL: 'example.org'}, /ALERT_WEBHOOK_URL needs an http or https address/);
test(
	wrong,
	{ALERT_WEBHOOK_URL: 'https://me:secret@example.org'},
	/: ALERT_WEBHOOK_URL needs an http or https address without a name and a password\. See/,
);
test(
	wrong,
	{ALERT_WEBHOOK_SECRET: 'c2hvcnQ='},
	/: ALERT_WEBHOOK_SECRET needs at least 24 bytes in base64; .*: openssl rand -base64 32\. See/,
);
test(wrong, {INSPECTOR_URL: 'foo'}, /INSPECTOR_URL needs the address of a WebSocket, such as ws:/);
test(wrong, {INSPECTOR_URL: 'http://127.0.0.1:8080'}, /INSPECTOR_URL needs/);
test(wrong, {INSPECTOR_URL: 'ws://127.0.0.1:8080/#part'}, /INSPECTOR_URL needs/);

const isNumeric = ([, schema]: [string, object]): boolean => ['number', 'integer'].includes((schema as {type?: string}).type ?? '');

for (const [name] of Object.entries(Settings.properties).filter(isNumeric)) {
	for (const value of ['Infinity', '-Infinity', '1e999']) {
		test(wrong, {[name]: value}, new RegExp(`${name} must be a (?:whole )?number.*, not "${value}"`));
	}
}

test('the error for a wrong token does not show it', t => {
	const {message} = t.throws(() => read({}, {AUTH_TOKEN: 'geheim für immer'}))!;
	t.notRegex(message, /geheim/);
});

test('a .env file that cannot be read is an error', t => {
	t.throws(() => readSettings({}, {}, tmpdir()), {
		code: 'configuration',
		message: /^The settings in .* cannot be read: EISDIR.*\. Correct the file or remove it\.$/,
	});
});

test('a number may have a sign, a fraction and an exponent', t => {
	t.like(read({}, {PORT: '+8.2e3', SHUTDOWN_SECONDS: '.5', JOURNAL_KEEP_DAYS: '1.'}), {
		PORT: 8200,
		SHUTDOWN_SECONDS: 0.5,
		JOURNAL_KEEP_DAYS: 1,
	});
});

test('any token that a header can carry is accepted, and so is any WebSocket address', t => {
	t.like(
		read({}, {AUTH_TOKEN: '!"#$%&\'()*+,-./~', INSPECTOR_URL: 'wss://inspector.example/path?query'}),
		{AUTH_TOKEN: '!"#$%&\'()*+,-./~'},
	);
});

test('with JOURNAL_KEEP_RECORDS=all, a journal is never compacted', t => {
	const {compaction} = toJournalOptions(read({JOURNAL_KEEP_RECORDS: 'all'}), {});
	t.is(nextBlock(10 ** 12, 0, checkCompaction(compaction)!), null);
});

test(wrong, {JOURNAL_KEEP_RECORDS: 'most'}, /JOURNAL_KEEP_RECORDS must be a whole number from 0 on, or all, not "most"/);

test('one error names every wrong setting', t => {
	t.throws(() => read({}, {PORT: 'x', KERNEL: 'y', RATE_LIMIT: 'Infinity'}), {message: /: PORT .*\. KERNEL .*\. RATE_LIMIT .*\. See/});
});

test('the option of a setting is its name in lower case with dashes', t => {
	t.is(toFlag('CYCLE_INTERVAL_SECONDS'), '--cycle-interval-seconds');
});
