/** The whole identity of a process that an application's own root machine spawns. */
import test from 'ava';
import {createActor, setup, waitFor} from 'xstate';
import {createProcessMachine, processParts, type ProcessOptions, type ProcessSnapshot} from '../../src/actors/index.ts';
import {createIdentity, identityOf, selectors} from '../../src/index.ts';
import {ConfigurationError, UnavailableError} from '../../src/platform/errors.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, settle} from '../actors/fixtures.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const themes = {rumination: ['r0'], corpus: ['c0']};

/** An application that holds an identity while it is open. */
const startApplication = (options: ProcessOptions = {}) => {
	const encoder = new FakeEncoder();
	const identity = createProcessMachine(processParts({themes, encoder, journal: new FakeJournal(), ...options}));
	const root = createActor(setup({
		types: {events: {} as {type: 'close'} | {type: 'open'}, children: {} as {identity: 'identity'}},
		actors: {identity},
	}).createMachine({
		initial: 'open',
		states: {
			open: {invoke: {id: 'identity', src: 'identity', onError: 'broken', onDone: 'closed'}, on: {close: 'closed'}},
			closed: {on: {open: 'open'}},
			broken: {},
		},
	})).start();
	return {root, encoder, actor: () => root.getSnapshot().children.identity!};
};

test('requests, views and questions go to the process that the application spawned', async t => {
	const {root, actor} = startApplication();
	const identity = identityOf(actor());
	const heard: string[] = [];
	identity.on('*', ({type}) => heard.push(type));
	t.is((await identity.cycle('first')).stateId, 1);
	t.is((await identity.cycle({content: 'second', id: 'mine'})).stateId, 2);
	t.true((await identity.cycle({content: 'second', id: 'mine'})).isReplayed);
	t.is(identity.state().stateId, 2);
	t.is(identity.vigilance().level, 'ok');
	t.is((await identity.history()).points.length, 3);
	t.is((await identity.stateAt(1)).stateId, 1);
	t.is((await identity.reset()).stateId, 0);
	t.deepEqual(new Set(heard.filter(type => type !== 'boot.step')), new Set(['ready', 'cycle.done', 'reset.done']));
	root.stop();
});

test('a process that is ready has an identity at once', async t => {
	const {root, actor} = startApplication();
	await waitFor(actor(), snapshot => snapshot.matches('ready'));
	const identity = identityOf(actor());
	t.is(identity.state().stateId, 0);
	await identity.ready();
	t.is((await identity.cycle('first')).stateId, 1);
	root.stop();
});

test('a parent that leaves its state ends the identity, and what waits for it is told', async t => {
	const {root, actor, encoder} = startApplication();
	const identity = identityOf(actor());
	await identity.ready();
	encoder.hold('never');
	const cycle = identity.cycle('never');
	const ended = identity.events();
	root.send({type: 'close'});
	await t.throwsAsync(cycle, {instanceOf: UnavailableError, message: 'The identity is stopping or closed.'});
	const types = [];
	for await (const {type} of ended) {
		types.push(type);
	}

	t.is(types.at(-1), 'stopped');
	await t.throwsAsync(identity.cycle('later'), {instanceOf: UnavailableError});
});

test('a parent that stops during the boot fails what waits for the boot', async t => {
	const {root, actor} = startApplication();
	const identity = identityOf(actor());
	const cycle = identity.cycle('first');
	root.stop();
	await t.throwsAsync(identity.ready(), {instanceOf: UnavailableError, message: 'The process was stopped.'});
	await t.throwsAsync(cycle, {instanceOf: UnavailableError});
});

test('a state that is entered again has another identity, which goes on from the journal', async t => {
	const {root, actor} = startApplication();
	const first = identityOf(actor());
	await first.cycle('first');
	root.send({type: 'close'});
	root.send({type: 'open'});
	const second = identityOf(actor());
	t.not(second, first);
	t.is((await second.cycle('second')).stateId, 2);
	t.is((await second.history()).points.length, 3);
	root.stop();
});

test('dispose ends the process, which its parent hears of', async t => {
	const {root, actor} = startApplication();
	await using identity = identityOf(actor());
	await identity.cycle('first');
	await identity.dispose();
	t.is(root.getSnapshot().value, 'closed');
});

test('a boot that fails is the parent’s error, and the identity says so', async t => {
	const failure = new Error('no such model');
	const {root, actor} = startApplication({
		async encoder() {
			throw failure;
		},
	});
	const identity = identityOf(actor());
	const error = await t.throwsAsync(identity.ready());
	t.is(error.cause, failure);
	await settle();
	t.is(root.getSnapshot().value, 'broken');
	await t.throwsAsync(identity.cycle('first'), {instanceOf: UnavailableError, message: /could not start/});
});

test('an actor has one identity', async t => {
	const {root, actor} = startApplication();
	const identity = identityOf(actor(), {maxPendingCycles: 1});
	t.is(identityOf(actor()), identity);
	t.throws(() => identityOf(actor(), {maxPendingCycles: 2}), {instanceOf: ConfigurationError, message: /already has an identity/});
	const created = createIdentity({themes, encoder: new FakeEncoder()});
	t.is(identityOf(created.actor), created);
	await created.dispose();
	root.stop();
});

test('what is no process, and what is no option of an identity, is refused', t => {
	t.throws(() => identityOf(createActor(setup({}).createMachine({})) as never), {
		instanceOf: ConfigurationError,
		message: /createProcessMachine/,
	});
	t.throws(() => identityOf(undefined as never), {instanceOf: ConfigurationError, message: /createProcessMachine/});
	const {root, actor} = startApplication();
	t.throws(() => identityOf(actor(), {journal: null} as never), {instanceOf: ConfigurationError, message: /journal/});
	root.stop();
});

test('the selectors give the identity’s views of a snapshot', async t => {
	const {root, actor} = startApplication({directions: [{
		category: 'affective',
		name: 'calm',
		polePositive: 'calm',
		poleNegative: 'agitated',
		vector: new Float32Array(1024).fill(1 / 32),
	}]});
	const identity = identityOf(actor());
	await identity.cycle('first');
	const snapshot: ProcessSnapshot = actor().getSnapshot();
	t.is(selectors.state(snapshot), identity.state());
	t.is(selectors.vigilance(snapshot), identity.vigilance());
	t.is(selectors.profile(snapshot), identity.profile());
	t.is(selectors.scaledProfile(snapshot, 'thirdness'), identity.scaledProfile({lens: 'thirdness'}));
	deepEqual(t, selectors.tensor(snapshot), identity.tensor());
	t.deepEqual(selectors.readiness(snapshot), identity.readiness());
	t.is(selectors.health(snapshot).embeddingModel, 'fake');
	t.is(selectors.daemon(snapshot).mode, identity.daemon.status().mode);
	root.stop();
});
