/**
 * Forgetting with a key for each source: the law of forgetting holds, and the remaining keys open no forgotten text in a
 * copy from before.
 */
import {cp, mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {DatabaseSync} from 'node:sqlite';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {ringInFile} from '../../src/journal/sqlite/key-file.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {startIdentity} from '../actors/fixtures.ts';
import fc from '../helpers/fast-check.ts';
import {often} from '../helpers/often.ts';
import {temporaryFolder} from '../journal/records.ts';
import {anyHistory, runSteps, plainHistory} from './forgetting-law.ts';
import {sayAll} from './local-and-remote.ts';

/** All bytes in a folder, and all values in it that the keys in a file open. */
const readableIn = async (folder: string, keyFile: string): Promise<Buffer[]> => {
	const files = await Promise.all((await readdir(folder)).map(async name => readFile(path.join(folder, name))));
	const ring = ringInFile(keyFile);
	// The open journal is locked, so a copy is read.
	const own = await mkdtemp(path.join(tmpdir(), 'readable-'));
	await cp(folder, own, {recursive: true});
	const database = new DatabaseSync(path.join(own, 'journal.sqlite'));
	const values = ['records', 'held', 'validation', 'revision']
		.flatMap(table => database.prepare(`select * from ${table}`).all())
		.flatMap(row => Object.values(row));
	database.close();
	await rm(own, {recursive: true});
	const sealed = values.flatMap(value => {
		const text = typeof value === 'string' && value.startsWith('sealed:') ? Buffer.from(value.slice(7), 'base64') : value;
		return text instanceof Uint8Array ? [text] : [];
	});
	return [...files, ...sealed.filter(bytes => ring.opens(bytes)).map(bytes => Buffer.from(ring.open(bytes, 'It')))];
};

test('the law of forgetting holds with keys, and the remaining keys open no forgotten text in an earlier copy', async t => {
	const met = {forgot: 0, refused: 0};
	await fc.assert(fc.asyncProperty(anyHistory, async steps => {
		const root = await mkdtemp(path.join(tmpdir(), 'forget-keys-'));
		const [folder, copy, file] = ['journal', 'copy', 'keys/its.keys'].map(name => path.join(root, name)) as [string, string, string];
		try {
			await runSteps(t, steps, {
				place: () => createSqliteJournal({folder, keys: {file}}),
				kernel: selectKernel(),
				async before() {
					await rm(copy, {recursive: true, force: true});
					await cp(folder, copy, {recursive: true});
				},
				async count(passages) {
					const places = [...await readableIn(folder, file), ...await readableIn(copy, file)];
					return passages.filter(passage => places.some(bytes => bytes.includes(passage))).length;
				},
			}, met);
		} finally {
			await rm(root, {recursive: true, force: true});
		}
	}), {numRuns: often(4, 60), examples: [[plainHistory]]});
	t.true(met.forgot > 0 && met.refused > 0, JSON.stringify(met));
});

const said = [
	{content: 'The sea is quiet today.', source: 'ada'},
	{content: 'Everybody lies to you, my friend.', source: 'viktor', conversation: 'night'},
	{content: 'Nobody said who says this.'},
	{content: 'Trust nobody but me, do you hear?', source: 'viktor'},
];

/** Starts an identity after these texts, and copies its folder. The texts from `sealed` on come first, without keys. */
const start = async (t: ExecutionContext, {sealed = said.length} = {}) => {
	const root = await temporaryFolder(t);
	const [folder, copy, file] = ['journal', 'copy', 'its.keys'].map(name => path.join(root, name)) as [string, string, string];
	const open = async (seals: boolean) => {
		const {identity} = await startIdentity({journal: createSqliteJournal({folder, keys: {file, seals}}), newId: () => crypto.randomUUID()});
		t.teardown(async () => identity.dispose());
		return identity;
	};

	const plain = await open(false);
	await sayAll(plain, said.slice(sealed));
	await plain.dispose();
	const identity = await open(true);
	await sayAll(identity, said.slice(0, sealed));
	await cp(folder, copy, {recursive: true});
	return {
		identity, file, open, folder,
		async knows(place: string, text: string) {
			return (await readableIn(place === 'copy' ? copy : folder, file)).some(bytes => bytes.includes(text));
		},
		openCopy: async () => createSqliteJournal({folder: copy, keys: {file}}).open(),
	};
};

test('forgetting a source destroys its key: copies reveal only the texts of other sources', async t => {
	const {identity, knows, openCopy} = await start(t);
	const {receipt} = await identity.forget({sources: ['viktor'], note: 'A request.'});
	for (const {content, source} of said) {
		t.is(await knows('copy', content), source !== 'viktor', content);
		t.is(await knows('journal', content), source !== 'viktor', content);
	}

	t.regex(receipt!.unreached[0]!, /^Backups, .* 2 of 2 texts are sealed there, and their keys are destroyed, as is that of all states/);
	t.regex(receipt!.unreached[0]!, /A copy of the key file .*its\.keys from before has the keys too: delete it/);
	t.false(receipt!.unreached.some(sentence => sentence.includes('they have the texts')));
	await t.throwsAsync(openCopy(), {message: /^\d records of the journal cannot be read, .*older than the forgetting: restore a newer one/});
});

test('forgetting one text of a source replaces its key: copies reveal none of its texts, the journal the others', async t => {
	const {identity, knows} = await start(t);
	await identity.forget({conversations: ['night'], note: 'A request.'});
	t.deepEqual(await Promise.all(said.map(async ({content}) => knows('copy', content))), [true, false, true, false]);
	t.deepEqual(await Promise.all(said.map(async ({content}) => knows('journal', content))), [true, false, true, true]);
});

test('the receipt says that copies have texts from before the keys, and the forgetting seals the remaining ones', async t => {
	const {identity, knows, folder} = await start(t, {sealed: 2});
	const {receipt} = await identity.forget({sources: ['viktor'], note: 'A request.'});
	t.regex(receipt!.unreached[0]!, /1 of 2 texts are sealed there.* 1 of the texts were not sealed\. Backups, copies and exports/);
	t.is(await knows('copy', said[3]!.content), true);
	const files = await Promise.all((await readdir(folder)).map(async name => readFile(path.join(folder, name))));
	t.false(files.some(bytes => bytes.includes('Nobody said who')));
});

test('a forgetting with keys turned off rewrites the journal without keys, and destroys them all', async t => {
	const {identity, knows, folder, file, open} = await start(t);
	await identity.dispose();
	const off = await open(false);
	await off.forget({sources: ['viktor'], note: 'A request.'});
	t.is(await knows('copy', said[0]!.content), false);
	await off.dispose();
	await rm(file, {force: true});
	const {identity: without} = await startIdentity({journal: createSqliteJournal({folder})});
	t.is((await without.records(1, 10)).length, 5);
	await without.dispose();
});
