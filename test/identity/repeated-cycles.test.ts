/** A cycle with its caller's id is safe to repeat: locally, from a client, and after a restart. */
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test, {type ExecutionContext} from 'ava';
import {connectIdentity} from '../../src/client/index.ts';
import {EmbeddingError, InputError, UnavailableError} from '../../src/platform/errors.ts';
import type {Identity} from '../../src/identity/identity.ts';
import {RepeatedCycles} from '../../src/identity/repeated-cycles.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {settle, startIdentity} from '../actors/fixtures.ts';
import {serve} from '../http/service.ts';
import {cycle as recordOfCycle, temporaryFolder} from '../journal/records.ts';

type Options = Parameters<typeof startIdentity>[0];

const start = async (t: ExecutionContext, options?: Options) => {
	const started = await startIdentity(options);
	t.teardown(() => started.identity.dispose());
	return started;
};

const places: Record<string, (
	t: ExecutionContext, options?: Options,
) => Promise<Awaited<ReturnType<typeof startIdentity>> & {client: Identity}>> = {
	async local(t, options) {
		const started = await start(t, options);
		return {...started, client: started.identity};
	},
	async remote(t, options) {
		const started = await start(t, options);
		const {url} = await serve(t, started.identity);
		const client = connectIdentity({baseUrl: url});
		t.teardown(() => client.dispose());
		return {...started, client};
	},
};

const storedCycle = {...recordOfCycle(1, {metadata: {}}), isHashed: false} as const;

const request = {id: 'message-7', content: 'The sea is quiet.', trigger: 'veille', metadata: {source: 'notebook', page: 3}};

for (const [place, startAt] of Object.entries(places)) {
	for (const [kept, journalOf] of Object.entries({
		'without a journal': (): FakeJournal | null => null,
		'with a journal': () => new FakeJournal(),
	})) {
		test(`${place}, ${kept}: a repeated request moves the state once, and has the first one's answer`, async t => {
			const {client, identity} = await startAt(t, {journal: journalOf()});
			const first = await client.cycle(request);
			t.like(first, {id: 'message-7', stateId: 1});
			t.false('isReplayed' in first);
			await client.cycle('Something else.');
			const {isReplayed, processingTimeMs: _, ...again} = await client.cycle(request);
			t.true(isReplayed);
			t.like(first, again);
			t.deepEqual(again.dimensionsAffected, first.dimensionsAffected);
			t.is(identity.state().stateId, 2);
			t.like(identity.daemon.status().cyclesBreakdown, {veille: 1, user: 1});
		});

		test(`${place}, ${kept}: the same metadata in another order of keys is the same request`, async t => {
			const {client, identity} = await startAt(t, {journal: journalOf()});
			await client.cycle({...request, metadata: {source: 'Ada', where: {page: 3, lines: [{from: 1, to: 2}]}}});
			t.like(await client.cycle({...request, metadata: {where: {lines: [{to: 2, from: 1}], page: 3}, source: 'Ada'}}), {isReplayed: true});
			await t.throwsAsync(
				client.cycle({...request, metadata: {source: 'Ada', where: {page: 3, lines: [{from: 2, to: 1}]}}}),
				{instanceOf: InputError},
			);
			t.is(identity.state().stateId, 1);
		});

		test(`${place}, ${kept}: an id is refused with another content, trigger or metadata, also while its cycle is pending`, async t => {
			const {client, identity, encoder} = await startAt(t, {journal: journalOf()});
			const held = encoder.hold(request.content);
			const first = client.cycle(request);
			while (encoder.asked.length === 0) {
				await settle();
			}

			for (const change of [{content: 'Another.'}, {trigger: 'user'}, {metadata: {page: 3}}]) {
				await t.throwsAsync(client.cycle({...request, ...change}), {
					instanceOf: InputError,
					message: /id “message-7” belongs to a cycle with another content, trigger or metadata/,
				});
			}

			held.resolve();
			await first;
			for (const change of [{content: 'Another.'}, {trigger: 'user'}, {metadata: {page: 3}}]) {
				await t.throwsAsync(client.cycle({...request, ...change}), {instanceOf: InputError});
			}

			t.is(identity.state().stateId, 1);
		});
	}

	test(`${place}: an id that no header can carry is refused`, async t => {
		const {client} = await startAt(t);
		for (const id of ['', 'a b', 'é', 'x'.repeat(256)]) {
			await t.throwsAsync(client.cycle({content: 'a', id}), {
				instanceOf: InputError,
				message: 'The id of a cycle must be 1 to 255 visible ASCII characters.',
			});
		}

		t.is((await client.cycle({content: 'a', id: 'x'.repeat(255)})).stateId, 1);
	});
}

test('a repeated request joins the pending one', async t => {
	const {identity, encoder} = await start(t, {journal: new FakeJournal()});
	const held = encoder.hold(request.content);
	const answers = [identity.cycle(request), identity.cycle(request), identity.cycle(request)];
	await settle();
	held.resolve();
	const [first, ...others] = await Promise.all(answers);
	t.false('isReplayed' in first!);
	for (const other of others) {
		t.deepEqual(other, {...first!, isReplayed: true});
	}

	t.deepEqual(encoder.asked, [request.content]);
});

test('when the first caller aborts, the next one’s request runs instead', async t => {
	const {identity, encoder} = await start(t, {journal: new FakeJournal()});
	encoder.hold(request.content);
	const caller = new AbortController();
	const first = identity.cycle(request, {signal: caller.signal});
	const others = [identity.cycle(request), identity.cycle(request)];
	await settle();
	encoder.hold(request.content).resolve();
	caller.abort(new Error('It hung up.'));
	await t.throwsAsync(first, {message: 'It hung up.'});
	const [second, third] = await Promise.all(others);
	t.is(second!.stateId, 1);
	t.deepEqual(third, {...second!, isReplayed: true});
});

test('aborting a joined request ends only that call', async t => {
	const {identity, encoder} = await start(t);
	const held = encoder.hold(request.content);
	const first = identity.cycle(request);
	const caller = new AbortController();
	const joined = identity.cycle(request, {signal: caller.signal});
	await settle();
	caller.abort(new Error('It hung up.'));
	await t.throwsAsync(joined, {message: 'It hung up.'});
	held.resolve();
	t.is((await first).stateId, 1);
});

test('a failed request can be sent again with its id', async t => {
	const {identity, encoder} = await start(t, {journal: new FakeJournal()});
	encoder.fail(request.content, new EmbeddingError('The server is down.'));
	await t.throwsAsync(identity.cycle(request), {instanceOf: EmbeddingError});
	await t.throwsAsync(identity.cycle(request), {instanceOf: EmbeddingError});
	encoder.fail(request.content, undefined as never);
	t.is((await identity.cycle(request)).stateId, 1);
});

test('a request that failed with the journal can be sent again with its id after the recovery', async t => {
	const journal = new FakeJournal();
	const {identity, clock} = await start(t, {journal});
	journal.break('The disk is full.');
	await t.throwsAsync(identity.cycle(request), {message: /The disk is full/});
	await t.throwsAsync(identity.cycle(request), {instanceOf: UnavailableError});
	journal.mend();
	const recovered = new Promise(resolve => {
		identity.on('journal.recovered', resolve);
	});
	clock.increment(5000);
	await recovered;
	const answer = await identity.cycle(request);
	t.is(answer.stateId, 1);
	t.false('isReplayed' in answer);
	t.is(journal.records.length, 1);
});

test('calls run in order, with or without an id', async t => {
	const journal = new FakeJournal();
	const {identity} = await start(t, {journal});
	await Promise.all([
		identity.cycle({content: 'a', id: 'x'}),
		identity.cycle('b'),
		identity.cycle({content: 'c', id: 'y'}),
		identity.cycle({content: 'd', id: 'z'}),
		identity.reset(),
		identity.cycle('e'),
	]);
	t.deepEqual(journal.records.map(record => record.kind === 'cycle' ? record.content : record.kind), ['a', 'b', 'c', 'd', 'reset', 'e']);
});

test('ids stay known after a reset', async t => {
	const {identity} = await start(t, {journal: new FakeJournal()});
	await identity.cycle(request);
	await identity.reset();
	t.true((await identity.cycle(request)).isReplayed);
	t.is(identity.state().stateId, 0);
});

test('a dry run ignores the id of its request', async t => {
	const {identity} = await start(t, {journal: new FakeJournal()});
	t.is((await identity.dryRun(request)).stateId, 1);
	t.false('isReplayed' in await identity.cycle(request));
	t.is((await identity.dryRun(request)).stateId, 2);
});

for (const content of ['text', 'hash'] as const) {
	test(`an id is known after a restart, if the journal keeps the content as ${content}`, async t => {
		const folder = await temporaryFolder(t);
		const strange = {
			id: 'strange',
			content: 'a \u0000 b \uD800 c',
			trigger: '\uDC00',
			metadata: {b: 1, 2: -0, text: '\uD800\u0000', deep: [{}]},
		};
		const open = async () => start(t, {journal: createSqliteJournal({folder, content})});
		const before = await open();
		const first = await before.identity.cycle(request);
		await before.identity.cycle(strange);
		await before.identity.dispose();
		const {identity} = await open();
		const {isReplayed, processingTimeMs, ...again} = await identity.cycle(request);
		t.true(isReplayed);
		t.is(processingTimeMs, 0);
		t.like(first, again);
		t.true((await identity.cycle(strange)).isReplayed);
		const {source, page} = request.metadata;
		t.true((await identity.cycle({...request, metadata: {page, source}})).isReplayed, 'in another order of keys');
		await t.throwsAsync(identity.cycle({...request, content: 'Another.'}), {instanceOf: InputError});
		await t.throwsAsync(identity.cycle({...request, metadata: {}}), {instanceOf: InputError});
		t.is(identity.state().stateId, 2);
	});
}

test('compaction frees the ids of its cycles', async t => {
	const {identity} = await start(t, {
		journal: createSqliteJournal({folder: await temporaryFolder(t), compaction: {keepRecords: 2, snapshotEvery: 2}}),
	});
	for (const id of ['1', '2', '3', '4', '5', '6']) {
		await identity.cycle({content: id, id});
	}

	t.true((await identity.cycle({content: '6', id: '6'})).isReplayed);
	t.like(await identity.cycle({content: '1', id: '1'}), {stateId: 7});
});

test('without a journal, the newest 1,000 ids are known', async t => {
	const {identity} = await start(t);
	for (let i = 0; i <= 1000; i++) {
		await identity.cycle({content: 'a', id: `${i}`});
	}

	t.true((await identity.cycle({content: 'a', id: '1'})).isReplayed);
	t.is((await identity.cycle({content: 'a', id: '0'})).stateId, 1002);
});

test('overlapping look-ups do not retain the cycles that earlier ones found', async t => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const looking: Array<() => void> = [];
	const found: Array<WeakRef<object>> = [];
	const cycles = new RepeatedCycles(async id => {
		await new Promise<void>(resolve => {
			looking.push(resolve);
		});
		const cycle = {...storedCycle, id};
		found.push(new WeakRef(cycle));
		return cycle;
	});
	const ask = async (id: string) =>
		cycles.answerTo(
			{id, content: storedCycle.content, trigger: storedCycle.trigger, metadata: {}}, async () => t.fail() as never, undefined,
		);
	let answer = ask('0');
	for (let i = 1; i <= 10; i++) {
		// The next look-up is under way before this one ends.
		const next = ask(String(i));
		looking.shift()!();
		await answer;
		answer = next;
	}

	await settle();
	collect();
	t.is(found[0]!.deref(), undefined);
	looking.shift()!();
	await answer;
});
