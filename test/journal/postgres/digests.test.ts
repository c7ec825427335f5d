/** Digests in PostgreSQL: only the owner writes them, reading ends at a damaged one, and questions about a long past use them. */
import test from 'ava';
import type {Journal} from '../../../src/journal/journal.ts';
import {removeUnfinished, unfinished} from '../../../src/journal/postgres/identity-rows.ts';
import {readPostgresJournal} from '../../../src/journal/postgres/postgres-view.ts';
import {Past} from '../../../src/instruments/past/past.ts';
import {unitVector} from '../../instruments/run-texts.ts';
import {startHistory} from '../../instruments/recorded-history.ts';
import {startPostgres} from '../../helpers/postgres.ts';
import {digestOf, testDigests} from '../digest-conformance.ts';
import {genesis, recordOf, revision} from '../records.ts';
import {countInFiles, openMigrated, placeIn} from './places.ts';

const server = await startPostgres();
const {database} = await openMigrated(server);
test.after.always(async () => {
	await database.close();
	await server[Symbol.asyncDispose]();
});

testDigests('a journal in PostgreSQL', async () => placeIn(database));

const begin = async (journal: Journal): Promise<Journal> => {
	await journal.open();
	await journal.begin(genesis);
	return journal;
};

const countRows = async (identity: string): Promise<number> => {
	const [{rows}] = await database.query<{rows: number}>(
		'select (select count(*) from processual.digest d where d.identity = i.no) '
			+ '+ (select count(*) from processual.kept k where k.identity = i.no) as rows from processual.identity i where id = $1',
		[identity],
	) as [{rows: number}];
	return Number(rows);
};

test('an earlier owner of the identity adds, keeps and clears nothing', async t => {
	const place = await placeIn(database);
	const earlier = await begin(place());
	await earlier.digests!.add(digestOf(1));
	await earlier.digests!.keep('of the first');
	const later = place();
	await later.open();
	t.teardown(async () => Promise.all([earlier.close(), later.close()]));
	await earlier.digests!.add(digestOf(2));
	await earlier.digests!.keep('of a stranger');
	await earlier.digests!.clear();
	t.deepEqual([await later.digests!.read(), await later.digests!.kept()], [[digestOf(1)], 'of the first']);
});

test('reading ends at a damaged digest, which the owner removes with those after it; a damaged value counts as none', async t => {
	const place = await placeIn(database);
	const journal = await begin(place());
	t.teardown(async () => journal.close());
	for (const last of [1, 2, 3]) {
		await journal.digests!.add(digestOf(last));
	}

	await journal.digests!.keep('a value');
	const own = 'identity = (select no from processual.identity where id = $1)';
	await database.query(`update processual.digest set body = '\\x00' where head like '[{"last":3%' and ${own}`, [place.identity]);
	await database.query(`update processual.kept set value = '\\x00' where ${own}`, [place.identity]);
	const view = await readPostgresJournal(database, place.identity);
	t.deepEqual(await view!.digests!.read(), [digestOf(1), digestOf(2)]);
	await view!.digests!.clear();
	t.is(await countRows(place.identity), 4);
	t.deepEqual([await journal.digests!.newest(), await journal.digests!.kept()], [digestOf(2), null]);
	await journal.digests!.add(digestOf(4));
	t.deepEqual(await journal.digests!.read(), [digestOf(1), digestOf(2), digestOf(4)]);
	const other = 'update processual.digest set head = replace(head, \'2\', \'5\') where head like \'[{"last":2%\' and';
	await database.query(`${other} ${own}`, [place.identity]);
	t.deepEqual(await journal.digests!.read(() => false), [{...digestOf(1), body: new Uint8Array()}], 'also if no body is read');
});

test('removing an unfinished identity removes its digests', async t => {
	const place = await placeIn(database, unfinished('half'));
	const journal = await begin(place());
	await journal.digests!.add(digestOf(1));
	await journal.digests!.keep('a value');
	t.is(await countRows(place.identity), 2);
	await journal.close();
	await removeUnfinished(database, 'half');
	for (const table of ['digest', 'kept']) {
		const left = await database.query(`select from processual.${table} where identity not in (select no from processual.identity)`);
		t.deepEqual(left, []);
	}
});

test('a rewrite leaves no byte of the digests in the tables, and keeps those of other identities', async t => {
	const [journal, other] = [await begin((await placeIn(database))()), await begin((await placeIn(database))())];
	t.teardown(async () => Promise.all([journal.close(), other.close()]));
	const [secret, value] = [Buffer.from('the sum of one forgotten text'), 'a value that is of one forgotten text'];
	await journal.append(recordOf(1));
	await other.digests!.add(digestOf(1));
	await journal.digests!.add({head: {last: 1}, body: Uint8Array.from(secret)});
	await journal.digests!.keep(value);
	const passages = [secret, Buffer.from(value)];
	t.is(await countInFiles(database, passages), 2);
	await journal.rewrite(revision(2), {async * changes() {}, decisions: [], settled: [], forgotten: []});
	t.is(await countInFiles(database, passages), 0);
	t.deepEqual([await journal.digests!.read(), await other.digests!.read()], [[], [digestOf(1)]]);
});

test('drift, ledger and what-if of a long past give the same answers from digests, with fewer records read', async t => {
	const history = startHistory(3).answered(300).validate().answered(1900, 0.2);
	const journal = (await placeIn(database))();
	t.teardown(async () => journal.close());
	await journal.open();
	await history.writeTo(journal);
	let read = 0;
	const pastWith = (digests: Journal['digests']): Past => new Past({
		records: history.records.length,
		read: async (from, count) => {
			read += count;
			return journal.read(from, count);
		},
		validation: async () => journal.validation(), decisions: async () => journal.decisions(),
		held: async (after, count) => journal.held(after, count), digests,
	}, history.rules.kernel, () => history.rules);
	const [plain, digested] = [pastWith(undefined), pastWith(journal.digests)];
	const validation = await journal.validation();
	const drift = {validation, directions: [unitVector(3, 64)], since: null};
	const expected = await plain.askDrift(drift);
	const question = {
		without: {sources: ['user 1']}, add: [], timestamp: history.records.at(-1)!.timestamp, ordinary: validation,
	};
	const {answer: other} = await plain.ask('whatIf', question);
	const {answer: ledger} = await plain.ask('ledger', {by: ['source'], limit: 10, direction: null});
	await digested.digest();
	read = 0;
	t.deepEqual(await digested.askDrift(drift), expected);
	const {answer: {compositions, ...others}} = await digested.ask('ledger', {by: ['source'], limit: 10, direction: null});
	t.true(read < history.records.length / 3, `${read} records were read`);
	const {compositions: before, ...same} = ledger;
	t.deepEqual(others, same);
	const sharesOf = (all: typeof before) => all[0]!.entries.map(({share}) => share.toFixed(5));
	t.deepEqual(sharesOf(compositions), sharesOf(before));
	read = 0;
	t.deepEqual((await digested.ask('whatIf', question)).answer, other);
	t.true(read < history.records.length / 2, `${read} records were read for a what-if`);
});
