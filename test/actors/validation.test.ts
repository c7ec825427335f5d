/** A validation takes its turn among cycles: its anchor is exact, it is durable before it is answered, and it changes no state. */
import test, {type ExecutionContext} from 'ava';
import {BaselineTooShortError, InputError, JournalError, UnavailableError} from '../../src/platform/errors.ts';
import type {ValidationRecord} from '../../src/journal/validation.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {talk} from '../helpers/ordinary-talk.ts';
import {temporaryFolder} from '../journal/records.ts';
import {FakeJournal} from './fake-journal.ts';
import {settle, startIdentity, vectorOf} from './fixtures.ts';

/** An identity with enough texts for a validation. */
const start = async (t: ExecutionContext, journal = new FakeJournal()) => {
	const started = await startIdentity({journal, authority: {articles: [{vector: vectorOf('Text 3.'), critical: true}], anchors: []}});
	t.teardown(async () => started.identity.dispose());
	const sources = await talk(started.identity);
	return {...started, journal, sources, validate: async () => started.identity.validate({note: 'As it is.', horizon: 1000})};
};

const validationIn = ({records}: FakeJournal) => records.find((record): record is ValidationRecord => record.kind === 'validation');

test('the anchor is the state after all cycles accepted before, and the baseline has their texts', async t => {
	const {identity, encoder, journal, validate} = await start(t);
	const held = encoder.hold('before');
	const before = identity.cycle('before');
	const validated = validate();
	const after = identity.cycle('after');
	await settle();
	held.resolve();
	const {stateId} = await validated;
	t.is(stateId, (await before).stateId);
	t.is((await after).stateId, stateId + 1);

	const {anchor, texts, baseline} = validationIn(journal)!;
	const last = journal.records.find(record => record.kind === 'cycle' && record.stateId === stateId);
	t.true(last?.kind === 'cycle');
	if (last?.kind === 'cycle') {
		t.deepEqual(anchor, {timestamp: last.timestamp, thirdness: last.thirdness});
		t.deepEqual(texts.at(-1), {
			id: last.id, source: 'user', time: Date.parse(last.timestamp), conversation: null, isOwn: false, isUnread: false,
			vector: last.vector,
		});
	}

	t.is(texts.length, 401);
	t.is(baseline.conversations, 41);
});

test('a validation waits for the records before it, and later cycles wait for it', async t => {
	const {identity, journal, validate} = await start(t);
	journal.hold();
	const order: string[] = [];
	const calls = Object.entries({before: identity.cycle('before'), validated: validate(), after: identity.cycle('after')})
		.map(async ([name, call]) => {
			await call;
			order.push(name);
		});
	await settle();
	t.deepEqual(order, []);
	journal.release();
	await Promise.all(calls);
	t.deepEqual(order, ['before', 'validated', 'after']);
	t.deepEqual(journal.records.slice(-3).map(({kind}) => kind), ['cycle', 'validation', 'cycle']);
});

test('a validation is answered only once it is durable', async t => {
	const {journal, validate, identity} = await start(t);
	journal.hold();
	let isAnswered = false;
	const validated = validate().finally(() => {
		isAnswered = true;
	});
	for (let i = 0; i < 20; i++) {
		await settle();
	}

	t.false(isAnswered);
	t.is(identity.actor.getSnapshot().context.validation, null);
	journal.release();
	await validated;
	t.like(identity.actor.getSnapshot().context.validation, {note: 'As it is.', stateId: 400});
});

test('a validation changes neither state nor metrics nor mode', async t => {
	const {identity, validate} = await start(t);
	const look = () => ({
		tensor: identity.tensor(), vigilance: identity.vigilance(), metrics: identity.metrics(), daemon: identity.daemon.status(),
		profile: identity.readiness(),
	});
	const before = look();
	await validate();
	t.deepEqual(look(), before);
});

test('a validation does not change history, ledger, past states or what-ifs', async t => {
	const {identity, validate} = await start(t);
	const look = async () => {
		// Only p is known after a validation.
		const {p: _, ...whatIf} = await identity.whatIf({});
		return {
			history: await identity.history({points: 20}), ledger: await identity.ledger({by: 'source'}), state: await identity.stateAt(399),
			whatIf,
		};
	};

	const before = await look();
	await validate();
	t.deepEqual(await look(), before);
	t.is(before.whatIf.angleMrad, 0);
});

test('a validation with too few conversations fails in its turn, and the cycle behind it runs', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	t.teardown(async () => identity.dispose());
	await talk(identity, {texts: 450, conversations: 29});
	const validated = identity.validate({note: 'As it is.', horizon: 1000});
	const after = identity.cycle('after');
	await t.throwsAsync(
		validated,
		{instanceOf: BaselineTooShortError, message: /so far it has 450 texts, 450 of them by others, in 29 conversations\. Try again/},
	);
	t.like(await after, {stateId: 451});
});

test('if compaction removed the texts that a validation needs, the error names the option that keeps them', async t => {
	const journal = createSqliteJournal({folder: await temporaryFolder(t), compaction: {keepRecords: 100, snapshotEvery: 5}});
	const {identity} = await startIdentity({journal});
	t.teardown(async () => identity.dispose());
	await talk(identity);
	await t.throwsAsync(identity.validate({note: 'As it is.'}), {
		instanceOf: BaselineTooShortError,
		message: /Compaction has removed the earlier ones: let it keep more records \(journal\.compaction\.keepRecords\), and try again/,
	});
});

test('a validation that the journal cannot write fails and halts the process, as a cycle does', async t => {
	const {identity, journal, clock, validate} = await start(t);
	journal.break('the disk is full');
	await t.throwsAsync(validate(), {instanceOf: JournalError, message: /the disk is full/});
	await t.throwsAsync(identity.cycle('more'), {instanceOf: UnavailableError});
	await t.throwsAsync(validate(), {instanceOf: UnavailableError});
	t.is(identity.actor.getSnapshot().context.validation, null);
	journal.mend();
	const recovered = new Promise(resolve => {
		identity.on('journal.recovered', resolve);
	});
	clock.increment(5000);
	await recovered;
	t.like(await validate(), {stateId: 400});
});

test('a record that cannot be read fails the validation, and the process continues', async t => {
	const {identity, journal, validate} = await start(t);
	journal.read = async () => {
		throw new JournalError('record 7 is not what was written');
	};

	await t.throwsAsync(validate(), {instanceOf: JournalError, message: /record 7/});
	t.is(identity.readiness().parts.journal, 'ok');
	t.like(await identity.cycle('more'), {stateId: 401});
});

test('a stop before its turn fails a validation, and nothing is recorded', async t => {
	const {identity, encoder, journal, validate} = await start(t);
	encoder.hold('never');
	const stuck = identity.cycle('never');
	const validated = validate();
	await settle();
	const [, stopped] = await Promise.all([identity.dispose(), t.throwsAsync(validated, {instanceOf: UnavailableError})]);
	t.regex(stopped!.message, /stopping/);
	await t.throwsAsync(stuck, {instanceOf: UnavailableError});
	t.is(validationIn(journal), undefined);
});

test('a restart restores a validation and its whole baseline, although compaction removed the records', async t => {
	const folder = await temporaryFolder(t);
	const create = () => createSqliteJournal({folder, compaction: {keepRecords: 405, snapshotEvery: 5}});
	const {identity} = await startIdentity({journal: create()});
	await talk(identity);
	const validated = await identity.validate({note: 'As it is.', horizon: 1000});
	await talk(identity, {texts: 420, conversations: 60});
	await identity.dispose();

	const journal = create();
	const again = await startIdentity({journal});
	t.teardown(async () => again.identity.dispose());
	t.deepEqual(again.identity.actor.getSnapshot().context.validation as unknown, validated as unknown);
	const whole = (await journal.validation())!;
	t.is(whole.seq, 401);
	t.is(whole.texts.length, 400);
	t.deepEqual(whole.texts[0]!.vector, vectorOf('Text 0.'));
	t.deepEqual(whole.texts.map(({source}) => source).slice(0, 11), [...Array.from({length: 10}, () => 'ada'), 'grace']);
	t.like(await again.identity.validate({note: 'Another.'}), {stateId: 820});
	t.like(await journal.validation(), {note: 'Another.', seq: 822});
});

test('with a journal of hashes, pauses separate conversations, and the number of sources is unknown', async t => {
	const {identity, clock} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t), content: 'hash'})});
	t.teardown(async () => identity.dispose());
	await talk(identity);
	await t.throwsAsync(identity.validate({note: 'As it is.', horizon: 1000}), {
		instanceOf: BaselineTooShortError, message: /in 4 conversations\. .*Without ids, texts with a pause of less than 30 minutes/,
	});
	for (let i = 0; i < 40; i++) {
		clock.increment(3_600_000);
		await identity.cycle({content: `Text ${i}.`, trigger: i % 2 ? 'veille' : 'corpus'});
	}

	const baseline = {texts: 440, heard: 440, conversations: 44, sources: null};
	t.like(await identity.validate({note: 'As it is.', horizon: 1000}), {baseline});
});

test('the identity’s own texts do not count as heard', async t => {
	const {identity} = await startIdentity({journal: new FakeJournal()});
	t.teardown(async () => identity.dispose());
	await talk(identity, {texts: 399});
	for (let i = 0; i < 10; i++) {
		await identity.cycle({content: `Own ${i}.`, source: 'self', conversation: `${i}`});
	}

	t.like(await identity.validate({note: 'As it is.', horizon: 1000}), {baseline: {texts: 409, heard: 399}});
});

test('a validation records how far chance leads up to its horizon', async t => {
	const {identity, journal} = await start(t);
	await identity.validate({note: 'As it is.', horizon: 1000});
	const {chance} = validationIn(journal)!;
	t.like(chance, {seed: 401, horizon: 1000, usesIds: true, said: null});
	t.is(chance!.heard.medians.length, 46);
	t.is(chance!.heard.largest.length, 199);
	await t.throwsAsync(
		identity.validate({note: 'As it is.', horizon: 999}),
		{instanceOf: InputError, message: /horizon is a whole number from 1000 to 20000, not 999/},
	);
});

test('a baseline is refused if 90 % of its texts have one vector, and accepted if half of them do', async t => {
	const validateWith = async (isPing: (conversation: number) => boolean) => {
		const {identity} = await startIdentity({journal: new FakeJournal()});
		t.teardown(async () => identity.dispose());
		await Promise.all(Array.from({length: 400}, async (_, i) =>
			identity.cycle({content: isPing(i % 40) ? 'ping' : `Text ${i}.`, conversation: `${i % 40}`})));
		return identity.validate({note: 'As it is.', horizon: 1000});
	};

	const refused = {instanceOf: BaselineTooShortError, message: /one vector, as it does with heartbeats.*\(revise, .*validate again\.$/};
	await t.throwsAsync(validateWith(() => true), refused);
	await t.throwsAsync(validateWith(conversation => conversation > 3), refused);
	t.is((await validateWith(conversation => conversation > 19)).baseline.texts, 400);
});
