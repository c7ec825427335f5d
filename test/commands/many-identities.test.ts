/** A service with many identities: they are created and used, survive a restart, and can be read by the commands. */
import {execFile} from 'node:child_process';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {promisify} from 'node:util';
import test from 'ava';
import {createClient} from '../../src/client/index.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {childEnvironment} from '../helpers/child-environment.ts';
import {cli} from '../helpers/cli.ts';
import {compareJournal, lastState, type Known} from '../helpers/compare-journal.ts';
import {postCycle, startServer} from '../helpers/server-process.ts';

test('a service has identities beside the default one, which survive its restart', async t => {
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

	t.is((await first.clientOf('ada').state()).stateId, 2);
	t.is((await first.server.stop()).code, 0);

	const next = await start();
	t.is((await next.clientOf('ada').state()).stateId, 2);
	t.is((await next.clientOf().state()).stateId, 1);
	await next.clientOf().putAside('eve');
	t.deepEqual((await next.clientOf().identities()).identities.map(({id}) => id), ['ada', 'ben', 'default']);
	t.is((await next.server.stop()).code, 0);

	const run = promisify(execFile);
	const history = async (...given: string[]) =>
		(JSON.parse((await run(process.execPath, [cli, 'history', '--json', '--data-dir', folder, ...given], {
			env: {...childEnvironment, ...settings, NODE_OPTIONS: '--disable-warning=ExperimentalWarning'},
		})).stdout) as {cycles: number}).cycles;
	t.is(await history('--identity', 'ada'), 2);
	t.is(await history(), 1);
});

test('SIGTERM stops a service with running loops and writing clients, and loses nothing; RESUME_DAEMON starts only the loop '
	+ 'of IDENTITY', async t => {
	await using model = await startFakeModel();
	const folder = await mkdtemp(path.join(tmpdir(), 'loops-'));
	const settings = {...model.settings(), CYCLE_INTERVAL_SECONDS: '0.05', SHUTDOWN_SECONDS: '100'};
	const names = ['default', 'ada', 'ben', 'eve'];
	const journalOf = (name: string): string => path.join(folder, ...name === 'default' ? ['journal'] : ['identities', name]);

	const server = startServer(folder, settings);
	const baseUrl = await server.ready();
	const write = async (name: string, {cycles}: Known): Promise<void> => {
		for (let order = 0, isOver = false; !isOver; order++) {
			const sent = {client: 0, order, stateId: null as number | null, isRefused: false};
			const content = `${name} says ${order}.`;
			cycles.set(content, sent);
			try {
				const {status, body} = await postCycle(`${baseUrl}/identities/${name}`, content);
				sent.stateId = status === 200 ? body.state_id : null;
				isOver = sent.isRefused = status !== 200;
			} catch {
				isOver = true;
			}
		}
	};

	const known = new Map<string, Known>();
	const writing = names.map(async name => {
		const client = createClient({baseUrl, identity: name});
		await (name === 'default' || client.createIdentity(name));
		await client.daemonStart();
		known.set(name, {cycles: new Map(), resets: {sent: 0, acknowledged: 0}});
		const written = write(name, known.get(name)!);
		while ((await client.daemonStatus()).cyclesSinceLastUser < 3) {
			await setTimeout(20);
		}

		return {written};
	});
	const written = (await Promise.all(writing)).map(async ({written: last}) => last);
	t.is((await server.stop()).code, 0);
	await Promise.all(written);
	for (const name of names) {
		const {acknowledged, cutOffAndGone: _, ...wrong} = await compareJournal(journalOf(name), known.get(name)!);
		t.true(acknowledged > 0, name);
		t.deepEqual(
			wrong,
			{cutOffAndKept: 0, resets: 0, lost: 0, doubled: 0, refusedAndKept: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0},
			name,
		);
		using reader = new JournalReader(journalOf(name));
		const records = (await reader.read(1, reader.records)).map(({record}) => record);
		const end = records.slice(records.findLastIndex(({kind}) => kind.startsWith('daemon.')));
		t.is(end[0]!.kind, 'daemon.stopped', name);
		// A client's cycle may end after it.
		t.false(end.some(record => record.kind === 'cycle' && record.origin === 'daemon'), name);
	}

	const last = new Map(names.map(name => [name, lastState(journalOf(name)).stateId]));
	await using again = startServer(folder, {...settings, CYCLE_INTERVAL_SECONDS: '864', IDENTITY: 'ada', RESUME_DAEMON: 'true'});
	const nextUrl = await again.ready();
	for (const name of names) {
		const client = createClient({baseUrl: nextUrl, identity: name});
		t.is((await client.daemonStatus()).daemonRunning, name === 'ada', name);
		t.is((await client.state()).stateId, last.get(name)!, name);
	}

	t.true((await createClient({baseUrl: nextUrl}).daemonStatus()).daemonRunning);
	t.is((await again.stop()).code, 0);
});
