/** The service with many identities, from outside: created and used, kept over a restart, and found by the commands. */
import {execFile} from 'node:child_process';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {createClient} from '../../src/client/index.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {startServer} from '../helpers/server-process.ts';

test('identities live beside the default one in one service, and go on after it', async t => {
	await using model = await startFakeModel();
	const folder = await mkdtemp(path.join(tmpdir(), 'many-'));
	const settings = {...model.settings(), MAX_LIVE: '2'};
	const start = async () => {
		const server = startServer(folder, settings);
		const baseUrl = await server.ready();
		return {server, clientOf: (identity?: string) => createClient({baseUrl, ...(identity !== undefined && {identity})})};
	};

	const first = await start();
	await first.clientOf().cycle({content: 'I am the default.'});
	for (const name of ['ada', 'ben', 'eve']) {
		await first.clientOf().createIdentity(name);
		await first.clientOf(name).cycle({content: `I am ${name}.`});
		await first.clientOf(name).cycle({content: 'I speak again.'});
	}

	t.is((await first.clientOf('ada').state()).state_id, 2);
	t.is((await first.server.stop()).code, 0);

	const next = await start();
	t.is((await next.clientOf('ada').state()).state_id, 2);
	t.is((await next.clientOf().state()).state_id, 1);
	await next.clientOf().putAside('eve');
	t.deepEqual((await next.clientOf().identities()).identities.map(({id}) => id), ['ada', 'ben', 'default']);
	t.is((await next.server.stop()).code, 0);

	const run = promisify(execFile);
	const history = async (...given: string[]) => (JSON.parse((await run(process.execPath, [cli, 'history', '--json', '--data-dir', folder, ...given], {env: {...childEnvironment, ...settings, NODE_OPTIONS: '--disable-warning=ExperimentalWarning'}})).stdout) as {cycles: number}).cycles;
	t.is(await history('--identity', 'ada'), 2);
	t.is(await history(), 1);
});
