/** The connection to PostgreSQL: timeouts, errors and schema versions. */
import {existsSync, readFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {once} from 'node:events';
import test from 'ava';
import {JournalError} from '../../../src/platform/errors.ts';
import {openDatabase} from '../../../src/platform/postgres/database.ts';
import {migrate, requireSchema} from '../../../src/platform/postgres/migrate.ts';
import {migrations, schemaVersion} from '../../../src/platform/postgres/schema.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {openPatiently} from '../../journal/postgres/places.ts';

const server = await startPostgres();
test.after.always(async () => server[Symbol.asyncDispose]());

test('a new database is migrated once, even by several programs at the same time', async t => {
	const url = await server.createDatabase();
	const databases = Array.from({length: 4}, () => openPatiently(url));
	const versions = await Promise.all(databases.map(async database => migrate(database)));
	t.deepEqual(versions.map(({from}) => from).toSorted(), [0, schemaVersion, schemaVersion, schemaVersion]);
	await t.notThrowsAsync(requireSchema(databases[0]!));
	await Promise.all(databases.map(async database => database.close()));
});

test('a database without tables, or with older or newer ones, is refused, and the error says what to do', async t => {
	await using database = openPatiently(await server.createDatabase());
	await t.throwsAsync(requireSchema(database), {instanceOf: JournalError, message: /has no tables .*Run “processual migrate” once/});
	await migrate(database);
	await database.query('update processual.version set version = version + 1');
	await t.throwsAsync(requireSchema(database), {
		instanceOf: JournalError,
		message: /made by a newer version of this software.*Install the newer version/,
	});
	await t.throwsAsync(migrate(database), {instanceOf: JournalError, message: /never changed back/});
	await database.query('update processual.version set version = 0');
	await t.throwsAsync(requireSchema(database), {
		instanceOf: JournalError,
		message: /have version 0, and this software needs \d+\. Run “processual migrate”/,
	});
});

test('a database whose encoding cannot hold every text gets no tables, and a text that it refuses is not called a defect', async t => {
	await server.query('create database latin encoding \'LATIN1\' template template0');
	await using database = openPatiently(server.url.replace(/postgres$/, 'latin'));
	await t.throwsAsync(migrate(database), {instanceOf: JournalError, message: /encoding LATIN1.*encoding 'UTF8' template template0/});
	t.deepEqual(await database.query('select to_regnamespace(\'processual\') as schema'), [{schema: null}]);
	await t.throwsAsync(database.query('select $1::text', ['日本']), {instanceOf: JournalError, message: /encoding .* cannot hold/});
});

test('the error for a file that the database cannot read names its disk, not a defect', async t => {
	await using database = openPatiently(server.url);
	const error = await t.throwsAsync(database.query('select pg_read_file(\'missing\')'), {instanceOf: JournalError});
	t.regex(error.message, /Check its log and its disk/);
	t.true(error.retryable);
});

test('a database of each earlier version is migrated to the newest one with its data', async t => {
	for (let version = 1; version < schemaVersion; version++) {
		await using database = openPatiently(await server.createDatabase());
		await migrate(database, migrations.slice(0, version));
		await database.query('insert into processual.identity (id) values (\'ada\')');
		t.deepEqual(await migrate(database), {from: version, to: schemaVersion});
		t.deepEqual(await database.query('select id, fence is not null as "isFenced" from processual.identity'), [{id: 'ada', isFenced: true}]);
		await t.notThrowsAsync(requireSchema(database));
	}
});

test('a migration that fails leaves the database as it was', async t => {
	const url = await server.createDatabase();
	await using database = openPatiently(url);
	await database.query('create schema processual');
	await t.throwsAsync(migrate(database), {instanceOf: JournalError});
	t.deepEqual(await database.query('select to_regclass(\'processual.version\') as version'), [{version: null}]);
	await database.query('drop schema processual');
	await t.notThrowsAsync(migrate(database));
});

const refusals: Record<string, (url: string) => string> = {
	'refuses this user or password.*percent-encoded': url => url.replace('secret-of-tests', 'another-secret'),
	'does not exist': url => url.replace(/\w+$/, 'nowhere'),
	'cannot be reached': url => url.replace(/:\d+\//, ':1/'),
	'offers no TLS': url => `${url}?sslmode=verify-full`,
};

test('a weaker sslmode is treated as verify-full, and the client prints no warning about it', async t => {
	const warned: string[] = [];
	const listen = ({message}: Error) => warned.push(message);
	process.on('warning', listen);
	t.teardown(() => process.off('warning', listen));
	for (const mode of ['prefer', 'require', 'verify-ca']) {
		await using database = openPatiently(`${server.url}?application_name=x&sslmode=${mode}`);
		await t.throwsAsync(database.query('select 1'), {message: /offers no TLS/}, mode);
		await t.throwsAsync(database.session(), {message: /offers no TLS/}, mode);
	}

	t.deepEqual(warned.filter(message => message.includes('SSL modes')), []);
});

for (const [message, change] of Object.entries(refusals)) {
	test(`a connection error shows neither the address nor the password: ${message}`, async t => {
		await using database = openPatiently(change(server.url));
		for (const ask of [async () => database.query('select 1'), async () => database.session()]) {
			const error = await t.throwsAsync(ask(), {instanceOf: JournalError, message: new RegExp(message)});
			t.notRegex(error!.message, /secret|owner|127\.0\.0\.1/);
		}
	});
}

test('a statement that takes too long is canceled by the server, and the connection stays usable', async t => {
	await using database = openDatabase({url: server.url, poolSize: 1, queryTimeoutMs: 6000});
	const error = await t.throwsAsync(database.query('select pg_sleep(60)'), {instanceOf: JournalError, message: /did not answer in time/});
	t.true(error!.retryable);
	t.deepEqual(await database.query('select 1 as one'), [{one: 1}]);
});

test('a server that accepts a connection and never answers times out', async t => {
	const silent = createServer().listen(0, '127.0.0.1');
	await once(silent, 'listening');
	t.teardown(() => silent.close());
	await using database = openDatabase({url: `postgres://owner:secret@127.0.0.1:${(silent.address() as AddressInfo).port}/x`});
	const error = await t.throwsAsync(database.query('select 1'), {instanceOf: JournalError, message: /did not answer in time/});
	t.true(error!.retryable);
});

test('a session reports that it was cut off, and the pool continues with new connections', async t => {
	const url = await server.createDatabase();
	const warned = Promise.withResolvers<string>();
	await using database = openDatabase({url, queryTimeoutMs: 120_000, logger: {warn: (_, message) => warned.resolve(message)}});
	await database.query('select 1');
	const session = await database.session();
	const ended = new Promise<void>(resolve => {
		session.onEnd(resolve);
	});
	await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [new URL(url).pathname.slice(1)]);
	await ended;
	t.regex(await warned.promise, /A connection to the database broke\. The database is stopping or starting/);
	await t.throwsAsync(session.query('select 1'), {instanceOf: JournalError, message: /cannot be reached/});
	t.deepEqual(await database.query('select 1 as one'), [{one: 1}]);
	await session.close();
});

test('a session that is closed does not report that it was cut off', async t => {
	await using database = openPatiently(server.url);
	const session = await database.session();
	session.onEnd(() => {
		t.fail();
	});
	await session.close();
	t.pass();
});

test('with sessionUrl, other connections send no settings, because a pooler would refuse them', async t => {
	await using database = openDatabase({url: server.url, queryTimeoutMs: 60_000, sessionUrl: `${server.url}?options=-c%20work_mem%3D1MB`});
	const show = 'select current_setting(\'statement_timeout\') as timeout';
	t.deepEqual(await database.query(show), [{timeout: '0'}]);
	const session = await database.session();
	t.deepEqual(await session.query(show), [{timeout: '50s'}]);
	await session.close();
});

test('an unbounded session also drops timeouts of the database, which are for requests through a pooler', async t => {
	const url = await server.createDatabase();
	await server.query(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '2500ms'`);
	await server.query(`alter database ${new URL(url).pathname.slice(1)} set lock_timeout = '2s'`);
	await server.query(`alter database ${new URL(url).pathname.slice(1)} set idle_in_transaction_session_timeout = '2s'`);
	await using database = openPatiently(url);
	const session = await database.session({isBounded: false});
	const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
	t.deepEqual(
		await session.query('select name from pg_settings where name = any($1) and setting <> \'0\'', [limits]),
		[],
	);
	await session.close();
});

test('the end of an idle connection is reported as such, not as a stop of the database or a defect', async t => {
	await using database = openPatiently(server.url);
	for (const state of ['57P05', '25P03']) {
		const error = await t.throwsAsync(
			database.query(`do $$ begin raise exception 'idle' using errcode = '${state}'; end $$`),
			{instanceOf: JournalError, message: /idle for too long.+Check the load of this machine/},
		);
		t.true(error!.retryable);
	}
});

test('the error for a pooler that refuses settings of a connection says how to bypass it', async t => {
	await using database = openPatiently(server.url);
	// The error of pgbouncer when a connection begins.
	const error = await t.throwsAsync(
		database.query('do $$ begin raise exception \'unsupported startup parameter: statement_timeout\' using errcode = \'08P01\'; end $$'),
		{instanceOf: JournalError, message: /A pooler .+Point database\.sessionUrl to the database itself/},
	);
	t.false(error!.retryable);
});

const testOnLinux = existsSync('/proc/net/tcp') ? test : test.skip;

testOnLinux('an idle connection is probed after at most 10 s, so that a vanished server is noticed without a timeout', async t => {
	await using database = openPatiently(server.url);
	const session = await database.session({isBounded: false});
	const [{client}] = await session.query<{client: number}>('select inet_client_port() as client') as [{client: number}];
	const toHex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
	const connection = new RegExp(`:${toHex(client)} \\w+:${toHex(server.port)} \\w+ \\S+ (?<timer>\\w+):(?<ticks>\\w+)`);
	const {timer, ticks} = connection.exec(readFileSync('/proc/net/tcp', 'utf8'))!.groups!;
	t.is(timer, '02', 'the timer is that of keep-alive');
	t.true(Number.parseInt(ticks!, 16) <= 1000, 'in hundredths of a second');
	await session.close();
});
