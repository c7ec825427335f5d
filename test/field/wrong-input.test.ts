/** Wrong requests and commands: each answer is short and names what is wrong. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {networked} from '../helpers/registry.ts';
import {serve} from './commands.ts';
import {userEnvironment, userFolder} from './installed.ts';

type Wrong = [path: string, status: number, says: RegExp, request?: RequestInit];

const post = (body: string | object, headers: Record<string, string> = {}): RequestInit =>
	({
		method: 'POST',
		headers: {'content-type': 'application/json', ...headers},
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});

const say = (fields: object): RequestInit => post({content: 'The sea is quiet.', ...fields});

const wrong: readonly Wrong[] = [
	['/cycle', 422, /Field required.*"content"/, post({contnt: 'The sea.'})],
	['/cycle', 422, /"content"/, post({content: null})],
	['/cycle', 422, /valid string.*"source"/, say({source: 7})],
	['/cycle', 422, /at most 200 characters.*"source"/, say({source: 'a'.repeat(201)})],
	['/cycle', 422, /at most 200 characters.*"conversation"/, say({conversation: 'a'.repeat(201)})],
	['/cycle', 422, /dictionary.*"metadata"/, say({metadata: 'Ada'})],
	['/cycle', 422, /dictionary or object/, post([])],
	['/cycle', 422, /JSON decode error/, post('{"content": "a"')],
	['/cycle', 422, /Nested deeper than/, post(`{"content":"a","metadata":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`)],
	['/cycle', 415, /application\/json/, {method: 'POST', body: 'content=a'}],
	['/cycle', 415, /without compression/, post({content: 'a'}, {'content-encoding': 'gzip'})],
	['/cycle', 413, /limit of 1048576 bytes/, post({content: 'a'.repeat(1_100_000)})],
	['/cycle', 422, /Idempotency-Key/, post({content: 'a'}, {'idempotency-key': 'two words'})],
	['/cycle', 405, /Method Not Allowed/],
	['/dry-run', 422, /"text"/, post({text: 'The sea.'})],
	['/validate', 422, /"note"/, post({})],
	['/validate', 409, /400 texts, 200 of them by others, in 30 conversations.*so far it has 0 texts/, post({note: 'As it is.'})],
	['/what-if', 422, /the nearest is “without”/, post({witout: {sources: ['Ada']}})],
	['/what-if', 422, /the nearest is “sources”/, post({without: {source: 'Ada'}})],
	['/history?points=0', 422, /greater than or equal to 2.*"points"/],
	['/history?points=5&points=6', 422, /"points"/],
	['/history?pionts=5', 422, /the nearest is “points”/],
	['/ledger?by=bird', 422, /'text' or 'source'/],
	['/ledger?by=text&direction=affective.clam', 422, /no direction “affective\.clam”; the nearest is “affective\.calm”/],
	['/state?at=yesterday', 422, /“yesterday” is not a moment\. Give the id of a state, or a time such as/],
	['/state?at=999999', 422, /no state 999999\. Its newest is \d/],
	['/events?types=cycle.don', 422, /a type of event.*cycle\.done/],
	['/identities/Ada%20B', 422, /lower-case letters/, {method: 'PUT'}],
	['/identities/..%2f..%2fetc', 422, /lower-case letters/, {method: 'PUT'}],
	['/identities/nobody/state', 404, /no identity “nobody”\. Create it first/],
	[`/${'a'.repeat(20_000)}`, 431, /Too Large/],
	['/%zz', 404, /Not Found/],
];

networked('the answer to each wrong request names what is wrong in under 1,200 characters, and the state does not change', async t => {
	const {url} = await serve(t);
	for (const [path, status, says, request] of wrong) {
		const answer = await fetch(url + path, request);
		const text = await answer.text();
		t.is(answer.status, status, `${path}: ${text}`);
		t.regex(text, says, path);
		t.true(text.length < 1200, `${path}: ${text.length} characters`);
	}

	t.like(await (await fetch(`${url}/state`)).json(), {state_id: 0});
});

/** Each with the settings that are wrong. */
const commands: ReadonlyArray<[line: string, says: RegExp, settings?: Record<string, string>]> = [
	['srve', /unknown command 'srve'[^]*serve/],
	['serve --prt 8000', /unknown option '--prt'[^]*--port/],
	['serve --port abc', /PORT must be a whole number from 0 to 65535, not "abc"/],
	['serve', /LOG_LEVEL must be one of .*, not "loud"/, {LOG_LEVEL: 'loud'}],
	['serve', /EMBEDDING_MODEL to /, {EMBEDDING_MODEL: 'nonsense'}],
	['serve', /DATABASE_URL needs the address of a PostgreSQL database/, {DATABASE_URL: 'nonsense'}],
	['serve', /DATA_DIR/, {DATA_DIR: '/dev/null'}],
	['import thougts x', /Allowed choices are thoughts/],
	['import thoughts nothing.jsonl', /nothing\.jsonl cannot be read/],
	['history --identity Ada', /IDENTITY needs 1 to 100 lower-case letters/],
	['history', /PROCESSUAL_URL needs an http or https address/, {PROCESSUAL_URL: 'nonsense'}],
	['tools --format openia', /anthropic, openai, openai-chat, not “openia”/],
];

networked('each wrong command exits with 1 and names what is wrong', async t => {
	const folder = await userFolder(t);
	const shell = await userEnvironment();
	for (const [line, says, settings] of commands) {
		const failure = await t.throwsAsync<Error & {code: number; stderr: string}>(
			promisify(execFile)('processual', line.split(' '), {cwd: folder, env: {...shell, PORT: '0', ...settings}}), undefined, line);
		t.is(failure!.code, 1, line);
		t.regex(failure!.stderr, says, line);
	}
});

networked('an address without a service is named, with the status of its answer', async t => {
	const {url} = await serve(t);
	const env = {...await userEnvironment(), PROCESSUAL_URL: `${url}/elsewhere`};
	const failure = await t.throwsAsync<Error & {stderr: string}>(promisify(execFile)(
		'processual',
		['history'],
		{env, cwd: await userFolder(t)},
	));
	t.is(failure!.stderr, `${url}/elsewhere is not the address of a Processual State service: 404, Not Found. Correct the address.\n`);
});
