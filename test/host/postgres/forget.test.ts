/** A forgetting in PostgreSQL: the state is that of a history without the texts, and no file of the tables has a byte of them. */
import test from 'ava';
import {JournalError} from '../../../src/platform/errors.ts';
import type {Database} from '../../../src/platform/postgres/database.ts';
import {forgetTexts} from '../../../src/sources/forget-texts.ts';
import {openMessageTable} from '../../../src/sources/message-table.ts';
import {openPostgresStore} from '../../../src/sources/store/postgres/store.ts';
import {startIdentity, vectorOf} from '../../actors/fixtures.ts';
import {selectKernel} from '../../../src/kernel/select.ts';
import fc from '../../helpers/fast-check.ts';
import {often} from '../../helpers/often.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {anyHistory, runSteps, plainHistory} from '../../identity/forgetting-law.ts';
import {countInFiles, openMigrated, placeIn} from '../../journal/postgres/places.ts';

const server = await startPostgres();
const {database} = await openMigrated(server);
test.after.always(async () => {
	await database.close();
	await server[Symbol.asyncDispose]();
});

test('no file of the tables has a byte of a forgotten text or vector, and the state is that of a history without it', async t => {
	const met = {forgot: 0, refused: 0};
	await fc.assert(fc.asyncProperty(anyHistory, async steps => {
		const place = await placeIn(database);
		await runSteps(t, steps, {place, kernel: selectKernel(), count: async passages => countInFiles(database, passages)}, met);
	}), {numRuns: often(4, 30), examples: [[plainHistory]]});
	t.true(met.forgot > 0 && met.refused > 0, JSON.stringify(met));
});

test('a forgetting removes rows of the store and of messages too, and keeps the texts of others', async t => {
	const [theirs, mine] = ['Everybody lies to you, my friend.', 'The bread is still warm this morning.'];
	const [store, messages] = [openPostgresStore(database), openMessageTable(database)];
	await store.write({thoughts: [theirs, mine].map(content => ({type: null, content, model: null, vector: vectorOf(content)}))});
	await messages.write([theirs, mine].map((content, i) => ({
		conversation: `conversation ${i}`, title: null, isDeleted: false, role: 'user', content, createdAt: `${i}`,
	})));
	const kept = ['of a reference', Buffer.from(vectorOf(theirs).buffer)];
	await database.query('insert into processual.text_vector (digest, vector) values ($1, $2)', kept);
	const {identity} = await startIdentity({
		journal: (await placeIn(database))(), forgetElsewhere: async texts => forgetTexts({store, messages}, texts),
	});
	await identity.cycle({content: theirs, source: 'viktor'});
	await identity.cycle({content: mine, source: 'ada'});
	const passagesOf = (text: string) => [Buffer.from(text), Buffer.from(vectorOf(text).buffer).subarray(0, 48)];
	// A row of the fleet names the source that pushed most.
	const named = [Buffer.from('Viktor of the quay')];
	await database.query('insert into processual.fleet (identity, seq, row) select max(no), 2, $1 from processual.identity', [`${named[0]}`]);
	t.is(await countInFiles(database, named), 1);
	t.deepEqual([await countInFiles(database, passagesOf(theirs)), await countInFiles(database, passagesOf(mine))], [2, 2]);
	const {elsewhere, receipt} = await identity.forget({sources: ['viktor'], note: 'A request.'});
	await identity.dispose();
	t.deepEqual(elsewhere, [`${store.place}: 1 thought.`, `${messages.place}: 1 message.`]);
	t.true(receipt!.unreached.some(sentence => /FILE~new.* put aside, here and in the folder/.test(sentence)));
	t.false(receipt!.unreached.some(sentence => /store|messages/.test(sentence)), JSON.stringify(receipt!.unreached));
	t.deepEqual([await countInFiles(database, passagesOf(theirs)), await countInFiles(database, passagesOf(mine))], [0, 2]);
	t.is(await countInFiles(database, named), 0);
	t.deepEqual((await store.thoughts(10)).map(({content}) => content), [mine]);
	t.deepEqual((await Array.fromAsync(messages.read())).map(({content}) => content), [mine]);
});

test.serial('a forgetting waits for a reader with an older snapshot, even if it holds no table', async t => {
	const text = 'The ferryman has heard it all before.';
	const place = await placeIn(database);
	const {identity} = await startIdentity({journal: place()});
	await identity.cycle({content: text, source: 'viktor'});
	const reader = await database.session();
	await reader.query('begin isolation level repeatable read read only');
	await reader.query('select 1');
	const forgotten = identity.forget({sources: ['viktor'], note: 'A request.'});
	await Promise.race([forgotten, untilSeen('query ^@ \'select pg_sleep\'')]);
	await reader.query('commit');
	await reader.close();
	await forgotten;
	await identity.dispose();
	t.is(await countInFiles(database, [Buffer.from(text)]), 0);
});

const untilSeen = async (what: string): Promise<void> => {
	const seen = await database.query(`select from pg_stat_activity where ${what}`);
	return seen.length > 0 ? undefined : untilSeen(what);
};

test('if the table of the store is in use, the receipt says so, and how to remove its dead rows', async t => {
	const text = 'What I say at the quay stays at the quay.';
	const busy: Pick<Database, 'query' | 'session'> = {query: database.query, async session(options) {
		if (options?.isBounded === false) {
			throw new JournalError('Another session of the database holds a lock for too long.');
		}

		return database.session();
	}};
	const [store, messages] = [openPostgresStore(busy), openMessageTable(busy)];
	await store.write({thoughts: [{type: null, content: text, model: null, vector: vectorOf(text)}]});
	const {identity} = await startIdentity({
		journal: (await placeIn(database))(), forgetElsewhere: async texts => forgetTexts({store, messages}, texts),
	});
	await identity.cycle({content: text, source: 'viktor'});
	const {receipt} = await identity.forget({sources: ['viktor'], note: 'A request.'});
	await identity.dispose();
	t.true(receipt!.unreached.includes('Dead rows: Another session of the database holds a lock for too long. '
		+ 'Then run “vacuum full processual.thought”.'), JSON.stringify(receipt!.unreached));
});

test.serial('while a forgetting waits for a table in use, others can still use the table', async t => {
	const text = 'The lighthouse keeper is a liar, too.';
	const {identity} = await startIdentity({journal: (await placeIn(database))()});
	await identity.cycle({content: text, source: 'viktor'});
	const holder = await database.session();
	await holder.query('begin');
	await holder.query('lock table processual.validation in access share mode');
	const forgotten = identity.forget({sources: ['viktor'], note: 'A request.'});
	await untilSeen('wait_event_type = \'Lock\'');
	// Like a validation of another identity, but with a longer timeout than the service's.
	const other = await database.session();
	await other.query('set lock_timeout = \'2s\'');
	const used = await other.query('select from processual.validation').then(() => true, () => false);
	await Promise.all([holder, other].map(async session => session.close()));
	await forgotten;
	await identity.dispose();
	t.deepEqual([used, await countInFiles(database, [Buffer.from(text)])], [true, 0]);
});
