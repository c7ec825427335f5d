/** Forgetting also removes texts from what an identity begins with: the store's thoughts and the reference person's messages. */
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {forgetTexts} from '../../src/sources/forget-texts.ts';
import {openMessageFile} from '../../src/sources/message-file.ts';
import {openSqliteStore} from '../../src/sources/store/sqlite/store.ts';
import type {Store, WritableStore} from '../../src/sources/store/store.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';

const theirs = 'Everybody lies to you, my friend.';
const mine = 'The bread is still warm this morning.';
const goodNight = 'Good night to you, and sleep well.';

const readOnly = (store: WritableStore): Store =>
	new Proxy(store, {get: (real, name) => name === 'forget' ? undefined : Reflect.get(real, name)});

/** An identity with both texts in its journal, its store and its messages. */
const start = async (t: ExecutionContext) => {
	const folder = await mkdtemp(path.join(tmpdir(), 'forget-texts-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const store = openSqliteStore(path.join(folder, 'store.sqlite'));
	const messages = openMessageFile(path.join(folder, 'messages.sqlite'));
	await store.write({thoughts: [theirs, mine].flatMap(content => [
		{type: null, content, model: null, vector: vectorOf(content)},
		{type: 'kept without its words', content: null, model: null, vector: vectorOf(content)},
	])});
	const kept = [[theirs, 'night'], [goodNight, 'night'], [theirs, 'tea'], [mine, 'tea']] as const;
	await messages.write(kept.map(([content, conversation], i) => ({
		conversation, title: `About ${conversation}`, isDeleted: false, role: 'user', content, createdAt: `${i}`,
	})));
	const open = async (isReadOnly = false) => {
		const {identity} = await startIdentity({
			journal: createSqliteJournal({folder: path.join(folder, 'journal')}),
			// Weaviate is read-only.
			forgetElsewhere: async texts => forgetTexts({store: isReadOnly ? readOnly(store) : store, messages}, texts),
		});
		t.teardown(async () => identity.dispose());
		await identity.cycle({content: theirs, source: 'viktor', conversation: 'night'});
		await identity.cycle({content: mine, source: 'ada', conversation: 'tea'});
		return identity;
	};

	const bytes = async (): Promise<Buffer> => {
		const files = (await readdir(folder, {recursive: true, withFileTypes: true})).filter(entry => entry.isFile());
		return Buffer.concat(await Promise.all(files.map(async ({parentPath, name}) => readFile(path.join(parentPath, name)))));
	};

	return {open, store, messages, bytes};
};

const note = 'A request.';

test('forgetting a source removes its texts from the store and the messages, and keeps those of others', async t => {
	const {open, store, messages, bytes} = await start(t);
	const identity = await open();
	t.true((await bytes()).includes(theirs));
	const {elsewhere, receipt} = await identity.forget({sources: ['viktor'], note});
	t.deepEqual(elsewhere, [`${store.place}: 2 thoughts.`, `${messages.place}: 2 messages.`]);
	t.false(receipt!.unreached.some(sentence => sentence.includes('store')));
	await identity.dispose();
	const left = await bytes();
	t.false(left.includes(theirs));
	t.false(left.includes(Buffer.from(vectorOf(theirs).buffer)));
	t.deepEqual((await store.thoughts(10)).map(({content}) => content).toSorted(), [mine, null]);
	t.deepEqual([...messages.read() as Iterable<{content: string}>].map(({content}) => content), [mine, goodNight]);
});

test('forgetting a conversation removes its messages, of all sources, and its title', async t => {
	const {open, bytes, messages} = await start(t);
	const identity = await open();
	const {elsewhere} = await identity.forget({conversations: ['night'], note});
	t.true(elsewhere.includes(`${messages.place}: 3 messages.`));
	await identity.dispose();
	const left = await bytes();
	for (const passage of [theirs, goodNight, 'About night']) {
		t.false(left.includes(passage), passage);
	}

	t.true(left.includes('About tea'));
});

test('forgetting does not reach a read-only store, and the receipt says so', async t => {
	const {open, store} = await start(t);
	const {elsewhere, receipt} = await (await open(true)).forget({sources: ['viktor'], note});
	t.is(elsewhere.length, 1);
	t.true(receipt!.unreached.includes(`${store.place}, which is read-only here: delete the thoughts of these texts with the tools of `
		+ 'that store.'));
});
