/** Backups while a service or a node writes: each is a prefix of the journal, bit for bit, and can be restored. */
import {chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {backUp, restore} from '../../src/commands/backup.ts';
import {migrateDatabase} from '../../src/commands/migrate.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import type {Settings} from '../../src/commands/settings.ts';
import {requireSameRows, type JournalRows} from '../../src/journal/journal-rows.ts';
import {ensureIdentityRow} from '../../src/journal/postgres/identity-rows.ts';
import {createPostgresJournal} from '../../src/journal/postgres/postgres-journal.ts';
import {openPostgresRows} from '../../src/journal/postgres/postgres-rows.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {openSqliteRows} from '../../src/journal/sqlite/sqlite-rows.ts';
import {ConfigurationError, ConflictError, JournalError, UnknownIdentityError} from '../../src/platform/errors.ts';
import {startFakeModel} from '../fault-injection/fake-model.ts';
import {startPostgres} from '../helpers/postgres.ts';
import {startServer} from '../helpers/server-process.ts';
import {openPatiently} from '../journal/postgres/places.ts';
import {cycle, genesis} from '../journal/records.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

const makeFolder = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'backup-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	return folder;
};

/** The journal up to a record. */
const until = (rows: JournalRows, last: number): JournalRows =>
	({...rows, last, read: async (from, count) => rows.read(from, Math.min(count, last - from + 1))});

const restoreTo = async (t: ExecutionContext, file: string): Promise<string> => {
	const folder = await makeFolder(t);
	t.regex(await restore(readSettings({DATA_DIR: folder}, {}), file), /^“default” is restored with \d+ records/);
	return path.join(folder, 'journal');
};

/** Writes until the returned function is called. */
const writing = (write: (n: number) => Promise<unknown>) => {
	const over = new AbortController();
	const done = (async () => {
		for (let n = 1; !over.signal.aborted; n++) {
			await write(n);
		}
	})();
	return async () => {
		over.abort();
		await done;
	};
};

test('each backup of a service under load is a prefix of its journal, with the same state', async t => {
	const folder = await makeFolder(t);
	await using model = await startFakeModel();
	const settings = readSettings({DATA_DIR: folder, AUTH_TOKEN: 'a-secret-of-this-test'}, {});
	const files: string[] = [];
	{
		await using service = startServer(folder, {...model.settings(), AUTH_TOKEN: 'a-secret-of-this-test'});
		const url = await service.ready();
		const say = async (client: number, n: number) => fetch(`${url}/cycle`, {
			method: 'POST',
			headers: {'content-type': 'application/json', authorization: 'Bearer a-secret-of-this-test'},
			body: JSON.stringify({content: `thought ${n} of ${client}`}),
		});
		const stops = [1, 2, 3, 4].map(client => writing(async n => say(client, n)));
		for (let i = 0; i < 3; i++) {
			await say(0, i);
			files.push(path.join(folder, `copy-${i}.sqlite`));
			await backUp(settings, files.at(-1)!);
		}

		await t.throwsAsync(backUp(readSettings({DATA_DIR: folder}, {}), path.join(folder, 'no')), {
			instanceOf: ConfigurationError, message: /set AUTH_TOKEN/,
		});
		const headers = {authorization: 'Bearer a-secret-of-this-test', origin: 'https://elsewhere.example'};
		t.is((await fetch(`${url}/backup`, {method: 'POST', headers})).status, 403);
		await Promise.all(stops.map(async stop => stop()));
		await service.stop();
	}

	const live = path.join(folder, 'journal');
	await using original = openSqliteRows(live);
	using reader = new JournalReader(live);
	for (const file of files) {
		const restored = await restoreTo(t, file);
		await using rows = openSqliteRows(restored);
		t.true(rows.last > 0 && rows.last < original.last, `${rows.last} of ${original.last}`);
		await requireSameRows(until(original, rows.last), rows);
		using copy = new JournalReader(restored);
		t.deepEqual(copy.current.rows, reader.stateAfter(copy.records).rows);
	}
});

test('a backup of an identity in the database is a prefix of its journal while a node writes', async t => {
	const folder = await makeFolder(t);
	const url = await server.createDatabase();
	const settings: Settings = readSettings({DATA_DIR: folder, DATABASE_URL: url, IDENTITY: 'ada'}, {});
	await migrateDatabase(settings);
	await using database = openPatiently(url);
	await ensureIdentityRow(database, 'ada');
	const journal = createPostgresJournal({database, name: 'ada', compaction: {keepRecords: 100, keepDays: 0}});
	await journal.open();
	await journal.begin(genesis);
	const stop = writing(async n => journal.append(cycle(n)));
	const file = path.join(folder, 'ada.sqlite');
	while ((await journal.read(120, 1)).length === 0) {
		await new Promise(setImmediate);
	}

	t.regex(await backUp(settings, file), /has “ada” with \d+ records.* restore \S+ --identity ada” restores it/);
	await stop();
	await journal.close();

	await restore({...settings, IDENTITY: 'copy'}, file);
	const [original, copy] = [await openPostgresRows(database, 'ada'), await openPostgresRows(database, 'copy')];
	t.true(copy.last >= 120 && copy.last <= original.last);
	const newest = async (rows: JournalRows) => rows.read(copy.last, 1);
	t.deepEqual(await newest(copy), await newest(until(original, copy.last)));
	await using inFiles = openSqliteRows(await restoreTo(t, file));
	await requireSameRows(copy, inFiles);
	await t.throwsAsync(restore(settings, file), {instanceOf: ConflictError});

	await database.query('alter table processual.genesis add constraint small check (identity < 3)');
	await t.throwsAsync(restore({...settings, IDENTITY: 'again'}, file), {instanceOf: JournalError});
	t.deepEqual(await database.query('select id from processual.identity order by id'), [{id: 'ada'}, {id: 'copy'}], 'nothing is left');

	await t.throwsAsync(backUp({...settings, IDENTITY: 'eve'}, path.join(folder, 'eve')), {instanceOf: UnknownIdentityError});
});

test('backup and restore replace nothing, and a damaged backup is refused', async t => {
	const folder = await makeFolder(t);
	const settings = readSettings({DATA_DIR: folder}, {});
	const file = path.join(folder, 'copy.sqlite');
	await t.throwsAsync(backUp(settings, file), {instanceOf: UnknownIdentityError});
	await using model = await startFakeModel();
	{
		await using service = startServer(folder, model.settings());
		await service.ready();
		await service.stop();
	}

	await backUp(settings, file);
	await mkdir(`${file}~new`);
	await t.throwsAsync(backUp(settings, file), {instanceOf: ConfigurationError, message: /already exists/});
	await t.throwsAsync(stat(`${file}~new`), {code: 'ENOENT'}, 'the remains of a kill after the rename are removed');
	await t.throwsAsync(restore(settings, file), {instanceOf: ConflictError, message: /already has an identity/});
	const content = await readFile(file);
	const bare = readSettings({DATA_DIR: path.join(folder, 'bare')}, {});
	await mkdir(path.join(folder, 'bare', 'journal'), {recursive: true});
	await writeFile(path.join(folder, 'bare', 'journal', 'journal.sqlite-wal'), 'for a rescue');
	t.regex(await restore(bare, file), /The files left in .*journal were moved to .*journal~1\.$/);
	t.is(await readFile(path.join(folder, 'bare', 'journal~1', 'journal.sqlite-wal'), 'utf8'), 'for a rescue');
	const own = readSettings({DATA_DIR: path.join(folder, 'own')}, {});
	await chmod(file, 0o644);
	await restore(own, file);
	for (const name of ['', 'journal.sqlite']) {
		const {mode} = await stat(path.join(folder, 'own', 'journal', name));
		t.is(mode & 0o77, 0, 'only the owner can access the restored journal');
	}
	content.fill(7, content.length / 2, content.length / 2 + 4096);
	await writeFile(file, content);
	const other = readSettings({DATA_DIR: path.join(folder, 'other')}, {});
	await t.throwsAsync(restore(other, file), {
		instanceOf: JournalError, message: /copy\.sqlite cannot be restored, and nothing has changed: it is not a backup, or it is damaged/,
	});
	await t.throwsAsync(restore(other, path.join(folder, 'missing')), {instanceOf: ConfigurationError});
});

test('of two restores of the same name from two hosts, one is refused and the other completes', async t => {
	const url = await server.createDatabase();
	const [here, there] = await Promise.all([makeFolder(t), makeFolder(t)]);
	await migrateDatabase(readSettings({DATA_DIR: here, DATABASE_URL: url}, {}));
	const file = path.join(here, 'ada.sqlite');
	const journal = createSqliteJournal({folder: path.join(here, 'journal')});
	await journal.open();
	await journal.begin(genesis);
	for (let n = 1; n <= 300; n++) {
		await journal.append(cycle(n));
	}

	await journal.close();
	await backUp(readSettings({DATA_DIR: here}, {}), file);
	const ended = await Promise.allSettled([here, there].map(async folder =>
		restore(readSettings({DATA_DIR: folder, DATABASE_URL: url, IDENTITY: 'ada'}, {}), file)));
	const refused = ended.find(each => each.status === 'rejected');
	t.deepEqual(ended.map(({status}) => status).toSorted(), ['fulfilled', 'rejected']);
	t.true(refused!.reason instanceof ConflictError, String(refused!.reason));
	await using database = openPatiently(url);
	t.is((await openPostgresRows(database, 'ada')).last, 300);
});
