import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {flagOf, loopOf, readSettings} from '../src/config.ts';

const read = (given: Record<string, unknown>, environment: Record<string, string> = {}) => readSettings(given, environment, false);

test('without anything said the defaults stand', t => {
	const settings = read({});
	t.like(settings, {HOST: '0.0.0.0', PORT: 8100, DATA_DIR: '.processual', KERNEL: 'auto', LOG_LEVEL: 'info'});
	t.deepEqual(loopOf(settings), {cycleIntervalSeconds: 864, probRuminationFree: 0.5, probCorpus: 0.3, probUnresolved: 0.2});
});

test('the command line wins over the environment, the environment over .env', async t => {
	const file = path.join(await mkdtemp(path.join(tmpdir(), 'settings-')), '.env');
	await writeFile(file, 'PORT=1\nHOST=from.file\nLOG_LEVEL=warn\n');
	t.like(readSettings({PORT: '3'}, {PORT: '2', HOST: 'from.environment'}, file), {PORT: 3, HOST: 'from.environment', LOG_LEVEL: 'warn'});
});

test('an empty value counts as absent', t => {
	t.is(read({}, {PORT: ''}).PORT, 8100);
});

test('the settings of other programs are no settings', t => {
	t.false('HOME' in read({}, {HOME: '/root'}));
});

const wrong = test.macro({
	exec(t, settings: Record<string, string>, message: RegExp) {
		t.throws(() => read({}, settings), {code: 'configuration', message});
	},
	title: (_, settings) => `${JSON.stringify(settings)} is refused with the setting's name`,
});

test(wrong, {PORT: 'ninety'}, /PORT must be integer/);
test(wrong, {PORT: '70000'}, /PORT must be <= 65535/);
test(wrong, {KERNEL: 'gpu'}, /KERNEL must be .*\(auto, wasm, wasm-relaxed, js\)/);
test(wrong, {LOG_LEVEL: 'loud'}, /LOG_LEVEL must be .*silent/);
test(wrong, {CYCLE_INTERVAL_SECONDS: '0'}, /CYCLE_INTERVAL_SECONDS must be > 0/);
test(wrong, {PROB_CORPUS: '1.5'}, /PROB_CORPUS must be <= 1/);
test(wrong, {PROB_CORPUS: '0.4'}, /PROB_RUMINATION_FREE, PROB_CORPUS and PROB_UNRESOLVED sum to 1\.1/);

test('every wrong setting is named at once', t => {
	t.throws(() => read({}, {PORT: 'x', KERNEL: 'y'}), {message: /PORT.*KERNEL/});
});

test('a flag is its setting in lower case with dashes', t => {
	t.is(flagOf('CYCLE_INTERVAL_SECONDS'), '--cycle-interval-seconds');
});
