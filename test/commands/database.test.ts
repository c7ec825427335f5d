/** Commands on a journal in PostgreSQL: migrate, move there and back, instruments and exports on either journal, and roles. */
import {existsSync} from 'node:fs';
import {cp, mkdir, mkdtemp, readdir, readFile, rename, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {loadBuiltInDirections} from '../../src/actors/packaged.ts';
import {acceptLossOf, migrateDatabase} from '../../src/commands/migrate.ts';
import {checkDatabase, checkJournal} from '../../src/commands/doctor/checks.ts';
import {exportEntries} from '../../src/commands/export.ts';
import {importHistory} from '../../src/commands/look.ts';
import {moveIdentity} from '../../src/commands/move.ts';
import {readJournalOf} from '../../src/commands/open-journal.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {bundledModel} from '../../src/embedding/use-lite/identifier.ts';
import {ConfigurationError, ConflictError, JournalError, MovedError, UnknownIdentityError} from '../../src/platform/errors.ts';
import type {Database} from '../../src/platform/postgres/database.ts';
import {openToWrite} from '../../src/platform/sqlite/open-database.ts';
import {ensureIdentityRow} from '../../src/journal/postgres/identity-rows.ts';
import {createPostgresJournal} from '../../src/journal/postgres/postgres-journal.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {markMoving} from '../../src/journal/sqlite/moving.ts';
import {openSqliteRows} from '../../src/journal/sqlite/sqlite-rows.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {openMessageTable} from '../../src/sources/message-table.ts';
import {openPostgresStore} from '../../src/sources/store/postgres/store.ts';
import {FakeEncoder, startIdentity} from '../actors/fixtures.ts';
import {startPostgres} from '../helpers/postgres.ts';
import {some} from '../sources/store/writable-conformance.ts';
import {openPatiently} from '../journal/postgres/places.ts';
import {cycle, genesis, range, recordOf, validationUpTo, untilCompacted} from '../journal/records.ts';
import {ask} from './ask.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

/** The bundled model's passport: its directions come with the package. */
const passport = {model: bundledModel, width: 512, pooling: 'none', prefix: '', dtype: 'q8'};

const makeFolder = async (t: ExecutionContext): Promise<string> => {
	const folder = await mkdtemp(path.join(tmpdir(), 'database-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	return folder;
};

/** Settings of a folder and of a new database with tables. */
const prepare = async (t: ExecutionContext) => {
	const folder = await makeFolder(t);
	const url = await server.createDatabase();
	const inFiles = readSettings({DATA_DIR: folder}, {});
	const inDatabase = readSettings({DATA_DIR: folder, DATABASE_URL: url}, {});
	await migrateDatabase(inDatabase);
	return {folder, url, inFiles, inDatabase};
};

/** A journal with compacted records, whole ones and a validation. */
const fill = async (folder: string): Promise<void> => {
	const journal = createSqliteJournal({folder: path.join(folder, 'journal'), compaction: {keepRecords: 500, snapshotEvery: 10}});
	await journal.open();
	await journal.begin(genesis);
	await Promise.all(range(1, 600).map(async seq => journal.append(recordOf(seq))));
	await journal.append(cycle(601, {content: 'with\0nought'}));
	await untilCompacted(journal, 100);
	await journal.close();
};

test('the tables are created once; without DATABASE_URL, migrate is an error', async t => {
	const settings = readSettings({DATABASE_URL: await server.createDatabase()}, {});
	t.regex(await migrateDatabase(settings), /from version 0 to \d+/);
	t.regex(await migrateDatabase(settings), /already/);
	await t.throwsAsync(migrateDatabase(readSettings({}, {})), {instanceOf: ConfigurationError, message: /set DATABASE_URL/});
});

test('an invalid DATABASE_URL is refused, and its password is not shown', t => {
	const error = t.throws(() => readSettings({DATABASE_URL: 'mysql://me:secret-word@host/db'}, {}), {
		instanceOf: ConfigurationError,
		message: /DATABASE_URL needs the address of a PostgreSQL database/,
	});
	t.notRegex(error!.message, /secret-word/);
});

test('import history does not begin an identity in a database, and says what does', async t => {
	const {inDatabase} = await prepare(t);
	await t.throwsAsync(importHistory(inDatabase, ['talk.jsonl'], {}), {
		instanceOf: UnknownIdentityError, message: /no identity “default” in the database yet.*run “processual serve”/,
	});
});

test('an identity moves to the database and back with the same bits, and each original is kept', async t => {
	const {folder, url, inDatabase} = await prepare(t);
	await fill(folder);
	t.regex(
		await moveIdentity(inDatabase, 'default', 'postgres'),
		/“default” is in the database with 601 records, compared bit for bit\. The old journal is kept in .*journal~1/,
	);
	t.deepEqual(await readdir(folder), ['journal~1']);

	await using database = openPatiently(url);
	const journal = createPostgresJournal({database, name: 'default'});
	const restored = await journal.open();
	t.is(restored!.records, 601);
	t.deepEqual(await journal.validation(), validationUpTo(600));
	await journal.append(cycle(602));
	await journal.close();

	t.regex(await moveIdentity(inDatabase, 'default', 'sqlite'), /with 602 records, compared bit for bit\. In the database it was put aside/);
	await t.throwsAsync(journal.open(), {instanceOf: UnknownIdentityError});
	const [original, back] = [openSqliteRows(path.join(folder, 'journal~1')), openSqliteRows(path.join(folder, 'journal'))];
	t.is(back.compacted, original.compacted);
	const plain = async (rows: typeof original) => (await rows.read(1, 1000)).filter(({seq}) => seq <= 601).map(row => ({...row}));
	t.deepEqual(await plain(back), await plain(original));
	await Promise.all([original, back].map(async rows => rows[Symbol.asyncDispose]()));

	const again = createSqliteJournal({folder: path.join(folder, 'journal')});
	t.is((await again.open())!.records, 602);
	await again.append(cycle(603));
	await again.close();
	await moveIdentity(inDatabase, 'default', 'postgres');
	t.is((await journal.open())!.records, 603);
	await journal.close();
});

test('a move is refused if the target has the identity and no move was interrupted', async t => {
	const {folder, inDatabase} = await prepare(t);
	await fill(folder);
	const [original, place] = ['journal~1', 'journal'].map(name => path.join(folder, name)) as [string, string];
	await moveIdentity(inDatabase, 'default', 'postgres');
	const refuses = async (to: 'postgres' | 'sqlite', message: RegExp) =>
		t.throwsAsync(moveIdentity(inDatabase, 'default', to), {instanceOf: ConflictError, message});
	await refuses('postgres', /“default” is already in the database, and .* does not exist/);
	await rename(original, place);
	await refuses('sqlite', /journal already has an identity/);
	await refuses('postgres', /“default”/);
	t.deepEqual(await readdir(folder), ['journal']);

	await rename(place, original);
	await moveIdentity(inDatabase, 'default', 'sqlite');
	await refuses('sqlite', /“default” is in .*journal already, and the database has no identity of that name/);
});

test('if a killed move left an identity in two places, only one of them opens, and the next move completes it', async t => {
	const {folder, url, inFiles, inDatabase} = await prepare(t);
	await fill(folder);
	const place = path.join(folder, 'journal');
	await moveIdentity(inDatabase, 'default', 'postgres');
	await using database = openPatiently(url);
	const [{life}] = await database.query<{life: string}>('select life from processual.identity') as [{life: string}];
	await rename(path.join(folder, 'journal~1'), place);
	markMoving(place, {to: 'postgres', life});
	const message = /journal is being moved, or a move was interrupted, .*“processual move NAME --to postgres” with the same database\.url/;
	await t.throwsAsync(createSqliteJournal({folder: place}).open(), {instanceOf: JournalError, message});
	await t.throwsAsync(readJournalOf(inFiles, () => {}), {instanceOf: JournalError, message});
	await t.throwsAsync(moveIdentity(inDatabase, 'default', 'sqlite'), {message: /Finish it .*“processual move default --to postgres”/});

	const journal = createPostgresJournal({database, name: 'default'});
	await journal.open();
	await journal.append(cycle(602));
	await journal.close();
	t.regex(await moveIdentity(inDatabase, 'default', 'postgres'), /is in the database with 601 records.*kept in .*journal~1/);

	// The way back: the copy in the folder lacks a record that a node wrote later.
	await cp(path.join(folder, 'journal~1'), place, {recursive: true});
	markMoving(place, {to: 'sqlite', life});
	await t.throwsAsync(createSqliteJournal({folder: place}).open(), {instanceOf: JournalError, message: /NAME --to sqlite/});
	await t.throwsAsync(moveIdentity(inDatabase, 'default', 'postgres'), {message: /Finish it .*“processual move default --to sqlite”/});
	t.regex(await moveIdentity(inDatabase, 'default', 'sqlite'), /with 602 records, compared/);
	markMoving(place, {to: 'sqlite', life});
	t.regex(await moveIdentity(inDatabase, 'default', 'sqlite'), /“default” is in .*journal\. In the database it was put aside/);
	t.deepEqual(await readJournalOf(inFiles, ({records}) => records), 602);
});

test('a move that was interrupted before the database had the identity starts over, and only in the same database', async t => {
	const {folder, url, inFiles, inDatabase} = await prepare(t);
	await fill(folder);
	const place = path.join(folder, 'journal');
	await using database = openPatiently(url);
	await database.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
		create trigger refused before update on processual.identity for each row
		when (new.id = 'default') execute function refuse()`);
	await t.throwsAsync(moveIdentity(inDatabase, 'default', 'postgres'), {message: /refused a statement/});
	t.is(await readJournalOf(inFiles, ({records}) => records), 601, 'the files can be read, because the database may not have the identity');

	await database.query('drop trigger refused on processual.identity');
	await ensureIdentityRow(database, 'default~new');
	const [{life}] = await database.query<{life: string}>('select life from processual.identity') as [{life: string}];
	markMoving(place, {to: 'postgres', life});
	const elsewhere = {...inDatabase, DATABASE_URL: await server.createDatabase()};
	await migrateDatabase(elsewhere);
	await t.throwsAsync(moveIdentity(elsewhere, 'default', 'postgres'), {
		instanceOf: ConflictError, message: /Set DATABASE_URL to the database of that move\..* remove .*move\.mark/,
	});
	t.regex(await moveIdentity(inDatabase, 'default', 'postgres'), /is in the database with 601 records/);
	t.deepEqual(await readdir(folder), ['journal~1']);
	t.false(existsSync(path.join(folder, 'journal~1', 'move.mark')));
});

test('a move to files puts the identity aside and deletes its keys in the database together, or does neither', async t => {
	const {folder, url, inDatabase} = await prepare(t);
	await fill(folder);
	await moveIdentity(inDatabase, 'default', 'postgres');
	await using database = openPatiently(url);
	const left = async () => database.query('select aside, (select count(*)::int from processual.key) as keys from processual.identity');
	await database.query('insert into processual.key (name, entry) values ($1, $2)', ['default', JSON.stringify({key: 'AA', by: 'BB'})]);
	await database.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
		create trigger refused before delete on processual.key execute function refuse()`);
	await t.throwsAsync(moveIdentity(inDatabase, 'default', 'sqlite'), {message: /refused a statement/});
	t.deepEqual(await left(), [{aside: false, keys: 1}]);

	await database.query('drop trigger refused on processual.key');
	t.regex(await moveIdentity(inDatabase, 'default', 'sqlite'), /with 601 records/);
	t.deepEqual(await left(), [{aside: true, keys: 0}]);
});

test('an identity is not moved while a service has it, or if its name is taken', async t => {
	const {folder, url, inDatabase} = await prepare(t);
	await fill(folder);
	const open = createSqliteJournal({folder: path.join(folder, 'journal')});
	await open.open();
	await t.throwsAsync(moveIdentity(inDatabase, 'default', 'postgres'), {instanceOf: JournalError, message: /in use by another process/});
	await open.close();

	await using database = openPatiently(url);
	await ensureIdentityRow(database, 'default');
	await t.throwsAsync(moveIdentity(inDatabase, 'default', 'postgres'), {instanceOf: ConflictError});
	await t.throwsAsync(moveIdentity(inDatabase, 'default', 'sqlite'), {instanceOf: ConflictError});
	await t.throwsAsync(moveIdentity(inDatabase, 'another', 'sqlite'), {instanceOf: UnknownIdentityError});
	await t.throwsAsync(moveIdentity(inDatabase, 'another', 'postgres'), {instanceOf: UnknownIdentityError, message: /does not exist/});
	t.deepEqual(await readdir(folder), ['journal']);

	const session = await database.session();
	await session.query('select pg_advisory_lock($1, 7)', [0x50_53]);
	await ensureIdentityRow(database, 'busy');
	await database.query('update processual.identity set node = 7 where id = \'busy\'');
	await t.throwsAsync(moveIdentity(inDatabase, 'busy', 'sqlite'), {instanceOf: MovedError});
	await session.close();
});

test('a move affects no other identity, whatever its name', async t => {
	const {folder, inDatabase} = await prepare(t);
	await fill(folder);
	const identities = path.join(folder, 'identities');
	await mkdir(identities);
	await rename(path.join(folder, 'journal'), path.join(identities, 'ada'));
	await cp(path.join(identities, 'ada'), path.join(identities, 'ada.new'), {recursive: true});
	await moveIdentity(inDatabase, 'ada', 'postgres');
	await moveIdentity(inDatabase, 'ada', 'sqlite');
	await using journals = openJournals({folder: identities});
	t.deepEqual(await journals.list(), ['ada', 'ada.new'], 'the kept journal is not listed');
});

test('if a node takes over an identity during a move to files, only the node has it', async t => {
	const {folder, url, inDatabase} = await prepare(t);
	await fill(folder);
	await moveIdentity(inDatabase, 'default', 'postgres');
	await using database = openPatiently(url);
	await database.query(`
		create function processual.take() returns trigger language plpgsql as $$ begin
			return case when new.aside and not old.aside then null else new end;
		end $$;
		create trigger take before update on processual.identity for each row execute function processual.take()`);
	await t.throwsAsync(moveIdentity(inDatabase, 'default', 'sqlite'), {instanceOf: MovedError, message: /^A node took “default” over/});
	t.false(existsSync(path.join(folder, 'journal')));
	await database.query('drop trigger take on processual.identity');
	await moveIdentity(inDatabase, 'default', 'sqlite');
	t.true(existsSync(path.join(folder, 'journal')));
});

test('an interrupted move to the database starts over', async t => {
	const {folder, url, inDatabase} = await prepare(t);
	await fill(folder);
	await using database = openPatiently(url);
	await ensureIdentityRow(database, 'default~new');
	await database.query(
		'insert into processual.record (identity, seq, kind, id, timestamp, checksum) select no, 1, \'reset\', \'r\', '
			+ '\'t\', 0 from processual.identity',
	);
	await moveIdentity(inDatabase, 'default', 'postgres');
	t.deepEqual(await database.query('select id from processual.identity'), [{id: 'default'}]);
});

test('a move does not touch the draft of another command with the same name', async t => {
	const {folder, inDatabase} = await prepare(t);
	await Promise.all(['journal', 'journal~new/of the other'].map(async each => mkdir(path.join(folder, each), {recursive: true})));
	using lock = openToWrite(path.join(folder, 'journal~lock'));
	lock.exec('begin exclusive');
	const moves = (['sqlite', 'postgres'] as const).map(async to => moveIdentity(inDatabase, 'default', to));
	await Promise.all(moves.map(async move => t.throwsAsync(move, {message: /journal~new is in use: another command is writing/})));
	t.deepEqual(await readdir(path.join(folder, 'journal~new')), ['of the other']);
});

test('instruments, profile, doctor and export give the same results on either journal', async t => {
	const {folder, inFiles, inDatabase} = await prepare(t);
	const {identity, clock} = await startIdentity({
		encoder: Object.assign(new FakeEncoder(), {passport}),
		directions: loadBuiltInDirections,
		journal: createSqliteJournal({folder: path.join(folder, 'journal')}),
	});
	for (const [content, source] of [['The sea is quiet.', 'Ada'], ['Bread.', 'Bruno'], ['A boat.', 'Ada']] as const) {
		clock.increment(60_000);
		await identity.cycle({content, metadata: {source}});
	}

	await identity.dispose();
	const askAll = async (settings: typeof inFiles) => {
		const file = path.join(folder, settings.DATABASE_URL === undefined ? 'one.jsonl' : 'other.jsonl');
		await exportEntries(settings, file);
		return [
			await ask(settings, 'ledger', '--direction', 'relational.trust', '--json'),
			await ask(settings, 'history', '--points', '3', '--since', '1', '--json'),
			await ask(settings, 'diff', '--from', '1', '--to', '2', '--json'),
			await ask(settings, 'drift', '--json'),
			await ask(settings, 'profile', '--json'),
			(await checkJournal(settings, null))?.message,
			await readFile(file, 'utf8'),
		];
	};

	const before = await askAll(inFiles);
	await moveIdentity(inDatabase, 'default', 'postgres');
	t.deepEqual(await askAll(inDatabase), before);
	await t.throwsAsync(ask(inDatabase, 'validate', 'Who it is.'), {message: /too few texts|texts/});
	await t.throwsAsync(ask({...inDatabase, IDENTITY: 'another'}, 'ledger'), {instanceOf: UnknownIdentityError});
});

/** Runs a psql script with variables: statements, and queries whose results are statements (`\gexec`). */
const runScript = async (database: Database, file: string, variables: Record<string, string>): Promise<void> => {
	const text = (await readFile(file, 'utf8'))
		.replaceAll(/^--.*$/gm, '')
		.replaceAll(/:'(\w+)'/g, (_, name: string) => `'${variables[name]!}'`);
	for (const [, statement, end] of text.matchAll(/\s*([^;\\]+)(;|\\gexec)/g)) {
		const rows = await database.query<Record<string, string>>(statement!);
		for (const made of end === ';' ? [] : rows.flatMap(row => Object.values(row))) {
			await database.query(made);
		}
	}
};

test('with the roles of the cluster example, only the owner creates tables, and the nodes\' role can do everything else', async t => {
	const folder = await makeFolder(t);
	const url = await server.createDatabase();
	const as = (role: string) => url.replace('owner:secret-of-tests', `processual_${role}:password-of-${role}`);
	await using superuser = openPatiently(url);
	await runScript(superuser, 'examples/cluster/roles.sql', {owner_password: 'password-of-owner', app_password: 'password-of-app'});
	const settings = readSettings({DATA_DIR: folder, DATABASE_URL: as('app')}, {});
	await t.throwsAsync(migrateDatabase(settings), {instanceOf: JournalError, message: /does not let this role do that/});
	await migrateDatabase({...settings, DATABASE_URL: as('owner')});
	await using owner = openPatiently(as('owner'));
	const applicationUrl = as('app');
	await fill(folder);
	await moveIdentity(settings, 'default', 'postgres');
	await using database = openPatiently(applicationUrl);
	t.like(await openPostgresStore(database).write(some), {added: 6});
	t.like(await openMessageTable(database).write([{
		conversation: 'a',
		title: null,
		isDeleted: false,
		role: 'user',
		content: 'a text',
		createdAt: '2026-01-01T00:00:00Z',
	}]), {added: 1});
	await ensureIdentityRow(database, 'second');
	const journal = createPostgresJournal({database, name: 'second', compaction: {keepRecords: 0, snapshotEvery: 2}});
	await journal.open();
	await journal.begin(genesis);
	await Promise.all(range(1, 20).map(async seq => journal.append(recordOf(seq))));
	await untilCompacted(journal, 20);
	await journal.close();
	await moveIdentity(settings, 'default', 'sqlite');
	t.regex(await migrateDatabase(settings), /already/);
	t.is((await checkDatabase(settings)).state, 'warning');
	await owner.query('revoke delete on processual.thought from processual_app');
	await t.throwsAsync(checkDatabase(settings), {
		instanceOf: JournalError, message: /may not read and write processual\.thought\. Grant it/,
	});
	await t.throwsAsync(checkDatabase({...settings, DATABASE_URL: `${as('owner')}?options=-c%20default_transaction_read_only%3Don`}), {
		instanceOf: JournalError, message: /The database is read-only.+default_transaction_read_only = on.+turn that off/,
	});
	await owner.query('update processual.version set version = 0');
	await t.throwsAsync(migrateDatabase(settings), {instanceOf: JournalError, message: /does not let this role do that/});
	const error = await t.throwsAsync(database.query('create table processual.mine (a integer)'), {
		instanceOf: JournalError,
		message: /does not let this role do that: permission denied for schema processual\. Grant/,
	});
	t.true(error.retryable, 'rights can be granted without a restart');
});

test('a command accepts lost records and lists them; the doctor warns if the database may lose more', async t => {
	const {url, inFiles, inDatabase} = await prepare(t);
	await using database = openPatiently(url);
	await ensureIdentityRow(database, 'ada');
	await t.throwsAsync(acceptLossOf(inFiles, 'ada'), {instanceOf: ConfigurationError, message: /set DATABASE_URL/});
	await t.throwsAsync(acceptLossOf(inDatabase, 'ada'), {instanceOf: ConflictError, message: /nothing to accept/});
	const timestamp = '2026-01-01T00:00:00.000Z';
	await database.query('update processual.identity set seq = 20, lost = $1', [{seq: 30, kept: 20, timestamp}]);
	t.is(await acceptLossOf(inDatabase, 'ada'), `“ada” continues after record 20. Lost: records 21 to 30, the last of ${timestamp}.`);
	t.deepEqual(await checkDatabase(inDatabase), {
		state: 'warning', message: 'The database runs with fsync = off: a crash of its machine can damage all of it. Set it to on.',
	});
});
