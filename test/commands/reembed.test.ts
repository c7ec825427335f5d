import {link, mkdir, mkdtemp, readdir, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {JournalReader} from '../../src/journal/sqlite/journal-reader.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {reembedJournal} from '../../src/commands/reembed.ts';
import {ConfigurationError} from '../../src/platform/errors.ts';
import {openToWrite} from '../../src/platform/sqlite/open-database.ts';
import {talk} from '../helpers/ordinary-talk.ts';
import {FakeEncoder, startIdentity, vectorOf} from '../actors/fixtures.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

/** An encoder whose vectors differ from those of the first one. */
const otherEncoder = () => {
	const encoder = Object.assign(new FakeEncoder(), {passport: {...new FakeEncoder().passport, model: 'other'}});
	encoder.embed = async text => vectorOf(`other ${text}`);
	return encoder;
};

const journalOf = async (options: {content?: 'hash'} = {}) => {
	const folder = path.join(await mkdtemp(path.join(tmpdir(), 'reembed-')), 'journal');
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, ...options})});
	for (const content of ['a', 'b']) {
		await identity.cycle({content, trigger: 'veille', metadata: {from: content}});
	}

	await identity.reset();
	await identity.cycle({content: 'c'});
	await identity.dispose();
	return folder;
};

/** The parts of a journal that do not depend on the model. */
const recordsOf = async (reader: JournalReader) => {
	const found = [];
	for await (const {record} of reader.replay()) {
		found.push({
			id: record.id,
			timestamp: record.timestamp,
			kind: record.kind,
			stateId: 'stateId' in record ? record.stateId : null,
			text: record.kind === 'cycle' && [record.content, record.trigger, record.metadata],
		});
	}

	return found;
};

test('the state becomes what the new model would have made it from the beginning', async t => {
	const folder = await journalOf();
	const progress: number[] = [];
	const {cycles, stateId} = await reembedJournal({
		folder,
		encoder: otherEncoder(),
		kernel: selectKernel(),
		onProgress(done) {
			progress.push(done);
		},
	});
	t.is(cycles, 3);
	t.is(stateId, 1);
	t.deepEqual(progress, [1, 2, 3, 4]);

	const {identity: rebuilt} = await startIdentity({journal: createSqliteJournal({folder}), encoder: async () => otherEncoder()});
	const {identity: direct} = await startIdentity({encoder: async () => otherEncoder()});
	await direct.cycle({content: 'c'});
	t.deepEqual(rebuilt.actor.getSnapshot().context.state!.rows, direct.actor.getSnapshot().context.state!.rows);
	t.deepEqual(rebuilt.daemon.status().cyclesBreakdown, {user: 1, veille: 0, corpus: 0, rumination_free: 0});
	await rebuilt.dispose();
});

test('the old journal is kept whole beside the new one', async t => {
	const folder = await journalOf();
	const {oldFolder} = await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()});
	using reader = new JournalReader(oldFolder);
	t.is(reader.genesis.passport.model, 'fake');
	t.is(reader.records, 4);
	t.deepEqual((await readdir(path.dirname(folder))).toSorted(), ['journal', 'journal~1']);
});

test('after an attempt that was killed before the new journal was in place, the next one leaves no remains', async t => {
	const folder = await journalOf();
	await mkdir(`${folder}~1`);
	await link(path.join(folder, 'journal.sqlite'), path.join(`${folder}~1`, 'journal.sqlite'));
	const {oldFolder} = await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()});
	t.is(oldFolder, `${folder}~1`);
	await reembedJournal({folder, encoder: new FakeEncoder(), kernel: selectKernel()});
	t.deepEqual((await readdir(path.dirname(folder))).toSorted(), ['journal', 'journal~1', 'journal~2']);
});

test('reembed is refused while another command writes the same draft, and changes neither the draft nor the journal', async t => {
	const folder = await journalOf();
	await mkdir(`${folder}~new`);
	await writeFile(path.join(`${folder}~new`, 'journal.sqlite'), 'of the other');
	using lock = openToWrite(`${folder}~lock`);
	lock.exec('begin exclusive');
	await t.throwsAsync(reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()}), {
		instanceOf: ConfigurationError, message: /journal~new is in use: another command is writing/,
	});
	t.is(await readFile(path.join(`${folder}~new`, 'journal.sqlite'), 'utf8'), 'of the other');
	using reader = new JournalReader(folder);
	t.is(reader.genesis.passport.model, 'fake');
});

test('texts, metadata, times, triggers and ids stay the same', async t => {
	const folder = await journalOf();
	const {oldFolder} = await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()});
	using old = new JournalReader(oldFolder);
	using fresh = new JournalReader(folder);
	t.deepEqual(await recordsOf(fresh), await recordsOf(old));
});

test('a record has the token report of the new model', async t => {
	const folder = await journalOf();
	const encoder = Object.assign(otherEncoder(), {
		embedWithReport: async (text: string) => ({vector: await otherEncoder().embed(text), report: {tokens: text.length}}),
	});
	await reembedJournal({folder, encoder, kernel: selectKernel()});
	using reader = new JournalReader(folder);
	for await (const {record} of reader.replay()) {
		t.deepEqual(record.kind === 'cycle' ? record.tokenReport : {tokens: 1}, {tokens: 1});
	}
});

test('digests of the old model are not kept', async t => {
	const folder = await journalOf();
	const {digests} = createSqliteJournal({folder});
	await digests!.add({head: {last: 4}, body: new Uint8Array(8)});
	await digests!.keep({seq: 4});

	await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()});
	using fresh = new JournalReader(folder);
	t.deepEqual([await fresh.digests.read(), await fresh.digests.kept()], [[], null]);
});

test('a validation is repeated with the same texts', async t => {
	const folder = path.join(await mkdtemp(path.join(tmpdir(), 'reembed-')), 'journal');
	const {identity} = await startIdentity({journal: createSqliteJournal({folder})});
	await talk(identity, {texts: 620, conversations: 62});
	const facts = await identity.validate({note: 'As it is.'});
	await talk(identity, {texts: 3});
	await identity.dispose();

	const {oldFolder} = await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()});
	using old = new JournalReader(oldFolder);
	using fresh = new JournalReader(folder);
	const [before, after] = [(await old.validation())!, (await fresh.validation())!];
	t.deepEqual(fresh.validated as unknown, facts as unknown);
	t.deepEqual(after.anchor.thirdness, fresh.stateAfter(620).row('thirdness'));
	t.notDeepEqual(after.anchor.thirdness, before.anchor.thirdness);
	t.deepEqual(after.texts.map(({id, source, time}) => [id, source, time]), before.texts.map(({id, source, time}) => [id, source, time]));
	t.deepEqual(after.texts[0]!.vector, vectorOf('other Text 20.'));
	t.is(after.texts.length, 600);
});

test('a repeated validation keeps its horizon, and its baseline still lacks excluded and forgotten texts', async t => {
	const folder = path.join(await mkdtemp(path.join(tmpdir(), 'reembed-')), 'journal');
	const {identity} = await startIdentity({journal: createSqliteJournal({folder})});
	await talk(identity, {texts: 620, conversations: 62});
	for (const [content, source] of [['They lie.', 'viktor'], ['I was here.', 'bo'], ['They all lie.', 'viktor']] as const) {
		await identity.cycle({content, source});
	}

	await identity.revise({without: {sources: ['viktor']}, note: 'Not his.'});
	await identity.validate({note: 'As it is.', horizon: 1000});
	await identity.forget({sources: ['bo'], note: 'A request.'});
	await identity.dispose();

	const {oldFolder} = await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()});
	using old = new JournalReader(oldFolder);
	using fresh = new JournalReader(folder);
	const [before, after] = [(await old.validation())!, (await fresh.validation())!];
	t.deepEqual(after.texts.map(({id}) => id), before.texts.map(({id}) => id));
	t.is(after.texts.length, 599);
	t.deepEqual([after.baseline, after.chance!.horizon], [before.baseline, 1000]);
});

test('a revision is repeated with the same texts left out', async t => {
	const folder = path.join(await mkdtemp(path.join(tmpdir(), 'reembed-')), 'journal');
	const {identity} = await startIdentity({journal: createSqliteJournal({folder})});
	for (const [content, source] of [['a', 'ada'], ['b', 'bo'], ['c', 'ada']] as const) {
		await identity.cycle({content, source});
	}

	await identity.revise({without: {sources: ['bo']}, note: 'Not his.'});
	await identity.cycle({content: 'd', source: 'bo'});
	await identity.dispose();
	await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()});

	const {identity: rebuilt} = await startIdentity({journal: createSqliteJournal({folder}), encoder: async () => otherEncoder()});
	const {identity: direct} = await startIdentity({encoder: async () => otherEncoder()});
	for (const content of ['a', 'c', 'd']) {
		await direct.cycle(content);
	}

	deepEqual(t, rebuilt.tensor().dimensions, direct.tensor().dimensions);
	t.like((await rebuilt.revisions()).revisions[0], {excluded: 1, note: 'Not his.', without: {sources: ['bo']}});
	await rebuilt.revise({without: {}, note: 'A mistake.'});
	await rebuilt.dispose();
	await direct.dispose();
});

test('held texts that were released or dropped and then forgotten keep their tombstones, and later records stay', async t => {
	const folder = path.join(await mkdtemp(path.join(tmpdir(), 'reembed-')), 'journal');
	const {identity} = await startIdentity({journal: createSqliteJournal({folder})});
	await identity.cycle({content: 'a', source: 'ada'});
	await identity.hold({sources: ['bo', 'viktor'], note: 'Until it is clear.'});
	for (const [id, source] of [['b', 'viktor'], ['c', 'bo'], ['d', 'viktor'], ['e', 'viktor']] as const) {
		await identity.cycle({id, content: id, source});
	}

	await identity.dropHeld({ids: ['e']});
	await identity.releaseHeld({sources: ['bo', 'viktor']});
	await identity.cycle({content: 'f', source: 'ada'});
	await identity.forget({sources: ['viktor'], note: 'A request.'});
	await identity.dispose();

	const {oldFolder} = await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()});
	const [before, after] = await Promise.all([oldFolder, folder].map(async each => {
		using reader = new JournalReader(each!);
		return recordsOf(reader);
	}));
	t.deepEqual(after, before);
	const {identity: rebuilt} = await startIdentity({journal: createSqliteJournal({folder}), encoder: async () => otherEncoder()});
	const {identity: direct} = await startIdentity({encoder: async () => otherEncoder()});
	for (const content of ['a', 'c', 'f']) {
		await direct.cycle(content);
	}

	deepEqual(t, rebuilt.tensor().dimensions, direct.tensor().dimensions);
	t.like(await rebuilt.held(), {waiting: 0});
	await rebuilt.dispose();
	await direct.dispose();
});

test('a text that is held after a forgotten one keeps its state id', async t => {
	const folder = path.join(await mkdtemp(path.join(tmpdir(), 'reembed-')), 'journal');
	const {identity} = await startIdentity({journal: createSqliteJournal({folder})});
	await identity.hold({sources: ['bo'], note: 'Until it is clear.'});
	for (const [content, source] of [['a', 'ada'], ['b', 'viktor'], ['c', 'bo'], ['d', 'ada']] as const) {
		await identity.cycle({content, source});
	}

	await identity.forget({sources: ['viktor'], note: 'A request.'});
	await identity.dispose();
	const {oldFolder} = await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()});
	const [before, after] = await Promise.all([oldFolder, folder].map(async each => {
		using reader = new JournalReader(each!);
		return recordsOf(reader);
	}));
	t.deepEqual(after, before);
});

test('reembed with the same model is refused', async t => {
	const folder = await journalOf();
	await t.throwsAsync(reembedJournal({folder, encoder: new FakeEncoder(), kernel: selectKernel()}), {
		code: 'configuration',
		message: /already belongs to “fake”/,
	});
	t.deepEqual(await readdir(path.dirname(folder)), ['journal']);
});

test('a journal with only hashes of its texts is refused with the number of missing texts, and is unchanged', async t => {
	const folder = await journalOf({content: 'hash'});
	await t.throwsAsync(reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()}), {
		code: 'configuration',
		message: /The texts of 3 of 4 records are gone.* Keep the first model\..* by “processual backup”/,
	});
	using reader = new JournalReader(folder);
	t.is(reader.genesis.passport.model, 'fake');
});

test('if the model fails midway, the old journal stays in place', async t => {
	const folder = await journalOf();
	const encoder = otherEncoder();
	encoder.embed = async text => {
		if (text === 'b') {
			throw new Error('the model broke');
		}

		return vectorOf(text);
	};

	await t.throwsAsync(reembedJournal({folder, encoder, kernel: selectKernel()}), {message: 'The encoder failed: the model broke'});
	t.deepEqual(await readdir(path.dirname(folder)), ['journal']);
	const reader = new JournalReader(folder);
	t.is(reader.genesis.passport.model, 'fake');
	reader.close();
	t.is((await reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()})).cycles, 3);
});

test('without a journal, reembed fails and creates none', async t => {
	const folder = path.join(await mkdtemp(path.join(tmpdir(), 'reembed-')), 'journal');
	await t.throwsAsync(reembedJournal({folder, encoder: otherEncoder(), kernel: selectKernel()}), {
		code: 'journal',
		message: /does not exist/,
	});
	t.deepEqual(await readdir(path.dirname(folder)), []);
});

test('no process can open the old journal before the new one replaces it', async t => {
	const folder = await journalOf();
	const encoder = otherEncoder();
	const {embed} = encoder;
	const begun = Promise.withResolvers<void>();
	encoder.embed = async text => {
		begun.resolve();
		return embed(text);
	};

	const over = new AbortController();
	const rebuilding = (async () => {
		await reembedJournal({folder, encoder, kernel: selectKernel()});
		over.abort();
	})();
	await begun.promise;
	const found: Array<string | undefined> = [];
	while (!over.signal.aborted) {
		// open() waits half a second for the lock, and gets it as soon as it is free.
		const journal = createSqliteJournal({folder});
		try {
			found.push((await journal.open())?.genesis.passport.model);
		} catch {
			// Refused.
		}

		await journal.close();
	}

	await rebuilding;
	t.deepEqual([...new Set(found)], ['other']);
	using reader = new JournalReader(folder);
	t.is(reader.records, 4);
});
