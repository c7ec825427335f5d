/** Tokens with rights: created by a command, stored as hashes, and read by the service. */
import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {readFile, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import test from 'ava';
import {readTokens} from '../../src/commands/tokens.ts';
import {toHttpOptions} from '../../src/commands/options.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {createHttp} from '../../src/http/create-http.ts';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {temporaryFolder} from '../journal/records.ts';
import {run} from './run-command.ts';

const AUTH_TOKEN = 'the-token-that-opens-everything';

test('a token is printed once, and the file that the service reads has only its hash', async t => {
	const file = path.join(await temporaryFolder(t), 'tokens');
	const make = async (...words: string[]) => (await run(t, ['token', ...words, '--tokens-file', file])).ended;
	const {output, errors} = await make('phone', '--rights', 'speak', '--source', 'Ada');
	const token = output.trim();
	t.regex(token, /^ps_[\w-]{43}$/, errors);
	t.is((await make('monitor', '--rights', 'read')).code, 0);
	t.false((await readFile(file, 'utf8')).includes(token));
	t.is((await stat(file)).mode & 0o077, 0);
	t.regex((await make('phone', '--rights', 'read')).errors, /Two tokens have the name phone/);
	t.not((await make('other')).code, 0);

	const settings = readSettings({AUTH_TOKEN, TOKENS_FILE: file}, {}, false);
	t.deepEqual(readTokens(settings).map(({name, rights, source}) => [name, rights, source]), [
		['phone', ['speak'], 'Ada'], ['monitor', ['read'], undefined],
	]);
	const {identity} = await startIdentity();
	t.teardown(() => identity.dispose());
	const {fetch, close} = createHttp(identity, toHttpOptions(settings));
	t.teardown(close);
	const ask = async (name: string) => fetch(new Request(`http://localhost/${name}`, {headers: {authorization: `Bearer ${token}`}}));
	t.is((await ask('state')).status, 403);
	const said = await fetch(new Request('http://localhost/cycle', {
		method: 'POST', body: '{"content": "Hello."}', headers: {'authorization': `Bearer ${token}`, 'content-type': 'application/json'},
	}));
	t.is(said.status, 200);
});

test('the error for an unusable file of tokens names TOKENS_FILE', async t => {
	const file = path.join(await temporaryFolder(t), 'tokens');
	const read = () => readTokens(readSettings({AUTH_TOKEN, TOKENS_FILE: file}, {}, false));
	t.throws(read, {instanceOf: ConfigurationError, message: /TOKENS_FILE.*does not exist.*processual token/});
	await writeFile(file, '{"name": "phone"}\n');
	t.throws(read, {instanceOf: ConfigurationError, message: /TOKENS_FILE.*Token 1 is wrong.*sha256/});
	await writeFile(file, 'a-token-in-plain-text\n');
	t.throws(read, {instanceOf: ConfigurationError, message: /TOKENS_FILE.*cannot be used/});
	t.throws(() => readTokens(readSettings({TOKENS_FILE: file}, {}, false)), {message: /TOKENS_FILE needs an AUTH_TOKEN/});
});

(process.platform === 'linux' ? test : test.skip)('a token goes to stderr if stdout is full', async t => {
	const file = path.join(await temporaryFolder(t), 'tokens');
	const words = [cli, 'token', 'phone', '--rights', 'read', '--tokens-file', file];
	const child = spawn('sh', ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, ...words], {env: childEnvironment});
	const [, token] = /^A token is given only once, .*:\n(ps_[\w-]{43})\n/.exec(await text(child.stderr))!;
	t.true((await readFile(file, 'utf8')).includes(createHash('sha256').update(token!).digest('hex')));
});

test('a token is added whole, or the file stays as it was', async t => {
	const file = path.join(await temporaryFolder(t), 'tokens');
	const lineOf = (name: string) => JSON.stringify({name, rights: ['read'], sha256: createHash('sha256').update(name).digest('hex')});
	const lines = [lineOf('a'), lineOf('b'), lineOf('c'), lineOf('d')].join('\n');
	await writeFile(file, lines);
	const add = async (name: string, limit: string) => {
		// Half a kilobyte has no room for a fifth token.
		const child = spawn('sh', ['-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, cli, 'token', name, '--rights', 'read',
			'--tokens-file', file], {stdio: 'ignore', env: childEnvironment});
		return (await once(child, 'close'))[0] as number;
	};

	t.is(await add('phone', '1'), 1);
	t.is(await readFile(file, 'utf8'), lines);

	// The file has no final newline, as an editor may leave it.
	t.is(await add('phone', 'unlimited'), 0);
	const names = readTokens(readSettings({AUTH_TOKEN, TOKENS_FILE: file}, {}, false)).map(({name}) => name);
	t.deepEqual(names, ['a', 'b', 'c', 'd', 'phone']);
});
