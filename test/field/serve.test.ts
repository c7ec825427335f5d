/** The installed package, served in an empty folder, as a new user meets it. */
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {connect} from 'node:net';
import path from 'node:path';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import {root} from '../helpers/built-package.ts';
import {networked} from '../helpers/registry.ts';
import {serve} from './commands.ts';

type ScaledProfile = {directions: Array<{z: number | null; word: string | null; stands_out: boolean; pole: string | null}>};

networked('the scaled profile of a random beginning, without texts, names no leaning', async t => {
	const {url} = await serve(t);
	const {directions} = await (await fetch(`${url}/profile/scaled`)).json() as ScaledProfile;
	t.true(directions.some(({z}) => Math.abs(z!) > 1));
	t.deepEqual(directions.filter(({word, stands_out, pole}) => word !== 'none' || stands_out || pole !== null), []);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
	networked(`a second ${signal} within a second is ignored`, async t => {
		const service = await serve(t);
		// The service waits for an accepted request.
		const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
		socket.on('error', () => {});
		t.teardown(() => socket.destroy());
		socket.write(
			'POST /cycle HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{',
		);
		await once(socket, 'data');
		process.kill(service.pid, signal);
		await service.waitFor(new RegExp(`stopping on ${signal}`));
		process.kill(service.pid, signal);
		socket.destroy();
		t.is(await service.ended, 0, service.output);
		t.regex(service.output, /stopped/);
	});
}

networked('clients of the Model Context Protocol receive the version of the package', async t => {
	const {url} = await serve(t);
	const client = new Client({name: 'test', version: '1'});
	await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as Transport);
	t.teardown(async () => client.close());
	t.is(
		client.getServerVersion()!.version,
		(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {version: string}).version,
	);
});

networked('the help text of the vigilance metric says that it is not an alarm', async t => {
	const {url} = await serve(t);
	const text = await (await fetch(`${url}/metrics`, {headers: {accept: 'text/plain'}})).text();
	t.regex(text, /# HELP processual_vigilance_level .*No alarm: processual_drift_alarm/);
});

networked('the service has an icon, and all files of the inspector are one route of the metrics', async t => {
	const {url} = await serve(t);
	const icon = await fetch(`${url}/favicon.ico`);
	t.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml']);
	await icon.arrayBuffer();
	const page = await (await fetch(`${url}/inspector`)).text();
	for (const [, address] of page.matchAll(/(?:src|href)="(inspector[^"]*)"/g)) {
		await (await fetch(`${url}/${address!}`)).arrayBuffer();
	}

	const text = await (await fetch(`${url}/metrics`, {headers: {accept: 'text/plain'}})).text();
	t.deepEqual([...new Set([...text.matchAll(/route="(\/inspector[^"]*)"/g)].map(([, route]) => route))], ['/inspector']);
});
