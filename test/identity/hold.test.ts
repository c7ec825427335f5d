/** A hold: further texts of a source or a conversation are recorded, and not applied until they are released. */
import test, {type ExecutionContext} from 'ava';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {startIdentity} from '../actors/fixtures.ts';
import {callTool} from '../../src/agents/tools/call-tool.ts';
import {temporaryFolder} from '../journal/records.ts';
import {calm, sayAll} from './local-and-remote.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const note = 'Viktor’s account was taken over.';

/** An identity after two texts, with Viktor on hold. */
const start = async (t: ExecutionContext) => {
	const folder = await temporaryFolder(t);
	const openWithClock = async () => {
		const opened = await startIdentity({journal: createSqliteJournal({folder}), directions: async () => calm});
		t.teardown(async () => opened.identity.dispose());
		return opened;
	};

	const {identity, clock} = await openWithClock();
	await identity.cycle({content: 'a', source: 'ada', id: 'a'});
	await identity.cycle({content: 'b', source: 'viktor', id: 'b'});
	await identity.revise({without: {sources: ['viktor']}, hold: true, note, by: 'ops'});
	return {identity, clock, open: async () => (await openWithClock()).identity};
};

const heldTexts = [
	{content: 'c', source: 'viktor', conversation: 'tea', id: 'c'},
	{content: 'd', source: 'viktor', id: 'd'},
];

test('a text of a source on hold does not move the state, and the answer says why', async t => {
	const {identity} = await start(t);
	const before = identity.tensor();
	const answer = await identity.cycle(heldTexts[0]!);
	t.like(answer, {id: 'c', stateId: before.stateId, deltaMagnitude: 0});
	t.regex(answer.held!, /^Texts of “viktor” wait since \d+ \w+ \d+, \d\d:\d\d UTC: “Viktor’s account was taken over\.”$/);
	t.true(answer.dissonanceTotal > 0);
	deepEqual(t, identity.tensor(), before);
	t.is((await identity.cycle({content: 'e', source: 'ada'})).held, undefined);
});

test('held() lists the sources on hold and the held texts, also after a restart', async t => {
	const {identity, open} = await start(t);
	await sayAll(identity, heldTexts);
	const held = await identity.held();
	t.like(held, {waiting: 2, hold: {sources: ['viktor'], conversations: [], note, by: 'ops'}, sources: [{source: 'viktor', texts: 2}]});
	t.like(held.texts[0], {id: 'c', source: 'viktor', conversation: 'tea', content: 'c'});
	t.is((await identity.held({limit: 1})).texts.length, 1);
	await t.throwsAsync(identity.held({limit: 'abc' as never}), {code: 'input', message: 'limit is a whole number from 0 to 200, not abc.'});
	await identity.dispose();
	t.deepEqual(await (await open()).held(), held);
});

test('the state of a forgotten text is no moment, even if a text was held in it; an earlier state with its id is one', async t => {
	const {identity} = await start(t);
	const earlier = await identity.stateAt(1);
	await identity.cycle({content: 'f', source: 'ada', id: 'f'});
	await identity.cycle(heldTexts[0]!);
	await identity.forget({ids: ['f'], note});
	await t.throwsAsync(identity.stateAt(4), {code: 'input', message: /^The journal has no state 4\. Its newest is 5\./});
	await identity.reset();
	await identity.cycle({content: 'g', source: 'ada', id: 'g'});
	await identity.cycle(heldTexts[1]!);
	await identity.forget({ids: ['g'], note});
	deepEqual(t, await identity.stateAt(1), earlier);
});

test('a repeated request with a held text has the first answer, before and after its release and after a restart', async t => {
	const {identity, open} = await start(t);
	const {processingTimeMs: _, ...first} = await identity.cycle(heldTexts[0]!);
	t.like(await identity.cycle(heldTexts[0]!), {...first, isReplayed: true});
	await identity.releaseHeld({ids: ['c']});
	t.like(await identity.cycle(heldTexts[0]!), {...first, isReplayed: true});
	await identity.dispose();
	t.like(await (await open()).cycle(heldTexts[0]!), {...first, isReplayed: true});
});

test('a release applies held texts in order, and their records have the times at which they were held', async t => {
	const {identity} = await start(t);
	await sayAll(identity, heldTexts);
	const {held, state} = {held: await identity.held(), state: identity.state()};
	const released = await identity.releaseHeld({sources: ['viktor'], note: 'It was him.', by: 'ops'});
	t.like(released, {ids: ['c', 'd'], stateIdBefore: state.stateId, stateId: state.stateId + 2, note: 'It was him.', by: 'ops', left: 0});
	t.is(identity.state().stateId, released.stateId);
	const records = (await identity.records(1, 100)).map(({record}) => record);
	t.deepEqual(
		records.flatMap(record => record.kind === 'cycle' && record.saidAt ? [[record.id, record.saidAt]] : []),
		held.texts.map(({id, timestamp}) => [id, timestamp]),
	);
	t.is((await identity.held()).waiting, 0);
});

test('a dry run says what a release or a drop would do, and changes nothing', async t => {
	const {identity} = await start(t);
	await sayAll(identity, heldTexts);
	const before = [identity.tensor(), await identity.held(), await identity.revisions()];
	const dry = await identity.releaseHeld({sources: ['viktor'], dryRun: true});
	t.like(await identity.dropHeld({ids: ['c'], dryRun: true}), {id: null, ids: ['c'], turnMrad: 0, stateId: identity.state().stateId});
	await t.throwsAsync(identity.releaseHeld({sources: ['bo'], dryRun: true}), {code: 'input', message: /No text of “bo” waits/});
	deepEqual(t, [identity.tensor(), await identity.held(), await identity.revisions()], before);
	const {ids, stateId, turnMrad, directions} = await identity.releaseHeld({sources: ['viktor']});
	t.true(turnMrad > 0);
	t.like(dry, {id: null, ids, stateId, turnMrad, directions, p: null, left: 0});
	t.is(dry.words.length, 1);
});

test('after a release, the state is that of a history with the text at its end, and the cycle counts once', async t => {
	const {identity} = await start(t);
	await identity.cycle(heldTexts[0]!);
	await identity.cycle({content: 'e', source: 'ada'});
	const {cyclesBreakdown} = identity.daemon.status();
	await identity.releaseHeld({sources: ['viktor']});
	t.deepEqual(identity.daemon.status().cyclesBreakdown, cyclesBreakdown);
	const {identity: other} = await startIdentity();
	t.teardown(async () => other.dispose());
	for (const content of ['a', 'e', 'c']) {
		await other.cycle(content);
	}

	deepEqual(t, identity.tensor().dimensions, other.tensor().dimensions);
});

test('a dropped text is no longer held, and does not move the state', async t => {
	const {identity} = await start(t);
	await sayAll(identity, heldTexts);
	const before = identity.tensor();
	t.like(await identity.dropHeld({conversations: ['tea']}), {ids: ['c'], stateId: before.stateId, turnMrad: 0});
	deepEqual(t, identity.tensor(), before);
	t.is((await identity.held()).waiting, 1);
});

test('a drop is listed among the revisions, with its author and its note', async t => {
	const {identity} = await start(t);
	await identity.cycle(heldTexts[0]!);
	await identity.dropHeld({ids: ['c'], note: 'Not his.', by: 'ops'});
	const {revisions} = await identity.revisions();
	t.like(revisions[0], {kind: 'revision', holds: {sources: ['viktor']}});
	t.like(revisions[1], {kind: 'drop', note: 'Not his.', by: 'ops', settled: 1, without: null, at: null});
});

test('a revision without a hold takes the hold back; held texts stay held', async t => {
	const {identity} = await start(t);
	await identity.cycle(heldTexts[0]!);
	const request = {without: {sources: ['viktor']}, note: 'Only what he said before.'};
	t.is((await identity.revise({...request, dryRun: true})).words.at(-1), 'From now on no one is on hold.');
	t.is((await identity.revise(request)).words.at(-1), 'From now on no one is on hold.');
	t.like(await identity.held(), {hold: null, waiting: 1});
	t.is((await identity.cycle({content: 'f', source: 'viktor'})).held, undefined);
});

test('a hold keeps the state and the revision in force, and replaces the hold before it', async t => {
	const {identity, open} = await start(t);
	await identity.cycle({content: 'e', source: 'bo'});
	const before = identity.tensor();
	const answer = await identity.hold({sources: ['bo'], note: 'Until it is clear.', by: 'ops'});
	t.like(answer, {
		kind: 'hold', stateId: before.stateId + 1, turnMrad: 0, excluded: 1, without: null, holds: {sources: ['bo']}, by: 'ops',
		words: ['From now on further texts of “bo” wait.', 'Those of “viktor” pass again.'],
	});
	deepEqual(t, identity.tensor().dimensions, before.dimensions);
	t.regex((await identity.cycle({content: 'f', source: 'bo'})).held!, /“Until it is clear\.”/);
	t.is((await identity.cycle({content: 'g', source: 'viktor'})).held, undefined, 'a hold names all sources on hold');
	await identity.dispose();
	const again = await open();
	t.like((await again.held()).hold, {sources: ['bo'], note: 'Until it is clear.'});
	t.is((await again.ledger({by: 'source'})).entries.find(({key}) => key === 'viktor')?.texts, 1, 'the text that was left out stays so');
});

test('taking a hold back keeps the revision in force, even one that went back to a moment', async t => {
	const {identity} = await start(t);
	await identity.cycle({content: 'e', source: 'bo'});
	await identity.revise({at: 1, note});
	const before = identity.tensor();
	await identity.hold({takeBack: true, note: 'It was him.'});
	deepEqual(t, identity.tensor().dimensions, before.dimensions);
	t.is((await identity.held()).hold, null);
	const {revisions} = await identity.revisions();
	t.like(revisions.at(-1), {kind: 'hold', holds: null, excluded: revisions.at(-2)!.excluded, at: null});
	await t.throwsAsync(identity.hold({takeBack: true, note}), {code: 'input', message: /Nothing would change: no one is on hold/});
});

test('a decision keeps the time and the note of a revision or a hold that it does not change', async t => {
	const {identity, open, clock} = await start(t);
	const ofRevision = /Since the revision of 1 January 2026, 00:01 UTC \(“Only one\.”\) 1 text weighs nothing/;
	const whyOf = async () => [identity.scaledProfile().note, (await identity.ledger({by: 'source'})).note];
	const holdOf = async ({held}: Pick<typeof identity, 'held'>) => {
		const {hold} = await held();
		return [hold!.timestamp.slice(11, 16), hold!.note, hold!.by];
	};

	const decide = async (decision: () => Promise<unknown>) => {
		clock.increment(60_000);
		await decision();
	};

	await decide(async () => identity.revise({without: {sources: ['ada']}, note: 'Only one.'}));
	await decide(async () => identity.hold({sources: ['bo'], note: 'Until it is clear.', by: 'ops'}));
	t.true((await whyOf()).every(said => ofRevision.test(said!)));
	t.deepEqual(await holdOf(identity), ['00:02', 'Until it is clear.', 'ops']);

	await decide(async () => identity.forget({sources: ['viktor'], note: 'He asked for it.'}));
	t.true((await whyOf()).every(said => ofRevision.test(said!)));
	t.deepEqual(await holdOf(identity), ['00:02', 'Until it is clear.', 'ops']);
	await identity.dispose();
	const again = await open();
	t.regex(again.scaledProfile().note!, ofRevision);
	t.deepEqual(await holdOf(again), ['00:02', 'Until it is clear.', 'ops']);
});

test('a hold may name a source without texts, and its answer says so', async t => {
	const {identity} = await start(t);
	const {words} = await identity.hold({sources: ['victor'], note});
	t.deepEqual(words, [
		'From now on further texts of “victor” wait.',
		'Those of “viktor” pass again.',
		'There are no texts of “victor” since the beginning or the last reset; nearest: “viktor”.',
	]);
	t.truthy((await identity.cycle({content: 'f', source: 'victor'})).held);
	await t.throwsAsync(identity.hold({note}), {code: 'input', message: /Say whose further texts are to wait/});
});

test('a conversation with a long id is found by its whole id and by its first 200 characters', async t => {
	const {identity} = await start(t);
	const [long, faces] = ['x'.repeat(250), '😀'.repeat(150)];
	await identity.cycle({content: 'f', source: 'ada', metadata: {conversation: long}});
	await identity.cycle({content: 'g', source: 'ada', conversation: faces});
	for (const conversations of [[long], [long.slice(0, 200)], [faces]]) {
		t.is((await identity.whatIf({without: {conversations}})).leftOut, 1);
		t.is((await identity.forget({conversations, note, dryRun: true})).texts, 1);
	}

	await identity.hold({conversations: [long, faces], note});
	t.truthy((await identity.cycle({content: 'h', source: 'ada', metadata: {conversation: long}})).held);
	t.truthy((await identity.cycle({content: 'i', source: 'ada', conversation: faces})).held);
	t.is((await identity.dropHeld({conversations: [long]})).ids.length, 1);
});

test('a hold needs sources or conversations, and only held texts can be released or dropped', async t => {
	const {identity} = await start(t);
	await t.throwsAsync(identity.revise({without: {ids: ['a']}, hold: true, note}), {code: 'input', message: /sources or conversations/});
	await t.throwsAsync(identity.releaseHeld({}), {code: 'input', message: /Say which texts to release/});
	await identity.cycle(heldTexts[0]!);
	await t.throwsAsync(
		identity.releaseHeld({sources: ['victor']}), {code: 'input', message: /No text of “victor” waits; nearest: “viktor”/},
	);
	await t.throwsAsync(identity.dropHeld({ids: ['a']}), {code: 'input', message: /No text with the id “a” waits/});
});

test('events report that a text is held, released or dropped', async t => {
	const {identity} = await start(t);
	const events: string[] = [];
	identity.on('*', ({type}) => {
		events.push(type);
	});
	await identity.cycle(heldTexts[0]!);
	await identity.cycle(heldTexts[1]!);
	await identity.releaseHeld({ids: ['c']});
	await identity.dropHeld({ids: ['d']});
	t.deepEqual(
		events.filter(type => /^(cycle|held)\./.test(type)),
		['cycle.held', 'cycle.held', 'cycle.done', 'held.released', 'held.dropped'],
	);
});

test('without a journal, held texts can be neither listed nor released', async t => {
	const {identity} = await startIdentity();
	t.teardown(async () => identity.dispose());
	await t.throwsAsync(identity.releaseHeld({ids: ['a']}), {code: 'no_journal'});
	await t.throwsAsync(identity.held(), {code: 'no_journal'});
});

test('the profile and the tools of agents say which texts weigh nothing and which are held', async t => {
	const {identity} = await start(t);
	t.regex(identity.scaledProfile().note!, / 1 text weighs nothing.* of “viktor” are held back since \d+ \w+ \d+, \d\d:\d\d UTC\.$/);
	const said = await callTool(identity, 'say', {text: 'c', source: 'viktor'});
	t.like(said, {isError: false});
	t.regex(said.text, /"summary": ?"It is held back and moved nothing\. Texts of “viktor” wait since/);
	await identity.cycle(heldTexts[1]!);
	const {text} = await callTool(identity, 'who_am_i', {});
	t.regex(
		text,
		/Further texts of “viktor” are held back since \d+ \w+ \d+, \d\d:\d\d UTC; 2 texts are waiting and have moved nothing yet\."/,
	);
	await identity.revise({without: {}, note: 'It was a mistake.'});
	await identity.dropHeld({sources: ['viktor']});
	t.notRegex(identity.scaledProfile().note ?? '', /weigh nothing|held back|wait/);
});

test('ledger and sources count held texts separately, and say that they wait', async t => {
	const {identity} = await start(t);
	await identity.cycle({content: 'e', source: 'bo'});
	await identity.revise({without: {sources: ['bo']}, hold: true, note});
	for (const content of ['f', 'g']) {
		await identity.cycle({content, source: 'bo'});
	}

	await identity.revise({without: {}, note: 'It was a mistake.'});
	const {entries, note: ledgerNote} = await identity.ledger({by: 'source'});
	t.deepEqual(
		entries.filter(({kind}) => kind === 'texts').map(({key, texts, held}) => [key, texts, held]).toSorted(),
		[['ada', 1, undefined], ['bo', 1, 2], ['viktor', 1, undefined]],
	);
	t.regex(ledgerNote!, /2 texts are waiting and have moved nothing yet\.$/);
	const answer = await identity.sources();
	t.deepEqual(answer.sources.map(({source, held}) => [source, held]).toSorted(), [['ada', undefined], ['bo', 2], ['viktor', undefined]]);
	t.regex(answer.note!, /2 texts are waiting/);
	t.regex((await identity.drift()).note!, /2 texts are waiting/);
});
