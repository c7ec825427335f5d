/** The process in an application's actor system: as root or child, stopped, persisted, and with other boot steps. */
import {runInNewContext} from 'node:vm';
import test from 'ava';
import {createActor, fromPromise, setup, waitFor, type ActorRefFrom} from 'xstate';
import {createBootMachine, type StepInput} from '../../src/actors/boot.ts';
import type {StepOutcome} from '../../src/actors/boot-steps.ts';
import {createProcessMachine} from '../../src/actors/process.ts';
import {processParts, type ProcessOptions} from '../../src/actors/process-parts.ts';
import {ConfigurationError, ModelLoadError} from '../../src/platform/errors.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {FakeJournal} from './fake-journal.ts';
import {FakeEncoder, settle} from './fixtures.ts';

const themes = {rumination: ['r0'], corpus: ['c0']};

/** A root that invokes an identity while it is awake. */
const rootOf = (options: ProcessOptions) => {
	const identity = createProcessMachine(processParts({themes, ...options}));
	return setup({
		types: {events: {} as {type: 'sleep'} | {type: 'wake'}, context: {} as {error: unknown}},
		actors: {identity},
	}).createMachine({
		context: {error: null},
		initial: 'awake',
		states: {
			awake: {
				invoke: {
					id: 'identity',
					src: 'identity',
					onError: {target: 'broken', actions: ({context, event}) => {
						context.error = event.error;
					}},
				},
				on: {sleep: 'asleep'},
			},
			asleep: {on: {wake: 'awake'}},
			broken: {},
		},
	});
};

type Identity = ActorRefFrom<typeof createProcessMachine>;

const identityIn = (root: {getSnapshot(): {children: object}}) => (root.getSnapshot().children as {identity: Identity}).identity;

const isReady = async (identity: Identity) => waitFor(identity, snapshot => snapshot.matches('ready'));

const cycle = async (identity: Identity, content: string) => {
	const {promise, resolve} = Promise.withResolvers<number>();
	identity.on('cycle.done', ({result}) => {
		resolve(result.stateId);
	});
	identity.send({type: 'cycle', id: content, content, trigger: 'user', metadata: {}});
	return promise;
};

test('a machine without parts is a complete identity in memory', async t => {
	const actor = createActor(createProcessMachine()).start();
	await isReady(actor);
	t.is(await cycle(actor, 'The sea is quiet today.'), 1);
	t.true(actor.getSnapshot().context.boot!.directions.length > 0);
	actor.stop();
});

test('when the parent stops, an encoder that a function created is disposed of, and the journal is closed', async t => {
	const encoder = new FakeEncoder();
	const journal = new FakeJournal();
	const root = createActor(rootOf({encoder: async () => encoder, journal})).start();
	await isReady(identityIn(root));
	root.stop();
	await settle();
	t.true(encoder.disposed);
	t.true(journal.isClosed);
});

test('the event stop closes the journal, and does not dispose of an encoder passed as a value', async t => {
	const encoder = new FakeEncoder();
	const journal = new FakeJournal();
	const actor = createActor(createProcessMachine(processParts({themes, encoder, journal}))).start();
	await isReady(actor);
	actor.send({type: 'stop'});
	await settle();
	t.is(actor.getSnapshot().status, 'done');
	t.false(encoder.disposed);
	t.true(journal.isClosed);
});

test('when the parent enters its state again, a new process boots from the journal', async t => {
	const encoders: FakeEncoder[] = [];
	const root = createActor(rootOf({
		encoder() {
			encoders.push(new FakeEncoder());
			return encoders.at(-1)!;
		},
		journal: new FakeJournal(),
	})).start();
	await isReady(identityIn(root));
	t.is(await cycle(identityIn(root), 'first'), 1);
	root.send({type: 'sleep'});
	root.send({type: 'wake'});
	await isReady(identityIn(root));
	t.is(await cycle(identityIn(root), 'second'), 2);
	t.deepEqual(encoders.map(({disposed}) => disposed), [true, false]);
	root.stop();
});

test('parts in use refuse a second process', async t => {
	const machine = createProcessMachine(processParts({themes, encoder: new FakeEncoder()}));
	const first = createActor(machine).start();
	await isReady(first);
	const {promise, resolve} = Promise.withResolvers<unknown>();
	const second = createActor(machine);
	second.subscribe({error: resolve});
	second.start();
	t.regex(String(await promise), /already runs with these parts/);
	first.stop();
});

test('a failed boot takes the parent’s onError transition, and releases encoder and journal', async t => {
	const failure = new ModelLoadError('no such model');
	const journal = new FakeJournal();
	const encoder = new FakeEncoder();
	const root = createActor(rootOf({
		encoder: async () => encoder,
		journal,
		requireInitialState: true,
		async initialState() {
			throw failure;
		},
	})).start();
	const {context: {error}} = await waitFor(root, snapshot => snapshot.matches('broken'));
	t.true(error instanceof ConfigurationError);
	t.is(((error as Error).cause as Error).cause, failure);
	await settle();
	t.true(encoder.disposed);
	t.true(journal.isClosed);
});

test('a persisted root is small as JSON, and its identity is restored from the journal', async t => {
	const journal = new FakeJournal();
	const first = createActor(rootOf({encoder: new FakeEncoder(), journal})).start();
	await isReady(identityIn(first));
	await cycle(identityIn(first), 'first');
	const json = JSON.stringify(first.getPersistedSnapshot());
	t.true(json.length < 500, json);
	first.stop();
	await settle();

	const second = createActor(rootOf({encoder: new FakeEncoder(), journal}), {snapshot: JSON.parse(json)}).start();
	await isReady(identityIn(second));
	t.is(identityIn(second).getSnapshot().context.state!.stateId, 1);
	t.is(await cycle(identityIn(second), 'second'), 2);
	second.stop();
});

test('a machine with a provided boot actor is restored from its journal', async t => {
	const journal = new FakeJournal();
	const parts = () => processParts({themes, encoder: new FakeEncoder(), journal});
	const machine = (made = parts()) => createProcessMachine(made).provide({actors: {boot: createBootMachine(made)}});
	const first = createActor(machine()).start();
	await isReady(first);
	await cycle(first, 'first');
	const snapshot = first.getPersistedSnapshot();
	first.stop();
	await settle();
	const second = createActor(machine(), {snapshot}).start();
	await isReady(second);
	t.is(second.getSnapshot().context.state!.stateId, 1);
	second.stop();
});

test('a stopped identity stays stopped when its snapshot is restored', async t => {
	const machine = () => createProcessMachine(processParts({themes, encoder: new FakeEncoder()}));
	const first = createActor(machine()).start();
	await isReady(first);
	first.send({type: 'stop'});
	const second = createActor(machine(), {snapshot: first.getPersistedSnapshot()}).start();
	t.like(second.getSnapshot(), {status: 'done', value: 'stopped'});
});

test('a part that is misspelled, invalid or unknown is refused by name', t => {
	const make = (options: object) => () => processParts(options);
	t.throws(make({jornal: null}), {code: 'configuration', message: /^A process has no option “jornal”; the nearest is “journal”/});
	t.throws(make({journal: './identity'}), {code: 'configuration', message: /^The option journal must be a journal/});
	t.throws(make({warn: console.warn}), {code: 'configuration', message: /no option “warn”/}, 'an option of identityOf is no part');
});

test('a step of the boot can be replaced by another actor', async t => {
	const parts = processParts({encoder: new FakeEncoder()});
	const boot = createBootMachine(parts).provide({
		actors: {themes: fromPromise<StepOutcome, StepInput>(async () => ({part: {themes}, warnings: ['own themes']}))},
	});
	const actor = createActor(createProcessMachine(parts).provide({actors: {boot}})).start();
	await isReady(actor);
	const {context: {report, boot: made}} = actor.getSnapshot();
	t.deepEqual(made!.themes, themes);
	t.deepEqual(report.find(({step}) => step === 'themes')!.warnings, ['own themes']);
	actor.stop();
});

test('a journal in place of the options is refused, with what to write instead', t => {
	t.throws(() => processParts(createSqliteJournal({folder: 'unused'}) as never), {code: 'configuration', message: /write {journal: …}/});
});

test('options from another realm are accepted', t => {
	t.notThrows(() => processParts(runInNewContext('({journal: null})') as ProcessOptions));
});

test('options in place of the parts are refused, with what to write instead', t => {
	t.throws(() => createProcessMachine({journal: null} as never), {code: 'configuration', message: /processParts\({…}\)/});
});

test('if a child breaks outside of its turn, the process ends with its error, and frees its parts', async t => {
	const journal = new FakeJournal();
	const actor = createActor(createProcessMachine(processParts({themes, encoder: new FakeEncoder(), journal})).provide({actors: {
		daemon: fromPromise(async () => {
			throw new Error('a defect');
		}) as never,
	}}));
	const {promise, resolve} = Promise.withResolvers<unknown>();
	actor.subscribe({error: resolve});
	actor.start();
	t.is((await promise as Error).message, 'a defect');
	await settle();
	t.true(journal.isClosed);
});
