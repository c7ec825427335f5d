/** `processual fleet` beside a running service, which has the folder open and answers for all its identities. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {setImmediate} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {startServer} from '../helpers/server-process.ts';
import {temporaryFolder} from '../journal/records.ts';

const model = await startFakeModel();
test.after.always(async () => model[Symbol.asyncDispose]());

const AUTH_TOKEN = 'a-long-secret-of-tests';

const run = async (words: readonly string[], settings: Record<string, string>) => {
	const child = spawn(process.execPath, [cli, ...words], {env: {...childEnvironment, ...settings}, stdio: ['ignore', 'pipe', 'pipe']});
	const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close') as Promise<[number]>]);
	return {code, output, errors};
};

/** A service with three identities, one of which has a text; and the command in the same folder. */
const startFleet = async (t: ExecutionContext) => {
	const DATA_DIR = await temporaryFolder(t);
	const TOKENS_FILE = path.join(DATA_DIR, 'tokens.jsonl');
	/** The service reads tokens when it starts. */
	const addToken = async (name: string, ...words: string[]): Promise<string> =>
		(await run(['token', name, ...words], {TOKENS_FILE})).output.trim().split('\n').at(-1)!;
	const tokens = {
		speaker: await addToken('speaker', '--rights', 'speak'), ofAda: await addToken('of-ada', '--rights', 'read', '--identities', 'ada'),
	};
	const server = startServer(DATA_DIR, {...model.settings(), AUTH_TOKEN, TOKENS_FILE});
	t.teardown(() => server.stop());
	const url = await server.ready();
	const headers = {'authorization': `Bearer ${AUTH_TOKEN}`, 'content-type': 'application/json'};
	for (const name of ['ada', 'ben', 'bess']) {
		await fetch(`${url}/identities/${name}`, {method: 'PUT', headers});
	}

	await fetch(`${url}/identities/ben/cycle`, {method: 'POST', headers, body: JSON.stringify({content: 'The sea is quiet today.'})});
	// The default identity begins after the service is ready, and a row is updated after the answer.
	for (let isCurrent = false; !isCurrent;) {
		const {identities} = await (await fetch(`${url}/fleet`, {headers})).json() as {identities: Array<{texts: number}>};
		isCurrent = identities.length === 4 && identities.some(({texts}) => texts === 1);
		await setImmediate();
	}

	const fleet = async (words: string[] = [], settings: Record<string, string> = {}) =>
		run(['fleet', ...words], {DATA_DIR, AUTH_TOKEN, ...settings});
	return {url, tokens, fleet};
};

/** The names in the first column, below the line with the names of the columns. */
const namesIn = (output: string): string[] => {
	const lines = output.split('\n');
	const from = lines.findIndex(line => line.startsWith('identity'));
	return lines.slice(from + 1).filter(line => /^\w+ /.test(line)).map(line => line.split(' ')[0]!);
};

test('the command shows the identities of the running service, filters and pages them, and names wrong options and tokens', async t => {
	const {fleet, url, tokens} = await startFleet(t);
	const {code, output} = await fleet(['--order', 'name']);
	t.is(code, 0);
	t.regex(output, /^4 identities; 0 named, at most one in twenty of them by chance; 0 with an alarm\./);
	t.deepEqual(namesIn(output), ['ada', 'ben', 'bess', 'default']);

	t.regex((await fleet(['--name', 'be'])).output, /^2 of 4 identities;/);
	t.regex((await fleet(['--only', 'named'])).output, /^0 of 4 identities;/);
	const page = await fleet(['--order', 'name', '--limit', '2']);
	t.regex(page.output, /More: --after ben/);
	t.deepEqual(namesIn((await fleet(['--order', 'name', '--after', 'ben'])).output), ['bess', 'default']);

	const {identities} = JSON.parse((await fleet(['--json', '--name', 'ben'])).output) as {identities: {id: string; texts: number}[]};
	t.like(identities, [{id: 'ben', texts: 1}]);

	// From another folder, by PROCESSUAL_URL.
	const elsewhere = {DATA_DIR: await temporaryFolder(t), PROCESSUAL_URL: url, PROCESSUAL_TOKEN: AUTH_TOKEN};
	t.regex((await fleet([], elsewhere)).output, /^4 identities;/);

	for (const [words, settings, said] of [
		[['--order', 'size'], {}, /size.*(?:evidence|name)/s],
		[['--limit', '0'], {}, /limit/],
		[['--after', 'eve'], {}, /eve/],
		[[], {AUTH_TOKEN: 'a-wrong-secret-of-tests'}, /requires a token: set AUTH_TOKEN\./],
		[[], {AUTH_TOKEN: tokens.speaker}, /This token may speak; this needs one that may read\./],
		[[], {AUTH_TOKEN: tokens.ofAda}, /This token is only for ada\./],
	] as const) {
		const refused = await fleet([...words], settings);
		t.is(refused.code, 1, String(said));
		t.is(refused.output, '');
		t.regex(refused.errors, said);
		t.notRegex(refused.errors, /\n\s+at /);
	}
});

test('without a service the command says how to start one', async t => {
	const {code, errors} = await run(['fleet'], {DATA_DIR: await temporaryFolder(t)});
	t.is(code, 1);
	t.regex(errors, /No service is running on this folder.*processual serve.*PROCESSUAL_URL/s);
});
