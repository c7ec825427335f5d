/** `processual compare`: whether two services answer alike, and where they differ, with the number of bits. */
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

/** A proxy that changes the body of each answer. */
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

test('two services with the same initial state answer alike at every endpoint, also after a reset', async t => {
	const [here, there] = [await serveOne(t), await serveOne(t)];
	const {text: report, isSame} = await compare(settingsFor(here), there, {reset: true});
	t.true(isSame, report);
	for (const endpoint of [
		'GET /health', 'POST /cycle', 'POST /translate', 'GET /state', 'GET /vigilance', 'GET /metrics', 'POST /reset', 'GET /daemon/status',
		'POST /daemon/start', 'POST /daemon/stop', 'GET /profile',
	]) {
		t.regex(report, new RegExp(`${endpoint} +\\d+ asked, the same`));
	}
});

test('a wrong number is reported with the bits that differ, and nothing else is reported', async t => {
	const here = await serveOne(t);
	const there = await falsify(t, await serveOne(t), (_path, body) =>
		typeof body['dissonance_total'] === 'number' ? {...body, dissonance_total: body['dissonance_total'] * (1 + 2 ** -20)} : body);
	const {text: report, isSame} = await compare(settingsFor(here), there, {});
	t.false(isSame);
	t.regex(report, /POST \/cycle +13 asked, differs\n {4}dissonance_total: differs in the last 3[34] of 53 bits \(.*, in 12 answers\n/);
	t.is(report.match(/differs in/g)!.length, 1);
});

test('missing fields and a different initial state are reported', async t => {
	const here = await serveOne(t);
	const there = await falsify(t, await serveOne(t), (asked, {level: _level, ...body}) => asked === '/state'
		? {...body, dimensions: {...body['dimensions'] as object, thirdness: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]}}
		: body);
	const {text: report} = await compare(settingsFor(here), there, {});
	t.regex(report, /GET \/vigilance +2 asked, differs\n {4}level: differs \("ok" here, nothing there\), in 2 answers/);
	t.regex(report, /dimensions\.thirdness\[\]: differs in the last 53 of 53 bits/);
	t.regex(report, /They began with different states/);

	const empty = await falsify(t, here, () => ({}));
	t.regex((await compare(settingsFor(here), empty, {})).text, /GET \/health +2 asked, differs\n {4}status: differs/);
});

test('each line of the file is sent as a text', async t => {
	const file = path.join(await temporaryFolder(t), 'said.txt');
	await writeFile(file, 'The sea is quiet.\n\nThe harbour is full.\n');
	const [here, there] = [await serveOne(t), await serveOne(t)];
	t.regex((await compare(settingsFor(here), there, {texts: file})).text, /POST \/cycle +3 asked, the same/);
});

test('the error names a service that cannot be reached, and an invalid address', async t => {
	const here = await serveOne(t);
	await t.throwsAsync(compare(settingsFor(here), 'http://127.0.0.1:9', {}), {
		instanceOf: ConfigurationError, message: /GET \/health failed at http:\/\/127.0.0.1:9 \(bad port\)\. Start the service/,
	});
	await t.throwsAsync(compare(settingsFor(here), 'python', {}), {instanceOf: ConfigurationError, message: /“python” is not the address/});
});

test('differing bits are counted from the last one', t => {
	t.is(bitsApart(1, 1 + Number.EPSILON), 1);
	t.is(bitsApart(1, 1 + 2 ** -24), 29);
	t.is(bitsApart(1, -1), 53);
	t.is(bitsApart(0, 1e-300), 53);
});
