/** The journal in PostgreSQL conforms to the port. */
import test from 'ava';
import {startPostgres} from '../../helpers/postgres.ts';
import {writePostgresRows} from '../../../src/journal/postgres/postgres-rows.ts';
import {readPostgresJournal} from '../../../src/journal/postgres/postgres-view.ts';
import {openSqliteRows} from '../../../src/journal/sqlite/sqlite-rows.ts';
import {createSqliteJournal} from '../../helpers/one-thread.ts';
import {createPostgresJournal} from '../../../src/journal/postgres/postgres-journal.ts';
import {testStorage, type Place} from '../conformance.ts';
import {testHeld} from '../held-conformance.ts';
import {testRewriting} from '../rewriting-conformance.ts';
import type {Database, Query} from '../../../src/platform/postgres/database.ts';
import {asStored, cycle, genesis, held, range, revision, temporaryFolder, validation} from '../records.ts';
import {deepEqual} from '../../helpers/deep-equal.ts';
import {openMigrated, placeIn} from './places.ts';

const server = await startPostgres();
const {database} = await openMigrated(server);
test.after.always(async () => {
	await database.close();
	await server[Symbol.asyncDispose]();
});

testStorage('a journal in PostgreSQL', async () => placeIn(database));
testHeld('a journal in PostgreSQL', async () => placeIn(database));
testRewriting('a journal in PostgreSQL', async () => placeIn(database));

/** A place whose keys are also in the database. */
const sealedPlace = async (): Promise<Place> => {
	const place = await placeIn(database);
	return options => createPostgresJournal({database, name: place.identity, seals: true, ...options});
};

testStorage('a journal in PostgreSQL with keys', sealedPlace);
testHeld('a journal in PostgreSQL with keys', sealedPlace);
testRewriting('a journal in PostgreSQL with keys', sealedPlace);

test('long texts are read a few megabytes at a time', async t => {
	const {identity} = await placeIn(database);
	const characters: number[] = [];
	const query: Database['query'] = async (text, values) => {
		const rows = await database.query<{content?: string | null}>(text, values);
		characters.push(rows.reduce((sum, {content}) => sum + (content?.length ?? 0), 0));
		return rows as never;
	};
	const journal = createPostgresJournal({database: {...database, query}, name: identity});
	t.teardown(async () => journal.close());
	await journal.open();
	await journal.begin(genesis);
	const content = 'a'.repeat(2 ** 20);
	const [texts, waiting] = [range(1, 9), range(10, 18)];
	const records = [...texts.map(seq => cycle(seq, {content})), ...waiting.map(seq => held(seq, {content}))];
	for (const record of records) {
		await journal.append(record);
	}

	characters.length = 0;
	deepEqual(t, await journal.read(1, 18), records.slice(0, 4).map((record, i) => ({seq: i + 1, record: asStored(record)})));
	deepEqual(t, (await journal.read(17, 18)).map(({seq}) => seq), [17, 18]);
	deepEqual(t, (await journal.held(0, 8)).map(({seq}) => seq), waiting.slice(0, 4));
	t.deepEqual(characters, [4, 2, 4].map(count => count * content.length));
});

test('long texts of any alphabet are copied from a file', async t => {
	const folder = await temporaryFolder(t);
	const journal = createSqliteJournal({folder});
	await journal.open();
	await journal.begin(genesis);
	// 2 bytes per letter: 4 MB are fewer texts here than in the file.
	const content = 'я'.repeat(2 ** 20);
	for (const record of [...range(1, 3).map(seq => cycle(seq, {content})), ...range(4, 6).map(seq => held(seq, {content}))]) {
		await journal.append(record);
	}

	await journal.close();
	await using rows = openSqliteRows(folder);
	await t.notThrowsAsync(writePostgresRows(database, 'copied', rows));
});

test('a text of a source with any name is forgotten, and the journal opens again without its key', async t => {
	// NUL, which the database cannot store; and half of a character, as cut off at the limit.
	for (const source of ['a\0b', `${'a'.repeat(199)}😀`]) {
		const {identity: name} = await placeIn(database);
		const journal = createPostgresJournal({database, name, seals: true});
		await journal.open();
		await journal.begin(genesis);
		await journal.append(cycle(1, {metadata: {source}}));
		await t.notThrowsAsync(journal.rewrite(revision(2), {
			async * changes() {
				yield [{seq: 1, record: {kind: 'forgotten', id: revision(2).id, timestamp: cycle(1).timestamp}}];
			},
			decisions: [], settled: [], forgotten: [1],
		}));
		await journal.close();
		t.is((await journal.open())!.records, 2);
		const keys = await database.query<{entry: string}>('select entry from processual.key where name = $1', [name]);
		t.deepEqual(keys.map(({entry}) => (JSON.parse(entry) as {of: string | null}).of), [null], 'only the new key of the states is left');
		await journal.close();
	}
});

test('a journal is read as it is at one moment, even beside a forgetting that removes its validation', async t => {
	const place = await placeIn(database);
	const journal = place();
	await journal.open();
	await journal.begin(genesis);
	await journal.append(validation(1));
	await journal.close();
	const [{no}] = await database.query<{no: number}>('select no from processual.identity where id = $1', [place.identity]) as [{no: number}];
	/** Forgets as soon as the head is read. */
	const beside = (query: Query): Query => async (text, values) => {
		const rows = await query(text, values);
		if (text.includes('from processual.identity')) {
			await database.query('update processual.identity set validation = 0 where no = $1', [no]);
			await database.query('delete from processual.validation where identity = $1', [no]);
		}

		return rows as never;
	};

	const view = await readPostgresJournal({
		...database, query: beside(database.query),
		async session(options) {
			const session = await database.session(options);
			return {...session, query: beside(session.query)};
		},
	}, place.identity);
	t.is(view!.validated!.id, validation(1).id);
	t.is((await readPostgresJournal(database, place.identity))!.validated, null);
});
