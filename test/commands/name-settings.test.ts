/** Messages name options in a program that uses the library, and settings in the command. */
import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {settingOf} from '../../src/commands/name-settings.ts';
import {ProcessualError, reasonOf} from '../../src/platform/errors.ts';
import {nameOf, setOptionNames} from '../../src/platform/option-names.ts';
import {CalledThread} from '../../src/platform/thread-calls.ts';
import type {Asked} from '../platform/calling-thread.ts';
import {Settings} from '../../src/commands/settings.ts';
import {pattern} from '../helpers/pattern.ts';

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

/** Names that look like options: two files, two events, and prefixes of OpenTelemetry's attributes. */
const noOptions = new Set([
	'journal.sqlite', 'journal.mark', 'journal.failed', 'journal.recovered', 'http.request', 'http.route', 'http.response',
]);

/** An option as a message would name it: a part and its option. */
const option = pattern(
	/(?<![\w./{$-])(?:authority|database|directions|encoder|host|http|journal|listen|person|store|translator)\.[a-zA-Z]+(?![\w(/])/g,
);

test('no message of the library names an option literally: each calls nameOf', async t => {
	const strings = (await readLibrary()).filter(({file}) => file !== 'platform/option-names.ts').flatMap(({code}) => code.split('\n')
		// Comments and imports are not messages.
		.filter(line => !/^\s*(?:\/?\*|\/\/|import|export .* from)/.test(line))
		.flatMap(line => line.replaceAll(/nameOf\([^)]*\)/g, '').match(/'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g) ?? []))
		.map(string => string.replaceAll(/\$\{[^}]*\}/g, '…'));
	t.deepEqual(strings.flatMap(string => string.match(option) ?? []).filter(name => !noOptions.has(name)), []);
});

test.serial('an option is named by its path by default', t => {
	t.is(nameOf('encoder.apiKey'), 'encoder.apiKey');
});

test.serial('the command names each option by its setting, in threads too', async t => {
	setOptionNames(settingOf);
	t.is(nameOf('encoder.apiKey'), 'EMBEDDING_API_KEY');
	const named: string[] = [];
	const thread = new CalledThread<Asked, Asked, string>('../test/platform/calling-thread', {
		failure: ProcessualError,
		onNotice: name => named.push(name),
		endError: cause => new ProcessualError(reasonOf(cause)),
	});
	thread.hold(true);
	await thread.call({option: 'journal.folder'});
	await thread.end();
	t.deepEqual(named, ['DATA_DIR']);
});
