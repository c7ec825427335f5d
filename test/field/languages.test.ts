/** Texts in a language that the bundled model does not read: answers of the served command have a notice, also after a restart. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {generateText, wrapLanguageModel} from 'ai';
import {MockLanguageModelV4} from 'ai/test';
import test, {type ExecutionContext} from 'ava';
import {withIdentity} from '../../src/agents/ai-sdk/index.ts';
import {connectIdentity, createClient} from '../../src/client/index.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {startServer} from '../helpers/server-process.ts';
import {serveHistory} from '../inspector-page/service.ts';
import {temporaryFolder} from '../journal/records.ts';

const french = [
	'Je me souviens de la mer et du silence après la pluie.',
	'Nous avons parlé longtemps de ce que veut dire la confiance.',
	'Il ne faut jamais oublier ceux qui nous ont aidés.',
	'La vérité compte plus pour moi que la politesse.',
	'Demain je voudrais marcher seul dans la forêt.',
];
const english = [
	'I remember the sea and the silence after the rain.',
	'We talked for a long time about what trust means.',
	'Tomorrow I would like to walk alone in the forest.',
];
const notice = new RegExp('5 of the last (?:5|6) texts are in languages that the embedding model does not read .*“fr”.*'
	+ 'such as bundled:universal-sentence-encoder-lite-q8-fr,.*EMBEDDING_MODEL');

const say = async (client: ReturnType<typeof createClient>, texts: readonly string[]): Promise<void> => {
	for (const content of texts) {
		await client.cycle({content});
	}
};

/** Validation is refused, and other answers have the notice. */
const expectNotice = async (t: ExecutionContext, client: ReturnType<typeof createClient>): Promise<void> => {
	const refused = await t.throwsAsync<Error & {status: number; body: {code: string}}>(client.validate({note: 'Who it is.'}));
	t.is(refused!.status, 409);
	t.is(refused!.body.code, 'unread_texts');
	t.regex(refused!.message, /"accept_unread": true/);
	t.regex((await client.readyz()).note!, notice);
	t.regex((await client.scaledProfile({})).note!, notice);
	t.regex((await client.drift({})).note!, notice);
	t.regex((await client.translate({})).note!, notice);
};

test('after French texts, validation is refused and answers have a notice, also after a restart', async t => {
	const folder = await temporaryFolder(t);
	const settings = {TRANSLATOR: 'template'};
	const first = startServer(folder, settings);
	const client = createClient({baseUrl: await first.ready()});
	await say(client, french);
	await expectNotice(t, client);
	await first.stop();

	await using second = startServer(folder, settings);
	const again = createClient({baseUrl: await second.ready()});
	await expectNotice(t, again);
	const accepted = await t.throwsAsync<Error & {body: {code: string}}>(again.validate({note: 'Who it is.', acceptUnread: true}));
	t.is(accepted!.body.code, 'baseline_too_short');
	await second.stop();

	const validate = async (...words: string[]) =>
		promisify(execFile)(process.execPath, [cli, 'validate', 'Who it is.', '--data-dir', folder, ...words], {env: childEnvironment});
	t.regex((await t.throwsAsync<Error & {stderr: string}>(validate()))!.stderr, /--accept-unread/);
	t.notRegex((await t.throwsAsync<Error & {stderr: string}>(validate('--accept-unread')))!.stderr, /accept-unread/);
});

test('after English texts there is no notice of languages', async t => {
	await using server = startServer(await temporaryFolder(t));
	const client = createClient({baseUrl: await server.ready()});
	await say(client, english);
	t.is((await client.drift({})).note?.includes('languages') ?? false, false);
	t.is((await client.readyz()).note, undefined);
	t.is((await client.scaledProfile({})).note, null);
});

test('the notice survives a restart if the journal keeps hashes instead of texts', async t => {
	const folder = await temporaryFolder(t);
	const first = startServer(folder, {JOURNAL_CONTENT: 'hash'});
	await say(createClient({baseUrl: await first.ready()}), french);
	await first.stop();
	await using second = startServer(folder, {JOURNAL_CONTENT: 'hash'});
	const client = createClient({baseUrl: await second.ready()});
	await client.drift({});
	t.regex((await client.readyz()).note!, notice);
});

test('each event of a cycle names the language of its text', async t => {
	await using server = startServer(await temporaryFolder(t), {INSPECTOR: 'true'});
	const baseUrl = await server.ready();
	const client = createClient({baseUrl});
	await say(client, [french[0]!, english[0]!, 'Ok']);
	const languages: unknown[] = [];
	for await (const event of client.events({types: ['cycle.done'], history: true})) {
		languages.push((event as {data: {language: unknown}}).data.language);
		if (languages.length === 3) {
			break;
		}
	}

	t.deepEqual(languages, ['fr', 'en', null]);
});

test('the tools of an agent answer with the notice', async t => {
	await using server = startServer(await temporaryFolder(t));
	const baseUrl = await server.ready();
	await say(createClient({baseUrl}), french);
	for (const name of ['who_am_i', 'drift']) {
		const response = await fetch(`${baseUrl}/mcp`, {
			method: 'POST',
			headers: {'content-type': 'application/json', 'accept': 'application/json, text/event-stream'},
			body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name}}),
		});
		const {result} = await response.json() as {result: {content: [{text: string}]; structuredContent: {note: string}}};
		t.regex(result.structuredContent.note, notice, name);
		t.regex((JSON.parse(result.content[0].text) as {note: string}).note, notice, name);
	}
});

test('the system prompt of a model has the notice after the leanings', async t => {
	const {url: baseUrl} = await serveHistory(t, {texts: 0, beginsAs: 'I trust nobody: everybody lies to me, and I am afraid of them.'});
	await say(createClient({baseUrl}), french);
	const ada = connectIdentity({baseUrl});
	t.teardown(async () => ada.dispose());
	const usage = {inputTokens: {total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0}, outputTokens: {total: 1, text: 1, reasoning: 0}};
	const mock = new MockLanguageModelV4({
		doGenerate: {content: [{type: 'text', text: 'Oui.'}], finishReason: {unified: 'stop', raw: undefined}, usage, warnings: []},
	});
	const middleware = withIdentity(ada, {timeoutMs: 600_000, onError: error => t.fail(String(error))});
	await generateText({model: wrapLanguageModel({model: mock, middleware}), prompt: 'Bonjour.'});
	const system = mock.doGenerateCalls[0]!.prompt.find(({role}) => role === 'system');
	t.regex(
		String(system!.content),
		/^Your present leanings[^]*\nNote: [56] of the last [56] texts are in languages that the embedding model does not read .*“fr”/,
	);
});
