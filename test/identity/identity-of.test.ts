/** `identityOf`: the identity of a process that an application's own machine invokes. */
import test from 'ava';
import {createActor, setup, waitFor} from 'xstate';
import {createProcessMachine, processParts, type ProcessOptions, type ProcessSnapshot} from '../../src/actors/index.ts';
import {createIdentity, identityOf, selectors} from '../../src/index.ts';
import {ConfigurationError, UnavailableError} from '../../src/platform/errors.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {FakeEncoder, settle} from '../actors/fixtures.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

const themes = {rumination: ['r0'], corpus: ['c0']};

/** An application whose state `open` invokes an identity. */
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
			broken: {on: {open: 'open'}},
		},
	})).start();
	return {root, encoder, actor: () => root.getSnapshot().children.identity!};
};

test('cycles, views, questions and events are those of the process that the application invokes', async t => {
	const {root, actor} = startApplication();
	const identity = identityOf(actor());
	const types: string[] = [];
	identity.on('*', ({type}) => types.push(type));
	t.is((await identity.cycle('first')).stateId, 1);
	t.is((await identity.cycle({content: 'second', id: 'mine'})).stateId, 2);
	t.true((await identity.cycle({content: 'second', id: 'mine'})).isReplayed);
	t.is(identity.state().stateId, 2);
	t.is(identity.vigilance().level, 'ok');
	t.is((await identity.history()).points.length, 3);
	t.is((await identity.stateAt(1)).stateId, 1);
	t.is((await identity.reset()).stateId, 0);
	t.deepEqual(new Set(types.filter(type => type !== 'boot.step')), new Set(['ready', 'cycle.done', 'reset.done']));
	root.stop();
});

test('the identity of a ready process answers at once', async t => {
	const {root, actor} = startApplication();
	await waitFor(actor(), snapshot => snapshot.matches('ready'));
	const identity = identityOf(actor());
	t.is(identity.state().stateId, 0);
	await identity.ready();
	t.is((await identity.cycle('first')).stateId, 1);
	root.stop();
});

test('when the parent leaves its state, pending cycles fail and the events end', async t => {
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

test('when the parent stops during the boot, pending calls fail', async t => {
	const {root, actor} = startApplication();
	const identity = identityOf(actor());
	const cycle = identity.cycle('first');
	root.stop();
	await t.throwsAsync(identity.ready(), {instanceOf: UnavailableError, message: 'The process was stopped.'});
	await t.throwsAsync(cycle, {instanceOf: UnavailableError});
});

test('when the parent enters its state again, a new identity continues from the journal', async t => {
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

test('dispose ends the process, and the parent takes its onDone transition', async t => {
	const {root, actor} = startApplication();
	await using identity = identityOf(actor());
	await identity.cycle('first');
	await identity.dispose();
	t.is(root.getSnapshot().value, 'closed');
});

test('a failed boot takes the parent’s onError transition, and the identity reports the cause', async t => {
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

test('anything but a process is refused, and so is an unknown option', t => {
	t.throws(() => identityOf(createActor(setup({}).createMachine({})) as never), {
		instanceOf: ConfigurationError,
		message: /createProcessMachine/,
	});
	t.throws(() => identityOf(undefined as never), {instanceOf: ConfigurationError, message: /createProcessMachine/});
	const {root, actor} = startApplication();
	t.throws(() => identityOf(actor(), {journal: null} as never), {instanceOf: ConfigurationError, message: /journal/});
	root.stop();
});

test('the selectors read the identity’s views from a snapshot', async t => {
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

test('a process that breaks ends its identity and frees its parts, so that the parent can start it again', async t => {
	let isBroken = false;
	let ids = 0;
	const {root, actor, encoder} = startApplication({newId: () => isBroken ? '' : `${++ids}`});
	const identity = identityOf(actor(), {warn() {}});
	await identity.cycle('first');
	encoder.hold('never');
	const pending = t.throwsAsync(identity.cycle('never'), {message: /newId must give a text/});
	isBroken = true;
	await identity.daemon.start();
	await pending;
	t.is(root.getSnapshot().value, 'broken');
	await settle();
	isBroken = false;
	root.send({type: 'open'});
	t.is((await identityOf(actor(), {warn() {}}).cycle('second')).stateId, 2);
	root.stop();
});

test('an identity that is disposed of the moment it is ready does not become ready after its end', async t => {
	const warnings: string[] = [];
	const identity = createIdentity({
		themes, encoder: new FakeEncoder(), journal: new FakeJournal(), initialState: randomState(Math.random, ''),
		warn: warning => warnings.push(warning),
	});
	const types: string[] = [];
	identity.on('*', ({type}) => types.push(type));
	identity.actor.subscribe(snapshot => {
		if (snapshot.matches('ready')) {
			void identity.dispose();
		}
	});
	await identity.ready();
	await identity.dispose();
	await settle();
	t.deepEqual(types.filter(type => type !== 'boot.step'), ['stopped']);
	t.deepEqual(warnings, []);
});
