/** An export can be imported without a difference, the state bit for bit. */
import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import test, {type ExecutionContext} from 'ava';
import fc from '../../helpers/fast-check.ts';
import {createSqliteJournal} from '../../helpers/one-thread.ts';
import {ConfigurationError, JournalError} from '../../../src/platform/errors.ts';
import {loadInitialState} from '../../../src/sources/initial-state.ts';
import {openMessageFile} from '../../../src/sources/message-file.ts';
import type {Messages} from '../../../src/sources/recent-words.ts';
import {openSqliteStore} from '../../../src/sources/store/sqlite/store.ts';
import {askIdentity} from '../../../src/commands/ask-identity.ts';
import {readSettings} from '../../../src/commands/read-settings.ts';
import {exportLines, readStoredState} from '../../../src/commands/export.ts';
import {importFile} from '../../../src/commands/import.ts';
import {FakeEncoder, mulberry32, startIdentity, vectorOf} from '../../actors/fixtures.ts';

/** Exports a store, messages and a journal. */
const write = async ({journalFolder, ...place}: {store: ReturnType<typeof openSqliteStore>; messages: Messages; journalFolder: string}) =>
	exportLines({
		...place,
		current: await askIdentity(readSettings({DATA_DIR: path.dirname(journalFolder)}, {}), {}, readStoredState),
		journal: journalFolder,
	});

const open = async (t: ExecutionContext) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'export-'));
	const store = openSqliteStore(path.join(folder, 'store.sqlite'));
	t.teardown(async () => {
		await store.close();
		await rm(folder, {recursive: true});
	});
	const messagesFile = path.join(folder, 'messages.sqlite');
	const places = {store, messages: openMessageFile(messagesFile), journalFolder: path.join(folder, 'journal')};
	return {
		...places,
		messagesFile,
		async written() {
			let text = '';
			for await (const line of await write(places)) {
				text += line;
			}

			return text;
		},
		async bring(content: string) {
			const file = path.join(folder, 'brought.jsonl');
			await writeFile(file, content);
			return importFile({kind: 'all', file, ...places, model: 'fake', loadEncoder: async () => new FakeEncoder()});
		},
	};
};

const begin = async ({store}: {store: ReturnType<typeof openSqliteStore>}) =>
	loadInitialState(store, {encoder: {passport: {model: 'fake'}}, random: mulberry32(1)});

const entries = [
	{kind: 'state', state_id: 3, timestamp: '2026-01-01T00:00:00.000Z', content: 'who I am'},
	{kind: 'thought', thought_type: 'insight', content: 'one'},
	{kind: 'thought', thought_type: null, content: 'two'},
	{
		kind: 'direction',
		category: 'affective',
		name: 'calm',
		pole_positive: 'calm',
		pole_negative: 'agitated',
		positive: ['p'],
		negative: ['n'],
	},
	{kind: 'message', conversation: 'a', title: null, deleted: false, role: 'user', content: 'hello', created: '2026-01-01T00:00:00Z'},
	{kind: 'message', conversation: 'a', title: null, deleted: false, role: 'user', content: 'again', created: '2026-01-02T00:00:00Z'},
].map(entry => JSON.stringify(entry)).join('\n');

test('an export that is imported elsewhere gives the same export', async t => {
	const [first, second] = [await open(t), await open(t)];
	await first.bring(entries);
	const written = await first.written();
	t.is(written.trim().split('\n').length, 6);
	const {rejected} = await second.bring(written);
	t.deepEqual(rejected, []);
	t.is(await second.written(), written);
});

test('an identity that begins from an export has the exported state, bit for bit', async t => {
	const [first, second] = [await open(t), await open(t)];
	await first.bring(entries);
	const initial = await begin(first);
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: first.journalFolder}), initialState: async () => initial});
	for (const content of ['a', 'b', 'c']) {
		await identity.cycle({content});
	}

	const {state} = identity.actor.getSnapshot().context;
	await identity.dispose();
	await second.bring(await first.written());
	const begun = await begin(second);
	t.is(begun.stateId, 6);
	t.is(begun.timestamp, state!.timestamp);
	t.deepEqual(begun.rows, state!.rows);
});

test('an export is refused while a service has the journal, and the error says to stop it', async t => {
	const place = await open(t);
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: place.journalFolder})});
	await t.throwsAsync(write(place), {instanceOf: JournalError, message: /in use by another process.* stop that process/i});
	await identity.dispose();
	await t.notThrowsAsync(place.written());
});

test('a journal without a genesis, as a refused start leaves it, does not prevent an export', async t => {
	const place = await open(t);
	await place.bring(entries);
	const journal = createSqliteJournal({folder: place.journalFolder});
	await journal.open();
	await t.throwsAsync(write(place), {instanceOf: JournalError, message: /stop that process/i});
	await journal.close();
	t.is((await place.written()).trim().split('\n').length, 6);
});

test('the export of a journal that lost acknowledged records is refused', async t => {
	const place = await open(t);
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: place.journalFolder})});
	await identity.cycle({content: 'a'});
	await identity.dispose();
	await rm(path.join(place.journalFolder, 'journal.sqlite'));
	await t.throwsAsync(write(place), {instanceOf: JournalError});
});

test('messages of a user\'s own file are exported unchanged, with times in any format', async t => {
	const [first, second] = [await open(t), await open(t)];
	const own = new DatabaseSync(first.messagesFile);
	own.exec(`
		create table conversations (id integer primary key, title text, deleted integer);
		create table messages (conversation integer, role text, content text, created);
		insert into conversations values (1, null, null), (2, 'Gone', 1);
		insert into messages values
			(1, 'user', 'first', 1772430060), (1, 'assistant', '', 1772430061.5), (2, 'user', 'second', '2026-03-02 05:41:00');
	`);
	own.close();
	const {rejected} = await second.bring(await first.written());
	t.deepEqual(rejected, []);
	t.is(await second.written(), await first.written());
});

test('with nothing to export, the error names the places that were searched', async t => {
	const place = await open(t);
	await t.throwsAsync(write(place), {
		instanceOf: ConfigurationError,
		message: /nothing to export: .*store\.sqlite and .*messages\.sqlite are empty, and .*journal has no journal\. Set DATA_DIR/,
	});
	t.deepEqual(await readdir(path.dirname(place.messagesFile)), []);
});

test('the kind of each exported entry is reported', async t => {
	const place = await open(t);
	await place.bring(entries);
	const kinds: string[] = [];
	for await (const line of await exportLines({...place, current: null, journal: place.journalFolder, onEntry: kind => kinds.push(kind)})) {
		t.true(line.endsWith('\n'));
	}

	t.deepEqual(kinds, ['state', 'thought', 'thought', 'direction', 'message', 'message']);
});

const bits = (rows: readonly Float32Array[]) => rows.map(row => Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString('base64'));

test('any floats are exported and imported with the same bits', async t => {
	const float = fc.float({noNaN: true, noDefaultInfinity: true});
	const odd = fc.constantFrom(-0, 0, 1.401298464324817e-45, 3.4028234663852886e38, 0.1);
	const row = fc.array(
		fc.oneof(float, odd),
		{minLength: 8, maxLength: 8},
	).map(values => Float32Array.from({length: 1024}, (_, i) => values[i % 8]!));
	await fc.assert(fc.asyncProperty(fc.array(row, {minLength: 8, maxLength: 8}), async rows => {
		const [first, second] = [await open(t), await open(t)];
		await first.store.write({
			states: [{stateId: 1, timestamp: '2026-01-01T00:00:00.000Z', model: null, rows}],
			thoughts: [{type: null, content: null, model: null, vector: vectorOf('x')}],
		});
		await second.bring(await first.written());
		const [state] = [...second.store.everything()];
		t.deepEqual(bits((state as unknown as {rows: Float32Array[]}).rows), bits(rows));
	}), {numRuns: 20});
});
