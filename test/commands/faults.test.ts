/** Faults of the real service: each gives a clear message, and no acknowledged cycle is lost. */
import {spawnSync} from 'node:child_process';
import {cp, mkdir, mkdtemp, open, rm, stat, truncate, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {SimulatedClock} from 'xstate';
import {JournalError} from '../../src/platform/errors.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {postCycle, startServer, type ServerProcess} from '../helpers/server-process.ts';
import {pattern} from '../helpers/pattern.ts';

const temporaryFolder = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'faults-'));
	t.teardown(async () => rm(folder, {recursive: true, force: true}));
	return folder;
};

const model = await startFakeModel();
test.after.always(async () => model[Symbol.asyncDispose]());

/** For /profile, which needs directions: the packaged ones belong to the bundled model. */
const bundledModel = {EMBEDDING_MODEL: '', EMBEDDING_BASE_URL: '', DIRECTIONS: ''};

/** A service that does not outlive the test. */
const start = (t: ExecutionContext, folder: string, environment: Record<string, string> = {}): ServerProcess => {
	const server = startServer(folder, {...model.settings(), ...environment});
	t.teardown(async () => server.kill());
	return server;
};

/** DATA_DIRs of services that were stopped cleanly, by their number of cycles. */
const prepared = new Map<number, string>();

/** Fills a DATA_DIR with what a service left after some cycles; gives the path of the journal's file. */
const withCycles = async (t: ExecutionContext, folder: string, count = 20): Promise<string> => {
	const left = prepared.get(count) ?? await mkdtemp(path.join(tmpdir(), 'faults-'));
	if (!prepared.has(count)) {
		const server = start(t, left);
		const url = await server.ready();
		await Promise.all(Array.from({length: count}, async (_, i) => postCycle(url, `thought ${i}`)));
		t.is((await server.stop()).code, 0);
		prepared.set(count, left);
	}

	await cp(left, folder, {recursive: true});
	return path.join(folder, 'journal', 'journal.sqlite');
};

const refuses = async (
	t: ExecutionContext,
	folder: string,
	messages: RegExp[],
	environment: Record<string, string> = {},
): Promise<void> => {
	const {code, errors} = await start(t, folder, environment).ended;
	t.is(code, 1);
	for (const message of messages) {
		t.regex(errors, message);
	}

	t.notRegex(errors, /\n\s+at /, 'a message, no stack');
};

/** The contents of the journal's cycles, in order. */
const contentsOf = async (folder: string): Promise<string[]> => {
	using reader = new JournalReader(path.join(folder, 'journal'));
	const contents: string[] = [];
	for await (const {record} of reader.replay()) {
		if (record.kind === 'cycle') {
			contents.push(record.content);
		}
	}

	return contents;
};

test.serial('a second service on the same DATA_DIR is refused with an error that names it, and the first keeps working', async t => {
	const folder = await temporaryFolder(t);
	const first = start(t, folder);
	const url = await first.ready();
	t.is((await postCycle(url, 'before')).body.state_id, 1);
	for (const IDENTITY of ['default', 'ada']) {
		await refuses(
			t,
			folder,
			[new RegExp(`${folder} is in use by another service, .*\\. Stop that service, or configure another folder \\(DATA_DIR\\)`)],
			{IDENTITY},
		);
	}

	t.is((await postCycle(url, 'after')).body.state_id, 2);
	t.is((await first.stop()).code, 0);
	t.deepEqual(await contentsOf(folder), ['before', 'after']);
});

test.serial('a DATA_DIR below a file is refused', async t => {
	const file = path.join(await temporaryFolder(t), 'file');
	await writeFile(file, '');
	await refuses(
		t,
		path.join(file, 'data'),
		[new RegExp(`${file}/data/.* part of its path is a file\\. Configure another folder \\(DATA_DIR\\)`)],
	);
});

test.serial('a journal with a corrupted page is refused, named, and left as it is', async t => {
	const folder = await temporaryFolder(t);
	const file = await withCycles(t, folder);
	const {size} = await stat(file);
	const pageSize = 4096;
	const page = Buffer.alloc(pageSize);
	const handle = await open(file, 'r+');
	const middle = Math.floor(size / pageSize / 2) * pageSize;
	await handle.read(page, 0, pageSize, middle);
	await handle.write(page.map(byte => byte ^ 0xFF), 0, pageSize, middle);
	await handle.close();
	await refuses(t, folder, [new RegExp(`${file} is damaged: .*Keep its folder as it is for a rescue, and restore a copy of it`)]);
	t.is((await stat(file)).size, size);
});

test.serial('a truncated journal is refused, named, and left as it is', async t => {
	const folder = await temporaryFolder(t);
	const file = await withCycles(t, folder);
	const size = Math.floor((await stat(file)).size / 2);
	await truncate(file, size);
	await refuses(t, folder, [new RegExp(`${file} is damaged: .*Keep its folder as it is for a rescue, and restore a copy of it`)]);
	t.is((await stat(file)).size, size);
});

test.serial('an emptied journal is refused, because its mark has the number of acknowledged records', async t => {
	const folder = await temporaryFolder(t);
	const file = await withCycles(t, folder);
	await truncate(file, 0);
	await refuses(t, folder, [
		new RegExp(`${file} is missing or empty, but records up to 20 were acknowledged`),
		/Restore the whole folder from a copy/,
	]);
});

test.serial('a journal refuses another model with both prefixes in the error, and the first model still works', async t => {
	const folder = await temporaryFolder(t);
	await withCycles(t, folder, 2);
	await refuses(
		t,
		folder,
		[/begun with prefix “”.*has prefix “another: ”/, /Configure the first model again.*processual reembed/],
		{EMBEDDING_PREFIX: 'another: '},
	);
	const url = await start(t, folder).ready();
	t.is((await postCycle(url, 'again')).body.state_id, 3);
});

/** Runs a command as root, or with sudo where it needs no password, as on a CI machine. */
const asRoot = (command: string, ...given: string[]): boolean => {
	const [first, ...rest] = process.getuid?.() === 0 ? [command, ...given] : ['sudo', '-n', command, ...given];
	return spawnSync(first!, rest).status === 0;
};

const mountAt = (folder: string, options: string): void => {
	if (!asRoot('mount', '-t', 'tmpfs', '-o', `mode=777,${options}`, 'tmpfs', folder)) {
		throw new Error('This test mounts a small file system: run it as root, or where sudo asks for no password.');
	}
};

const mounted = async (t: ExecutionContext, options: string): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'faults-'));
	mountAt(folder, options);
	t.teardown(async () => {
		asRoot('umount', '--lazy', folder);
		await rm(folder, {recursive: true});
	});
	return folder;
};

/** CI must be able to mount; elsewhere these tests are skipped. */
const onMount = process.platform === 'linux' && (process.env['CI'] !== undefined || asRoot('true')) ? test.serial : test.serial.skip;

const readOnly = pattern(
	/cannot be opened for writing\. Give this process the permission to write the folder.*or configure another folder \(DATA_DIR\)/,
);

onMount('a journal on a file system that became read-only is refused, and loses nothing', async t => {
	const folder = await mounted(t, 'size=4m');
	await withCycles(t, folder, 2);
	t.true(asRoot('mount', '-o', 'remount,ro', folder));
	await refuses(t, folder, [readOnly]);
	t.true(asRoot('mount', '-o', 'remount,rw', folder));
	t.deepEqual((await contentsOf(folder)).toSorted(), ['thought 0', 'thought 1']);
});

onMount('a journal that was closed can be read on a read-only file system', async t => {
	const folder = await mounted(t, 'size=4m');
	await withCycles(t, folder, 2);
	t.true(asRoot('mount', '-o', 'remount,ro', folder));
	t.deepEqual((await contentsOf(folder)).toSorted(), ['thought 0', 'thought 1']);
});

onMount('the journal of a killed service cannot be read on a read-only file system, and the error says to copy it', async t => {
	const folder = await mounted(t, 'size=8m');
	const server = start(t, folder);
	await postCycle(await server.ready(), 'kept');
	await server.kill();
	t.true(asRoot('mount', '-o', 'remount,ro', folder));
	t.throws(() => new JournalReader(path.join(folder, 'journal')), {
		instanceOf: JournalError,
		message: /was not closed.*Copy the whole folder/,
	});
	t.true(asRoot('mount', '-o', 'remount,rw', folder));
	t.deepEqual(await contentsOf(folder), ['kept']);
});

onMount('a new DATA_DIR on a read-only file system is refused', async t => {
	const folder = await mounted(t, 'ro');
	await refuses(t, folder, [readOnly]);
	await refuses(t, path.join(folder, 'new'), [readOnly]);
});

/** Polls until the response is as wanted, for at most a minute. */
const until = async (url: string, isWanted: (response: Response) => boolean): Promise<Response> => {
	for (let tries = 0; tries < 600; tries++) {
		const response = await fetch(url);
		if (isWanted(response)) {
			return response;
		}

		await response.arrayBuffer();
		await setTimeout(100);
	}

	throw new Error(`${url} did not answer as wanted within a minute.`);
};

/** Posts cycles until one is refused; gives the acknowledged contents and the refusal. */
const postUntilRefused = async (url: string, name: string) => {
	const acknowledged: string[] = [];
	for (let i = 0; i < 5000; i++) {
		const content = `${name} ${i}`;
		const {status, body} = await postCycle(url, content);
		if (status !== 200) {
			return {acknowledged, status, body: body as object};
		}

		acknowledged.push(content);
	}

	throw new Error('5000 cycles filled no disk.');
};

onMount('a full disk stops only cycles; with space again, the service recovers by itself, and no acknowledged cycle is lost', async t => {
	const disk = await mounted(t, 'size=2m');
	const ballast = path.join(disk, 'ballast');
	await writeFile(ballast, Buffer.alloc(1_000_000));
	const folder = path.join(disk, 'data');
	const server = start(t, folder, bundledModel);
	const url = await server.ready();

	const first = await postUntilRefused(url, 'first');
	t.true(first.acknowledged.length > 0);
	t.true([500, 503].includes(first.status), `${first.status}`);
	t.regex(JSON.stringify(first.body), /the disk is full/);
	const readiness = await fetch(`${url}/readyz`);
	t.is(readiness.status, 503);
	t.regex(await readiness.text(), /the disk is full\. Free space on it/);
	t.is((await postCycle(url, 'said while it was halted')).status, 503);
	for (const read of ['/livez', '/health', '/state', '/daemon/status', '/vigilance', '/metrics', '/profile']) {
		t.is((await fetch(url + read)).status, 200, read);
	}

	const {state_id: stateId} = await (await fetch(`${url}/state`)).json() as {state_id: number};
	t.is(stateId, first.acknowledged.length, 'readers see what is durable');

	await rm(ballast);
	await until(`${url}/readyz`, ({status}) => status === 200);
	const second = await postUntilRefused(url, 'second');
	t.true(second.acknowledged.length > 0);
	const acknowledged = [...first.acknowledged, ...second.acknowledged];

	// Stop the service while the disk is full, and copy its folder to a larger one.
	await server.stop();
	const larger = path.join(await temporaryFolder(t), 'data');
	await mkdir(larger);
	await cp(folder, larger, {recursive: true});
	const moved = start(t, larger, bundledModel);
	const {body} = await postCycle(await moved.ready(), 'third');
	t.is(body.state_id, acknowledged.length + 1);
	await moved.stop();
	t.deepEqual(await contentsOf(larger), [...acknowledged, 'third']);
});

test.serial('a clock that jumps back changes neither the order of records nor the restored state', async t => {
	const folder = await temporaryFolder(t);
	let now = Date.UTC(2026, 5, 1);
	const begin = async () => startIdentity({
		journal: createSqliteJournal({folder: path.join(folder, 'journal')}),
		time: {now: () => now, elapsed: () => 0},
		newId: () => crypto.randomUUID(),
		clock: new SimulatedClock(),
	});
	const first = await begin();
	for (const year of [2026, 2020, 2031, 1999]) {
		now = Date.UTC(year, 0, 1);
		await first.identity.cycle({content: `in ${year}`});
	}

	const {state} = first.identity.actor.getSnapshot().context;
	await first.identity.dispose();
	t.deepEqual(await contentsOf(folder), ['in 2026', 'in 2020', 'in 2031', 'in 1999']);

	now = Date.UTC(1990, 0, 1);
	const second = await begin();
	t.deepEqual(second.identity.actor.getSnapshot().context.state, state);
	t.is((await second.identity.cycle({content: 'in 1990'})).stateId, 5);
	await second.identity.dispose();
	t.is((await contentsOf(folder)).at(-1), 'in 1990');
});
