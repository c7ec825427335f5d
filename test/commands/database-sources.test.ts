/** The sources of identities in PostgreSQL: import, export, the doctor, begin and reembed, without files on the nodes. */
import {mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {begin} from '../../src/commands/begin.ts';
import {diagnose} from '../../src/commands/doctor/diagnose.ts';
import {exportEntries} from '../../src/commands/export.ts';
import {importEntries} from '../../src/commands/import.ts';
import {migrateDatabase} from '../../src/commands/migrate.ts';
import {moveIdentity} from '../../src/commands/move.ts';
import {openSources} from '../../src/commands/open-sources.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {reembedInDatabase, reembedJournal} from '../../src/commands/reembed.ts';
import type {Settings} from '../../src/commands/settings.ts';
import {ConfigurationError, ConflictError, JournalError, MovedError, StoreError, UnknownIdentityError} from '../../src/platform/errors.ts';
import {requireSameRows} from '../../src/journal/journal-rows.ts';
import type {Database} from '../../src/platform/postgres/database.ts';
import {ensureIdentityRow} from '../../src/journal/postgres/identity-rows.ts';
import {createPostgresJournal} from '../../src/journal/postgres/postgres-journal.ts';
import {replacePostgresJournal} from '../../src/journal/postgres/replacement.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {openSqliteRows} from '../../src/journal/sqlite/sqlite-rows.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {FakeEncoder, startIdentity, vectorOf} from '../actors/fixtures.ts';
import {startPostgres} from '../helpers/postgres.ts';
import {openPatiently} from '../journal/postgres/places.ts';
import {cycle, genesis} from '../journal/records.ts';
import {ask} from './ask.ts';
import {run} from './run-command.ts';

const server = startPostgres();
test.after.always(async () => (await server)[Symbol.asyncDispose]());

const vector = [...vectorOf('who I am')];

const entries = [
	{kind: 'state', state_id: 7, timestamp: '2026-01-01T00:00:00.000Z', model: null, vector},
	{kind: 'thought', thought_type: 'insight', content: 'a thought', model: null, vector},
	{kind: 'direction', category: 'affective', name: 'calm', pole_positive: 'calm', pole_negative: 'agitated', model: null, vector},
	{
		kind: 'message',
		conversation: 'a',
		title: null,
		deleted: false,
		role: 'user',
		content: 'What I said was long enough.',
		created: '2026-01-01T00:00:00Z',
	},
].map(entry => `${JSON.stringify(entry)}\n`).join('');

/** A new database with tables, and the settings of a node that uses it. */
const prepare = async (t: ExecutionContext) => {
	const url = await (await server).createDatabase();
	const addNode = async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'node-'));
		t.teardown(async () => rm(folder, {recursive: true}));
		return {folder, settings: readSettings({DATA_DIR: folder, DATABASE_URL: url, PORT: '0', EMBEDDING_OFFLINE: 'true'}, {}, false)};
	};

	const {folder, settings} = await addNode();
	await migrateDatabase(settings);
	const database = openPatiently(url);
	t.teardown(async () => database.close());
	return {folder, settings, addNode, database};
};

const importAll = async ({DATA_DIR, ...settings}: Settings): Promise<void> => {
	const file = path.join(DATA_DIR, 'entries.jsonl');
	await writeFile(file, entries);
	await importEntries({...settings, DATA_DIR}, 'all', file);
	await rm(file);
};

test('one node exports what another imported, and the importing node keeps no file of it', async t => {
	const {folder, settings, addNode} = await prepare(t);
	await importAll(settings);
	t.deepEqual(await readdir(folder), []);
	const other = await addNode();
	const file = path.join(other.folder, 'export.jsonl');
	await exportEntries(other.settings, file);
	t.is(await readFile(file, 'utf8'), entries);
});

test('messages are imported into MESSAGES_FILE if it is set; an import into Weaviate is refused', async t => {
	const {folder, settings} = await prepare(t);
	await importAll({...settings, MESSAGES_FILE: path.join(folder, 'own.sqlite')});
	t.deepEqual(await readdir(folder), ['own.sqlite']);
	await t.throwsAsync(importAll({...settings, WEAVIATE_URL: 'http://localhost:1'}), {instanceOf: ConfigurationError, message: /Weaviate/});
});

test('the doctor checks the sources in the database', async t => {
	const {settings} = await prepare(t);
	const findings = async () =>
		Object.fromEntries((await collectFindings(settings)).map(({part, state, message}) => [part, `${state}: ${message}`]));
	t.regex((await findings())['store']!, /^warning: the store in the database has no state, so a new journal begins with a random state/);
	await importAll(settings);
	const found = await findings();
	t.is(found['journal'], 'ok: there is none yet; the next start creates one');
	t.regex(found['store']!, /^ok: the store in the database has state 7/);
	t.is(found['reference'], 'ok: made of messages');
	t.is(found['directions'], 'ok: 1 directions');
	const unmigrated = await collectFindings({...settings, DATABASE_URL: await (await server).createDatabase()});
	t.regex(unmigrated.find(({part}) => part === 'store')!.message, /has no tables .*Run “processual migrate”/);
});

const collectFindings = async (settings: Settings) => Array.fromAsync(diagnose(settings));

test('an identity begins with the state in the database, and beginning again puts the old journal aside', async t => {
	const {settings, database} = await prepare(t);
	await t.throwsAsync(begin(settings, {again: false}), {instanceOf: ConfigurationError, message: /the store in the database has no state/});
	await importAll(settings);
	await begin(settings, {again: false});
	await t.throwsAsync(begin(settings, {again: false}), {
		instanceOf: ConfigurationError,
		message: /The database already has an identity with 0 records\. “processual begin --again”/,
	});
	const journal = createPostgresJournal({database, name: 'default'});
	t.is((await journal.open())!.genesis.initial.stateId, 7);
	await journal.append(cycle(1));
	await journal.close();

	await begin(settings, {again: true});
	t.like(await journal.open(), {records: 0, genesis: {isRandom: false, initial: {stateId: 7}}});
	await journal.close();
	t.deepEqual(await database.query('select seq from processual.identity where id = \'default\' and aside and seq > 0'), [{seq: 1}]);
	t.deepEqual(await database.query('select id from processual.identity where not aside'), [{id: 'default'}]);
});

test('begin, reembed and validate are refused while a node has the identity, and the error says to stop the nodes', async t => {
	const {settings, database} = await prepare(t);
	await importAll(settings);
	await begin(settings, {again: false});
	const session = await database.session();
	await session.query('select pg_advisory_lock($1, 7)', [0x50_53]);
	await database.query('update processual.identity set node = 7');
	const refused = {instanceOf: MovedError, message: /A node has the identity “default”.*Stop the nodes of this database and try again/};
	await t.throwsAsync(begin(settings, {again: true}), refused);
	await t.throwsAsync(reembedInDatabase(database, 'default', {encoder: otherEncoder(), kernel: selectKernel()}), refused);
	await t.throwsAsync(ask(settings, 'validate', 'Who it is.'), refused);
	await session.close();
	await t.throwsAsync(
		reembedInDatabase(database, 'another', {encoder: otherEncoder(), kernel: selectKernel()}),
		{instanceOf: UnknownIdentityError},
	);
	t.deepEqual(await database.query('select id from processual.identity where not aside'), [{id: 'default'}]);
});

test('a node that takes over the identity during its replacement keeps it, with its records', async t => {
	const {database} = await prepare(t);
	const {journal, finish, cancel} = await replacePostgresJournal(database, 'default');
	await journal.open();
	await journal.begin(genesis);
	await journal.close();
	const nodes = createPostgresJournal({database, name: 'default'});
	await nodes.open();
	await nodes.begin(genesis);
	await nodes.append(cycle(1));
	await nodes.close();
	await t.throwsAsync(finish(), {instanceOf: MovedError, message: /^A node took “default” over.*Stop the nodes of this database/});
	await cancel();
	t.deepEqual(await database.query('select id, seq, aside from processual.identity'), [{id: 'default', seq: 1, aside: false}]);
	t.is((await nodes.open())!.records, 1);
	await nodes.close();
});

test('an identity is replaced by one command at a time; the next can begin when it has finished', async t => {
	const {database} = await prepare(t);
	const first = await replacePostgresJournal(database, 'default');
	await t.throwsAsync(replacePostgresJournal(database, 'default'), {
		instanceOf: ConflictError,
		message: 'Another command is making a new journal for “default” in the database. Wait until it has finished.',
	});
	await first.journal.open();
	await first.journal.begin(genesis);
	await first.journal.close();
	await first.finish();
	const next = await replacePostgresJournal(database, 'default');
	await next.cancel();
	t.deepEqual(await database.query('select id from processual.identity where not aside'), [{id: 'default'}]);
});

/** An encoder whose vectors differ from those of the first one. */
const otherEncoder = () => {
	const encoder = Object.assign(new FakeEncoder(), {passport: {...new FakeEncoder().passport, model: 'other'}});
	encoder.embed = async text => vectorOf(`other ${text}`);
	return encoder;
};

test('reembed gives the same bits in the database as in files, and changes nothing if it fails', async t => {
	const {folder, settings, database} = await prepare(t);
	const place = path.join(folder, 'journal');
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: place})});
	await identity.cycle({content: 'a', metadata: {from: 'x'}});
	await identity.cycle({content: 'b'});
	await identity.reset();
	await identity.cycle({content: 'c'});
	await identity.dispose();
	await moveIdentity(settings, 'default', 'postgres');

	const kernel = selectKernel();
	await t.throwsAsync(reembedInDatabase(database, 'default', {encoder: new FakeEncoder(), kernel}), {
		instanceOf: ConfigurationError,
		message: /already belongs to “fake”/,
	});
	const broken = otherEncoder();
	broken.embed = async () => {
		throw new Error('the model broke');
	};

	await t.throwsAsync(reembedInDatabase(database, 'default', {encoder: broken, kernel}), {message: 'The encoder failed: the model broke'});
	t.deepEqual(await database.query('select id, seq, aside from processual.identity'), [{id: 'default', seq: 4, aside: false}]);

	t.like(await reembedInDatabase(database, 'default', {encoder: otherEncoder(), kernel}), {cycles: 3, stateId: 1});
	await moveIdentity(settings, 'default', 'sqlite');
	await reembedJournal({folder: path.join(folder, 'journal~1'), encoder: otherEncoder(), kernel});
	const [moved, inFiles] = [openSqliteRows(place), openSqliteRows(path.join(folder, 'journal~1'))];
	await t.notThrowsAsync(requireSameRows(inFiles, moved));
	await Promise.all([moved, inFiles].map(async rows => rows[Symbol.asyncDispose]()));
});

test('nodes share the reference: the next node embeds it again only if the messages have changed', async t => {
	const {folder, settings, database} = await prepare(t);
	await importAll(settings);
	await ensureIdentityRow(database, 'default');
	const openAtNode = async (encoder: FakeEncoder) => {
		const {sources: {initialState, person}} = await openSources(settings, database);
		const {identity} = await startIdentity({
			encoder: async () => encoder,
			initialState,
			person,
			journal: createPostgresJournal({database, name: 'default'}),
		});
		const {reference} = identity.actor.getSnapshot().context.boot!;
		await identity.dispose();
		return reference.rows;
	};

	const [first, second, third] = [new FakeEncoder(), new FakeEncoder(), new FakeEncoder()];
	const rows = await openAtNode(first);
	t.deepEqual(first.asked, ['What I said was long enough.']);
	t.deepEqual(await openAtNode(second), rows);
	t.deepEqual(second.asked, []);

	const file = path.join(folder, 'later.jsonl');
	await writeFile(file, JSON.stringify({
		conversation: 'a',
		role: 'user',
		content: 'What I said later was long enough.',
		created: '2026-01-02T00:00:00Z',
	}));
	await importEntries(settings, 'messages', file);
	t.notDeepEqual(await openAtNode(third), rows);
	t.deepEqual(third.asked, ['What I said later was long enough.\n\nWhat I said was long enough.']);
	t.deepEqual(await openAtNode(second), await openAtNode(first));
	t.deepEqual(second.asked, []);
});

test('if the database does not answer, a start fails instead of using a random state, no directions or another reference', async t => {
	const {settings, database} = await prepare(t);
	await importAll(settings);
	await ensureIdentityRow(database, 'default');
	const parts = {initialState: 'processual.state', person: 'processual.message', directions: 'processual.direction'} as const;
	for (const [part, table] of Object.entries(parts)) {
		const query: Database['query'] = async (text, values) => {
			if (text.includes(table)) {
				throw new JournalError('The database did not answer in time.', {retryable: true});
			}

			return database.query(text, values);
		};

		const {sources} = await openSources(settings, {...database, query});
		const error = await t.throwsAsync(
			startIdentity({...sources, encoder: async () => new FakeEncoder(), journal: createPostgresJournal({database, name: 'default'})}),
			{instanceOf: StoreError, message: /did not answer in time/},
			part,
		);
		t.true(error!.retryable);
	}
});

test('a command that finds no identity in the database says how to create one', async t => {
	const {settings, database} = await prepare(t);
	const environment = {DATABASE_URL: settings.DATABASE_URL!, IDENTITY: 'ada'};
	for (const command of ['mcp', 'profile']) {
		const {code, output, errors} = await (await run(t, [command], environment)).ended;
		t.deepEqual([code, output], [1, '']);
		t.regex(errors, /no identity “ada” in the database yet.*run “processual serve” .* the first request creates it/);
	}

	const {ready} = await run(t, ['serve', '--port', '0', '--host', '127.0.0.1'], environment);
	const remote = {...environment, PROCESSUAL_URL: `http://127.0.0.1:${(await ready()).port}`};
	t.like(await (await run(t, ['history'], remote)).ended, {code: 0});
	t.deepEqual(await database.query('select id from processual.identity where not aside'), [{id: 'ada'}]);
});

test('a node warns of a random initial state only for the identity of its settings', async t => {
	const {settings: {DATABASE_URL}} = await prepare(t);
	const {child, ended, lines, ready} = await run(t, ['serve', '--port', '0', '--host', '127.0.0.1'], {DATABASE_URL: DATABASE_URL!});
	const address = `http://127.0.0.1:${(await ready()).port}`;
	for (const name of ['default', 'ada']) {
		await fetch(`${address}/identities/${name}`, {method: 'PUT'});
		t.is((await fetch(`${address}/identities/${name}/cycle`, {
			method: 'POST', headers: {'content-type': 'application/json'}, body: '{"content": "Good morning."}',
		})).status, 200);
	}

	child.kill('SIGTERM');
	await ended;
	const begun = lines().filter(({msg}) => msg.startsWith('This identity began with a random state')) as Array<{identity?: string}>;
	t.deepEqual([...new Set(begun.map(({identity}) => identity))], ['default']);
});
