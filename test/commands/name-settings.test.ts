/** Messages name options where a library calls, and settings where the command runs. */
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {nameSettings, settingOf} from '../../src/commands/name-settings.ts';
import {Settings} from '../../src/commands/settings.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** The files of the library: all but the command's. */
const readLibrary = async (): Promise<Array<{file: string; code: string}>> => {
	const files = (await readdir(source, {recursive: true})).map(file => file.replaceAll(path.sep, '/'));
	return Promise.all(files.filter(file => file.endsWith('.ts') && !file.startsWith('commands/'))
		.map(async file => ({file, code: await readFile(path.join(source, file), 'utf8')})));
};

test('no file of the library names a setting', async t => {
	const setting = new RegExp(`\\b(?:${Object.keys(Settings.properties).join('|')})\\b`, 'g');
	const named = (await readLibrary()).flatMap(({file, code}) => [...code.matchAll(setting)].map(([name]) => `${file}: ${name}`));
	t.deepEqual(named, []);
});

/** What looks like an option: two files and two events. */
const noOptions = new Set(['journal.sqlite', 'journal.mark', 'journal.failed', 'journal.recovered']);

/** An option as a message names it: a part and its option. */
const option = /(?<![\w./{$-])(?:authority|database|directions|encoder|host|http|journal|listen|person|store|translator)\.[a-zA-Z]+(?![\w(/])/g;

test('every option that a message names has its setting, and no setting is listed in vain', async t => {
	const strings = (await readLibrary()).flatMap(({code}) => code.split('\n')
		// Comments and imports are no messages.
		.filter(line => !/^\s*(?:\/?\*|\/\/|import|export .* from)/.test(line))
		.flatMap(line => line.match(/'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g) ?? []))
		.map(string => string.replaceAll(/\$\{[^}]*\}/g, '…'));
	const named = new Set(strings.flatMap(string => string.match(option) ?? []));
	t.deepEqual([...named].filter(name => !(name in settingOf) && !noOptions.has(name)), []);
	t.deepEqual(Object.keys(settingOf).filter(name => !strings.some(string => string.includes(name))), []);
});

test('the command names the settings in place of the options', t => {
	t.is(nameSettings('Set encoder.apiKey to a key; a key does not belong in encoder.baseUrl.'), 'Set EMBEDDING_API_KEY to a key; a key does not belong in EMBEDDING_BASE_URL.');
	t.is(nameSettings('Run npm i ai, or set translator: templateTranslator.'), 'Run npm i ai, or set TRANSLATOR=template.');
	t.is(nameSettings('A state is required (requireInitialState).'), 'A state is required (REQUIRE_STORE).');
});

test('a path that has the name of an option stays as it is', t => {
	const message = '/data/journal.folder and my-store.file/a cannot be read.';
	t.is(nameSettings(message), message);
});
