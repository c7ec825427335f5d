/** `processual compare`: two services are the same, or what differs is named, with its bits. */
import {writeFile} from 'node:fs/promises';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import test, {type ExecutionContext} from 'ava';
import {bitsApart, compare} from '../../src/commands/compare.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {serve} from '../http/service.ts';
import {directions} from '../inspector-page/service.ts';
import {temporaryFolder} from '../journal/records.ts';

const serveOne = async (t: ExecutionContext): Promise<string> => (await serve(t, (await startIdentity({directions})).identity)).url;

const settingsFor = (url: string) => readSettings({PROCESSUAL_URL: url}, {});

/** A service that answers as the one behind it, with each body changed. */
const falsify = async (
	t: ExecutionContext, url: string, change: (path: string, body: Record<string, unknown>) => unknown,
): Promise<string> => {
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const sent = await text(request);
		const given = await fetch(url + request.url!, {
			method: request.method!, headers: {'content-type': 'application/json'}, ...(sent !== '' && {body: sent}),
		});
		const body = change(request.url!, await given.json() as Record<string, unknown>);
		response.writeHead(given.status, {'content-type': 'application/json'}).end(JSON.stringify(body));
	};
	const server = createServer((request, response) => {
		void answer(request, response);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test('two services of one beginning are the same at every endpoint, also when they are reset', async t => {
	const [here, there] = [await serveOne(t), await serveOne(t)];
	const {text: said, isSame} = await compare(settingsFor(here), there, {reset: true});
	t.true(isSame, said);
	for (const endpoint of [
		'GET /health', 'POST /cycle', 'POST /translate', 'GET /state', 'GET /vigilance', 'GET /metrics', 'POST /reset', 'GET /daemon/status',
		'POST /daemon/start', 'POST /daemon/stop', 'GET /profile',
	]) {
		t.regex(said, new RegExp(`${endpoint} +\\d+ asked, the same`));
	}
});

test('a number that is wrong is named with the bits that differ, and nothing else is', async t => {
	const here = await serveOne(t);
	const there = await falsify(t, await serveOne(t), (_path, body) =>
		typeof body['dissonance_total'] === 'number' ? {...body, dissonance_total: body['dissonance_total'] * (1 + 2 ** -20)} : body);
	const {text: said, isSame} = await compare(settingsFor(here), there, {});
	t.false(isSame);
	t.regex(said, /POST \/cycle +13 asked, differs\n {4}dissonance_total: differs in the last 3[34] of 53 bits \(.*, in 12 answers\n/);
	t.is(said.match(/differs in/g)!.length, 1);
});

test('a missing field, another status and another beginning are named', async t => {
	const here = await serveOne(t);
	const there = await falsify(t, await serveOne(t), (asked, {level: _level, ...body}) => asked === '/state'
		? {...body, dimensions: {...body['dimensions'] as object, thirdness: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]}}
		: body);
	const {text: said} = await compare(settingsFor(here), there, {});
	t.regex(said, /GET \/vigilance +2 asked, differs\n {4}level: differs \("ok" here, nothing there\), in 2 answers/);
	t.regex(said, /dimensions\.thirdness\[\]: differs in the last 53 of 53 bits/);
	t.regex(said, /They began with different states/);

	const empty = await falsify(t, here, () => ({}));
	t.regex((await compare(settingsFor(here), empty, {})).text, /GET \/health +2 asked, differs\n {4}status: differs/);
});

test('the texts of a file are said, line by line', async t => {
	const file = path.join(await temporaryFolder(t), 'said.txt');
	await writeFile(file, 'The sea is quiet.\n\nThe harbour is full.\n');
	const [here, there] = [await serveOne(t), await serveOne(t)];
	t.regex((await compare(settingsFor(here), there, {texts: file})).text, /POST \/cycle +3 asked, the same/);
});

test('a service that is away, and what is no address, are named', async t => {
	const here = await serveOne(t);
	await t.throwsAsync(compare(settingsFor(here), 'http://127.0.0.1:9', {}), {
		instanceOf: ConfigurationError, message: /GET \/health failed at http:\/\/127.0.0.1:9 .*Start the service/,
	});
	await t.throwsAsync(compare(settingsFor(here), 'python', {}), {instanceOf: ConfigurationError, message: /“python” is not the address/});
});

test('bits are counted from the last one', t => {
	t.is(bitsApart(1, 1 + Number.EPSILON), 1);
	t.is(bitsApart(1, 1 + 2 ** -24), 29);
	t.is(bitsApart(1, -1), 53);
	t.is(bitsApart(0, 1e-300), 53);
});
