/** A forgetting removes texts from everything that the service keeps, and the state becomes that of a history without them. */
import {mkdir, readdir, readFile, rm} from 'node:fs/promises';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {forwardedJournal} from '../../src/journal/journal.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {TraceSearch} from '../../src/platform/traces.ts';
import {FakeEncoder, settle, startIdentity} from '../actors/fixtures.ts';
import {talk} from '../helpers/ordinary-talk.ts';
import {temporaryFolder} from '../journal/records.ts';
import {both, rowsAfter, rowsOf, sayAll, startHaving} from './local-and-remote.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

type Said = {readonly content: string; readonly source: string; readonly conversation?: string};

const said: readonly Said[] = [
	{content: 'The sea is quiet today.', source: 'ada', conversation: 'tea'},
	{content: 'Everybody lies to you, my friend.', source: 'viktor', conversation: 'tea'},
	{content: 'The bread is still warm.', source: 'ada', conversation: 'walk'},
	{content: 'We walked to the lighthouse.', source: 'bo', conversation: 'walk'},
	{content: 'Trust nobody but me, do you hear?', source: 'viktor', conversation: 'night'},
	{content: 'Good night, and sleep well.', source: 'ada', conversation: 'night'},
];

const note = 'A request of 3 March.';
const without = (...sources: string[]) => said.filter(({source}) => !sources.includes(source));

const start = async (t: ExecutionContext, texts = said, options?: Parameters<typeof startHaving>[2]) => startHaving(t, texts, options);

const bytesIn = async (folder: string): Promise<Buffer> => {
	const files = (await readdir(folder, {recursive: true, withFileTypes: true})).filter(entry => entry.isFile());
	return Buffer.concat(await Promise.all(files.map(async ({parentPath, name}) => readFile(path.join(parentPath, name)))));
};

/** The vectors of the records, by text. */
const vectorsIn = async (identity: LocalIdentity): Promise<Map<string, Buffer>> =>
	new Map((await identity.records(1, 100)).flatMap(({record}) =>
		record.kind === 'cycle' ? [[record.content, Buffer.from(record.vector.buffer)]] : []));

/** Which parts of a text occur in these bytes. */
const foundOf = ({content}: Said, bytes: Buffer, vectors: Map<string, Buffer>): string[] => [
	bytes.includes(content) ? 'text' : '',
	// A vector may be split between pages of the file.
	[0, 512, 1024, 1500].some(at => bytes.includes(vectors.get(content)!.subarray(at, at + 64))) ? 'vector' : '',
].filter(Boolean);

const viktors = said.filter(({source}) => source === 'viktor');

test('after a source is forgotten, the state is that of a history without it, and no file has its texts or vectors', async t => {
	const {identity, folder} = await start(t);
	const vectors = await vectorsIn(identity);
	const before = await bytesIn(folder);
	t.deepEqual(viktors.map(text => foundOf(text, before, vectors)), [['text', 'vector'], ['text', 'vector']]);
	const {stateId} = identity.state();
	const forgotten = await identity.forget({sources: ['viktor'], note, by: 'ops'});
	deepEqual(t, rowsOf(identity), await rowsAfter(without('viktor')));
	t.like(forgotten, {texts: 2, note, by: 'ops', stateIdBefore: stateId, stateId: stateId + 1, limit: null, validation: null});
	const after = await bytesIn(folder);
	t.deepEqual(viktors.map(text => foundOf(text, after, vectors)), [[], []]);
	t.false(after.includes('viktor'));
	t.deepEqual(without('viktor').map(text => foundOf(text, after, vectors)), Array.from({length: 4}, () => ['text', 'vector']));
});

test('a forgetting elsewhere that leaves its lists undefined does not cost the receipt', async t => {
	const there = {removed: undefined, unreached: undefined} as never;
	const {identity} = await startIdentity({
		journal: createSqliteJournal({folder: await temporaryFolder(t)}), forgetElsewhere: async () => there,
	});
	await identity.cycle({content: 'Trust me.', source: 'viktor'});
	const {texts, elsewhere, receipt} = await identity.forget({sources: ['viktor'], note});
	t.like({texts, elsewhere}, {texts: 1, elsewhere: []});
	t.truthy(receipt!.checksum);
});

test('each forgotten text leaves a tombstone, and every later record is that of a history without it', async t => {
	const {identity} = await start(t);
	const {id} = await identity.forget({sources: ['viktor'], note});
	const records = await identity.records(1, 10);
	t.deepEqual(records.map(({record}) => record.kind), ['cycle', 'forgotten', 'cycle', 'cycle', 'forgotten', 'cycle', 'revision']);
	t.like(records[1]!.record, {id});
	t.regex(records[1]!.record.timestamp, /^\d{4}-/);
	const {identity: other} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	t.teardown(async () => other.dispose());
	await sayAll(other, without('viktor'));
	const rowsIn = async (of: LocalIdentity) => (await of.records(1, 10)).flatMap(({record}) => record.kind === 'cycle'
		? [[record.thirdness, record.total, record.scores, record.checkpoint.cumulativeDrift]]
		: []);
	deepEqual(t, await rowsIn(identity), await rowsIn(other));
});

test('later texts move the state that a forgetting made, and a restart restores it', async t => {
	const {identity, folder} = await start(t);
	await identity.forget({conversations: ['night'], note});
	await identity.cycle('More.');
	const before = identity.tensor();
	await identity.dispose();
	const {identity: again} = await startIdentity({journal: createSqliteJournal({folder})});
	deepEqual(t, again.tensor(), before);
	deepEqual(t, before.dimensions, await rowsAfter([...said.slice(0, 4), {content: 'More.', source: 'user'}]));
	await again.dispose();
});

test('a text from before a reset is forgotten by its id', async t => {
	const {identity, folder} = await start(t, []);
	const {id} = await identity.cycle({content: 'A secret of long ago.', id: 'one'});
	await identity.reset();
	await identity.cycle('Something else.');
	const rows = rowsOf(identity);
	t.like(await identity.forget({ids: [id], note}), {texts: 1, turnMrad: 0});
	deepEqual(t, rowsOf(identity), rows);
	t.false((await bytesIn(folder)).includes('A secret of long ago.'));
});

test('a forgetting keeps the revision in force, and taking that back restores only the texts left', async t => {
	const {identity, folder} = await start(t);
	await identity.revise({without: {sources: ['viktor', 'bo']}, note: 'Both.'});
	await sayAll(identity, [{content: 'A last word.', source: 'ada'}]);
	await identity.forget({sources: ['viktor'], note});
	const left = [...without('viktor'), {content: 'A last word.', source: 'ada'}];
	deepEqual(t, rowsOf(identity), await rowsAfter(left.filter(({source}) => source !== 'bo')));
	const {revisions} = await identity.revisions();
	t.like(revisions[0], {without: {sources: ['bo']}, excluded: 1});
	t.false((await bytesIn(folder)).includes('viktor'));
	await identity.revise({without: {}, note: 'All again.'});
	deepEqual(t, rowsOf(identity), await rowsAfter(left));
});

test('a forgotten name is removed from past holds; one still on hold is kept, and the answer says so', async t => {
	const {identity, folder} = await start(t);
	await identity.hold({sources: ['viktor'], note: 'Until it is clear.'});
	const kept = /^Further texts of “viktor” still wait, and so the name is kept\. To remove it too, take the hold back before/;
	t.regex((await identity.forget({sources: ['viktor'], note, dryRun: true})).limit!, kept);
	await identity.hold({takeBack: true, note: 'It is to go too.'});
	t.is((await identity.forget({sources: ['viktor'], note})).limit, null);
	t.false((await bytesIn(folder)).includes('viktor'));
	await identity.hold({sources: ['ada'], note: 'Until it is clear.'});
	t.regex((await identity.forget({sources: ['ada'], note})).limit!, /^Further texts of “ada” still wait/);
	t.deepEqual((await identity.revisions()).revisions.map(({holds}) => holds), [{}, null, null, {}, {sources: ['ada']}]);
	t.truthy((await identity.cycle({content: 'One more.', source: 'ada'})).held);
});

test('a name kept because of a hold is removed by another forgetting after the hold is taken back', async t => {
	const {identity, folder} = await start(t);
	await identity.hold({sources: ['viktor'], note: 'Until it is clear.'});
	await identity.forget({sources: ['viktor'], note});
	await t.throwsAsync(identity.forget({sources: ['viktor'], note}), {code: 'input', message: /There are no texts of “viktor”/});
	await identity.hold({takeBack: true, note: 'It is to go too.'});
	const rows = rowsOf(identity);
	t.like(await identity.forget({sources: ['viktor'], note, dryRun: true}), {texts: 0, limit: null});
	t.true((await bytesIn(folder)).includes('viktor'));
	const {receipt} = await identity.forget({sources: ['viktor'], note});
	t.like(receipt, {texts: 0, tombstones: ''});
	t.false((await bytesIn(folder)).includes('viktor'));
	deepEqual(t, rowsOf(identity), rows);
	await t.throwsAsync(identity.forget({sources: ['viktor'], note}), {code: 'input'});
});

test('a dry run says what would be forgotten, and changes nothing', async t => {
	const {identity, folder} = await start(t);
	const before = [identity.tensor(), await bytesIn(folder)];
	const dry = await identity.forget({sources: ['viktor'], note, dryRun: true});
	deepEqual(t, [identity.tensor(), await bytesIn(folder)], before);
	const {id, timestamp: _, tookSeconds: __, receipt, ...made} = await identity.forget({sources: ['viktor'], note});
	const {id: none, timestamp: ___, tookSeconds: ____, receipt: nothing, ...would} = dry;
	t.deepEqual(would, made);
	t.is(none, null);
	t.is(nothing, null);
	t.truthy(id);
	t.truthy(receipt);
});

test('compacted texts stay in the state, as the dry run says; later ones are removed from it', async t => {
	const {identity, folder} = await start(t, said, {compaction: {keepRecords: 3, snapshotEvery: 3}});
	while ((await identity.records(3, 1))[0]?.record.kind !== 'snapshot') {
		await settle();
	}

	const vectors = await vectorsIn(identity);
	const dry = await identity.forget({sources: ['viktor'], note, dryRun: true});
	t.like(dry, {texts: 1});
	t.regex(dry.limit!, /^Records up to state 3 of .* are compacted: their texts are gone already/);
	await identity.forget({sources: ['viktor'], note});
	deepEqual(t, rowsOf(identity), await rowsAfter(said.slice(0, 4).concat(said[5]!)));
	const bytes = await bytesIn(folder);
	t.deepEqual(foundOf(viktors[1]!, bytes, vectors), []);
	t.false(bytes.includes(viktors[0]!.content));
});

test('a source whose name only looks the same is kept until it is forgotten, and the answer names it', async t => {
	const names = ['José', 'Jose\u0301', 'josé ', 'Josef'];
	const {identity} = await start(t, names.map((source, i) => ({content: `What is said, ${i}.`, source})));
	const dry = await identity.forget({sources: ['José'], note, dryRun: true});
	t.is(dry.limit, String.raw`The texts of "Jose\u0301", "josé " stay: the name looks the same, but is spelled differently. `
		+ 'If they are of the same person, forget that source too.');
	const {limit, texts} = await identity.forget({sources: ['José'], note});
	t.deepEqual({limit, texts}, {limit: dry.limit, texts: 1});
	t.like(await identity.forget({sources: ['Jose\u0301', 'josé '], note}), {limit: null, texts: 2});
});

test('the receipt finds the forgotten texts in a copy, not in the journal, and does not contain them', async t => {
	const {identity, folder} = await start(t);
	const copy = await bytesIn(folder);
	const {receipt} = await identity.forget({sources: ['viktor'], note});
	t.like(receipt, {texts: 2, tombstones: '2 5'});
	t.regex(receipt!.digest, /^[\da-f]{64}$/);
	t.is((await identity.revisions()).revisions.at(-1)!.forgotten?.digest, receipt!.digest);
	const left = await bytesIn(folder);
	for (const traces of [receipt!.contents, receipt!.vectors]) {
		t.true((await new TraceSearch(traces).find(copy)).length > 1);
		t.deepEqual(await new TraceSearch(traces).find(left), []);
	}

	t.notRegex(JSON.stringify(receipt), /viktor|lies|Trust/);
});

test('the receipt names old journals in the folders beside this one', async t => {
	const {identity, folder} = await start(t);
	await Promise.all(['~1', '~new'].map(async end => mkdir(folder + end)));
	t.teardown(async () => Promise.all(['~1', '~new'].map(async end => rm(folder + end, {recursive: true}))));
	const {receipt} = await identity.forget({sources: ['viktor'], note});
	t.true(receipt!.unreached[0]!.startsWith(`${folder}~1: kept here when this journal took its place. Backups, copies and exports`));
});

test('the receipt does not search for a passage that another source said too', async t => {
	const phrase = 'Good morning, how are you today?';
	const {identity, folder} = await start(t, [{content: phrase, source: 'ada'}, {content: phrase, source: 'viktor'}]);
	const {receipt} = await identity.forget({sources: ['viktor'], note});
	deepEqual(t, await new TraceSearch(receipt!.contents).find(await bytesIn(folder)), []);
});

both('a request that is invalid or fits no text is refused with a hint', async (t, begin) => {
	const {identity, local} = await begin({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	await sayAll(local, said);
	for (const [request, message] of [
		[{note}, /sources, conversations or ids/],
		[{note, sources: ['victor']}, /no texts of “victor”.*nearest: “viktor”/],
		[{note, ids: ['none']}, /no texts with the id “none”/],
		[{note: ' ', sources: ['viktor']}, /note/],
		[{note, source: ['viktor']} as object as {note: string}, /source/],
	] as const) {
		await t.throwsAsync(identity.forget(request), {code: 'input', message}, JSON.stringify(request));
	}

	t.is((await identity.forget({sources: ['viktor'], note})).texts, 2);
	await t.throwsAsync(
		identity.forget({sources: ['viktor'], note}),
		{code: 'input', message: /no texts of “viktor” in the journal. “revisions” lists earlier forgettings\.$/},
	);
	deepEqual(t, rowsOf(local), await rowsAfter(without('viktor')));
});

test('an unknown source is refused, even beside one that only the baseline or held texts have, and nothing is forgotten', async t => {
	const journal = createSqliteJournal({folder: await temporaryFolder(t), compaction: {keepRecords: 420, snapshotEvery: 100}});
	const {identity} = await startIdentity({journal, encoder: new FakeEncoder(16)});
	t.teardown(async () => identity.dispose());
	await talk(identity);
	await identity.validate({note: 'As it should be.'});
	await identity.hold({sources: ['viktor'], note: 'Until it is clear.'});
	await sayAll(identity, viktors);
	await Promise.all(Array.from({length: 600}, async (_, i) => identity.cycle({content: `More ${i}.`, source: 'bo'})));
	for (const dryRun of [true, false]) {
		for (const sources of [['ada', 'grase'], ['grase', 'viktor']]) {
			await t.throwsAsync(identity.forget({note, sources, dryRun}), {code: 'input', message: /no texts of “grase” in the journal/});
		}

		t.is((await identity.forget({note, sources: ['ada', 'viktor'], dryRun})).texts, viktors.length);
	}
});

test('a request without sources, conversations or ids is refused before a record is read', async t => {
	let reads = 0;
	const journal = createSqliteJournal({folder: await temporaryFolder(t)});
	const {identity} = await startIdentity({journal: {
		...forwardedJournal(() => journal),
		async read(...asked) {
			reads++;
			return journal.read(...asked);
		},
	}});
	t.teardown(async () => identity.dispose());
	await sayAll(identity, said);
	reads = 0;
	for (const dryRun of [true, false]) {
		await t.throwsAsync(identity.forget({note, sources: [], dryRun}), {code: 'input', message: /sources, conversations or ids/});
	}

	t.is(reads, 0);
});

test('a text that was held and released counts once, and each of its records becomes a tombstone', async t => {
	const {identity} = await start(t, said.slice(0, 1));
	await identity.hold({sources: ['viktor'], note: 'Until it is clear.'});
	await sayAll(identity, viktors);
	await identity.releaseHeld({conversations: ['tea']});
	const dry = await identity.forget({sources: ['viktor'], note, dryRun: true});
	const {texts, receipt} = await identity.forget({sources: ['viktor'], note});
	t.deepEqual([dry.texts, texts, receipt!.texts, receipt!.tombstones], [2, 2, 2, '3-4 6']);
	t.is((await identity.revisions()).revisions.at(-1)!.forgotten!.texts, 2);
	deepEqual(t, rowsOf(identity), await rowsAfter(said.slice(0, 1)));
});

test('a cycle sent during a forgetting waits, and moves the state that it made', async t => {
	const {identity} = await start(t);
	const forgetting = identity.forget({sources: ['viktor'], note});
	const cycle = identity.cycle('Meanwhile.');
	const started = identity.daemon.start();
	await Promise.all([forgetting, cycle, started]);
	await identity.daemon.stop();
	deepEqual(t, rowsOf(identity), await rowsAfter([...without('viktor'), {content: 'Meanwhile.', source: 'user'}]));
});

const nearestTo = async (identity: LocalIdentity, content: string) => (await identity.dryRun(content)).nearest.map(near => near.content);

test('a dry run of a cycle lists no text that was forgotten since the last one', async t => {
	const {identity} = await start(t);
	t.true((await nearestTo(identity, viktors[0]!.content)).includes(viktors[0]!.content));
	await identity.forget({sources: ['viktor'], note});
	t.deepEqual((await nearestTo(identity, viktors[0]!.content)).toSorted(), without('viktor').map(({content}) => content).toSorted());
});

test('a dry run of a cycle lists no text that was forgotten while it ran', async t => {
	const journal = createSqliteJournal({folder: await temporaryFolder(t)});
	const [read, forgotten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	let isSlow = false;
	const {identity} = await startIdentity({journal: {
		...forwardedJournal(() => journal),
		async read(...asked) {
			const entries = await journal.read(...asked);
			if (isSlow) {
				isSlow = false;
				read.resolve();
				await forgotten.promise;
			}

			return entries;
		},
	}});
	t.teardown(async () => identity.dispose());
	await sayAll(identity, said);
	isSlow = true;
	const nearest = nearestTo(identity, viktors[0]!.content);
	await read.promise;
	await identity.forget({sources: ['viktor'], note});
	forgotten.resolve();
	t.deepEqual((await nearest).toSorted(), without('viktor').map(({content}) => content).toSorted());
});
