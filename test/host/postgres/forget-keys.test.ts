/** Keys in PostgreSQL: with the keys that are left after a forgetting, an earlier copy reveals nothing of the forgotten texts. */
import path from 'node:path';
import test from 'ava';
import {moveIdentity} from '../../../src/commands/move.ts';
import {readSettings} from '../../../src/commands/read-settings.ts';
import type {Journal} from '../../../src/journal/journal.ts';
import {JournalError} from '../../../src/platform/errors.ts';
import {KeyRing} from '../../../src/journal/key-ring.ts';
import {ensureIdentityRow, putAside, takeOver, type Taker} from '../../../src/journal/postgres/identity-rows.ts';
import {destroyKeysWith, keysInTable} from '../../../src/journal/postgres/key-table.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {withPostgresRows} from '../../../src/journal/postgres/postgres-rows.ts';
import {readPostgresJournal} from '../../../src/journal/postgres/postgres-view.ts';
import {createSqliteJournal} from '../../../src/journal/sqlite/sqlite-journal.ts';
import type {Database} from '../../../src/platform/postgres/database.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import {startIdentity} from '../../actors/fixtures.ts';
import fc from '../../helpers/fast-check.ts';
import {often} from '../../helpers/often.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {anyHistory, runSteps, plainHistory} from '../../identity/forgetting-law.ts';
import {countInFiles, openMigrated, placeIn} from '../../journal/postgres/places.ts';
import {temporaryFolder} from '../../journal/records.ts';
import {here, nodesOf} from './nodes.ts';
import {deepEqual} from '../../helpers/deep-equal.ts';

const server = await startPostgres();
const {database} = await openMigrated(server);
test.after.always(async () => {
	await database.close();
	await server[Symbol.asyncDispose]();
});

const tables = ['record', 'held', 'validation', 'revision', 'digest', 'kept'];

/** All values of an identity's rows, as a dump without the table of keys has them. */
const dumpOf = async (name: string): Promise<unknown[]> => (await Promise.all(tables.map(async table =>
	database.query(`select * from processual.${table} where identity = (select no from processual.identity where id = $1)`, [name]),
))).flat().flatMap(row => Object.values(row as object));

/** The values of a dump as bytes, and the contents of those that the present keys open. */
const readableIn = async (dump: readonly unknown[], name: string): Promise<Buffer[]> => {
	const {place, read} = keysInTable(database, name);
	const ring = new KeyRing(place, await read());
	const bytes = dump.flatMap(value => typeof value === 'string' && value.startsWith('sealed:')
		? [Buffer.from(value.slice(7), 'base64')]
		: value instanceof Uint8Array ? [Buffer.from(value)] : []);
	const plain = dump.filter(value => typeof value === 'string').map(value => Buffer.from(value));
	return [...plain, ...bytes, ...bytes.filter(each => ring.opens(each)).map(each => Buffer.from(ring.open(each, 'It')))];
};

const secretsOf = async (name: string, of = database): Promise<Buffer[]> => (await keysInTable(of, name).read() ?? [])
	.flatMap(entry => 'secret' in entry ? [Buffer.from(entry.secret)] : []);

test('the law of forgetting holds with keys, and the remaining keys open nothing forgotten in an earlier dump', async t => {
	const met = {forgot: 0, refused: 0};
	await fc.assert(fc.asyncProperty(anyHistory, async steps => {
		const {identity: name} = await placeIn(database);
		let before: {dump: unknown[]; secrets: Buffer[]} = {dump: [], secrets: []};
		await runSteps(t, steps, {
			place: () => createPostgresJournal({database, name, seals: true}),
			kernel: selectKernel(),
			async before() {
				before = {dump: await dumpOf(name), secrets: await secretsOf(name)};
			},
			async count(passages) {
				const places = [...await readableIn(before.dump, name), ...await readableIn(await dumpOf(name), name)];
				const kept = await secretsOf(name);
				const destroyed = before.secrets.filter(secret => !kept.some(other => other.equals(secret)));
				t.true(destroyed.length >= 2, 'the keys of a source and of the states');
				return passages.filter(passage => places.some(bytes => bytes.includes(passage))).length
					+ await countInFiles(database, [...passages, ...destroyed]);
			},
		}, met);
	}), {numRuns: often(3, 30), examples: [[plainHistory]]});
	t.true(met.forgot > 0 && met.refused > 0, JSON.stringify(met));
});

test('a view and a writer that does not seal read sealed records, and the receipt says where keys may be', async t => {
	// In the shared database, transactions would delay the removal of the first test's dead rows.
	const {database: own} = await openMigrated(server);
	t.teardown(async () => own.close());
	const {identity: name} = await placeIn(own);
	const open = async (seals: boolean) =>
		(await startIdentity({journal: createPostgresJournal({database: own, name, seals}), newId: () => crypto.randomUUID()})).identity;
	const first = await open(true);
	await first.cycle({content: 'The sea is quiet today.', source: 'ada'});
	await first.cycle({content: 'Everybody lies to you.', source: 'viktor'});
	const {dimensions} = first.tensor();
	await first.dispose();
	t.is(await countInFiles(own, [Buffer.from('The sea is quiet')]), 0);
	const view = (await readPostgresJournal(own, name))!;
	t.deepEqual(view.current.rows, Object.values(dimensions));
	t.deepEqual((await view.read(1, 9)).map(({record}) => 'content' in record && record.content), [
		'The sea is quiet today.', 'Everybody lies to you.',
	]);
	t.true(await withPostgresRows(own, name, async rows => (await rows.read(1, 9)).every(({kept}) => kept === 'sealed')));
	const off = await open(false);
	deepEqual(t, off.tensor().dimensions, dimensions);
	await off.dispose();
	const again = await open(true);
	const {receipt} = await again.forget({sources: ['viktor'], note: 'A request.'});
	t.regex(receipt!.unreached[0]!, /1 of 1 texts are sealed there.*Dumps with the table processual\.key, base backups, standbys/);
	await again.dispose();
});

test('a deletion destroys the keys, and leaves no byte of them in the tables', async t => {
	const {database: own, join} = await nodesOf(server)(t);
	const host = await join('a', {journalOf: (name, taker) => createPostgresJournal({database: own, name, taker, seals: true})});
	await host.create('ada');
	await (await here(host, 'ada')).cycle('The sea is quiet today.');
	const secrets = await secretsOf('ada', own);
	t.is(secrets.length, 2);
	t.is(await countInFiles(own, secrets), 2);
	await host.putAside('ada');
	t.is(await countInFiles(own, secrets), 0);
	t.is(await keysInTable(own, 'ada').read(), null);
});

test('a copy begins with the present state of an identity of another node, even if its states are sealed', async t => {
	const {database: own, join} = await nodesOf(server)(t);
	const sealing = {journalOf: (name: string, taker: Taker) => createPostgresJournal({database: own, name, taker, seals: true})};
	const [a, b] = [await join('a', sealing), await join('b', sealing)];
	await b.create('ada');
	await (await here(b, 'ada')).cycle('The sea is quiet today.');
	await a.create('copy', {copyOf: 'ada'});
	deepEqual(t, (await here(a, 'copy')).tensor(), (await here(b, 'ada')).tensor());
});

/** A database that waits before it deletes keys. */
const pausedAtKeys = (of: Database) => {
	const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const paused: Database = {
		...of,
		async session(options) {
			const session = await of.session(options);
			return {
				...session,
				async query(text, values) {
					if (text.startsWith('delete from processual.key')) {
						reached.resolve();
						await resumed.promise;
					}

					return session.query(text, values);
				},
			};
		},
	};
	return {paused, reached: reached.promise, resume: resumed.resolve};
};

test('an owner frozen before it destroys keys destroys none of a later owner', async t => {
	const {database: own} = await openMigrated(server);
	t.teardown(async () => own.close());
	const {identity: name} = await placeIn(own);
	const open = async (of: Database) =>
		(await startIdentity({journal: createPostgresJournal({database: of, name, seals: true}), newId: () => crypto.randomUUID()})).identity;
	const {paused, reached, resume} = pausedAtKeys(own);
	const frozen = await open(paused);
	await frozen.cycle({content: 'The sea is quiet today.', source: 'ada'});
	await frozen.cycle({content: 'Everybody lies to you.', source: 'viktor'});
	const forgetting = frozen.forget({sources: ['viktor'], note: 'A request.'});
	await Promise.race([reached, forgetting]);
	const next = await open(own);
	await next.cycle({content: 'I walked along the shore.', source: 'ben'});
	const {dimensions} = next.tensor();
	resume();
	await forgetting.catch(() => {});
	await frozen.dispose();
	await next.dispose();
	const last = await open(own);
	deepEqual(t, last.tensor().dimensions, dimensions);
	t.deepEqual((await last.records(1, 9)).flatMap(({record}) => 'content' in record ? [record.content] : []), [
		'The sea is quiet today.', 'I walked along the shore.',
	]);
	await last.dispose();
});

test('a deletion that cannot destroy the keys deletes nothing, and can be repeated', async t => {
	const {database: own} = await openMigrated(server);
	t.teardown(async () => own.close());
	const {identity: name} = await placeIn(own);
	await keysInTable(own, name).add([{key: 'a', secret: 'b', of: null}], []);
	const head = await takeOver(own, name);
	const destroy = async () => destroyKeysWith(own, name, async query => putAside(query, head));
	const isAside = async () => own.query('select aside from processual.identity where id = $1', [name]);
	await own.query('alter table processual.key add unique (no)');
	await own.query('create table processual.held_up (no bigint references processual.key (no))');
	await own.query('insert into processual.held_up select no from processual.key');
	await t.throwsAsync(destroy(), {instanceOf: JournalError});
	t.deepEqual(await isAside(), [{aside: false}]);
	await own.query('drop table processual.held_up');
	await destroy();
	t.deepEqual([await isAside(), await keysInTable(own, name).read()], [[{aside: true}], null]);
});

test('an identity is moved to files and back with its keys', async t => {
	const folder = await temporaryFolder(t);
	const {url, database: own} = await openMigrated(server);
	t.teardown(async () => own.close());
	const settings = readSettings({DATABASE_URL: url, DATA_DIR: path.join(folder, 'data')}, {});
	const file = path.join(folder, 'data-keys', 'default.keys');
	await ensureIdentityRow(own, 'default');
	const say = async (journal: Journal, content: string) => {
		const {identity} = await startIdentity({journal, newId: () => crypto.randomUUID()});
		await identity.cycle({content, source: 'ada'});
		const said = (await identity.records(1, 9)).map(({record}) => 'content' in record && record.content);
		await identity.dispose();
		return said;
	};

	const inDatabase = createPostgresJournal({database: own, name: 'default', seals: true});
	await say(inDatabase, 'First.');
	const secrets = await secretsOf('default', own);
	await moveIdentity(settings, 'default', 'sqlite');
	t.is(await countInFiles(own, secrets), 0);
	const inFiles = createSqliteJournal({folder: path.join(folder, 'data', 'journal'), keys: {file}});
	t.deepEqual(await say(inFiles, 'Second.'), ['First.', 'Second.']);
	t.regex(await moveIdentity(settings, 'default', 'postgres'), /Its keys are in the database; .* in .*default\.keys still open the old/);
	t.deepEqual(await say(inDatabase, 'Third.'), ['First.', 'Second.', 'Third.']);
});
