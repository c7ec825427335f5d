/** A fork: a temporary identity in memory that begins at a moment of another. */
import test from 'ava';
import {defaultLoop} from '../../src/actors/loop.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {settle, startIdentity, vectorOf} from '../actors/fixtures.ts';
import {temporaryFolder} from '../journal/records.ts';
import {collectWarnings} from '../helpers/collect-warnings.ts';
import {deepEqual} from '../helpers/deep-equal.ts';

test('a fork moves as its identity would, and does not change it', async t => {
	const {identity, encoder} = await startIdentity({
		journal: createSqliteJournal({folder: await temporaryFolder(t)}),
		authority: {articles: [{vector: vectorOf('creed'), critical: true}], anchors: []},
	});
	for (const content of ['a', 'b', 'c']) {
		await identity.cycle(content);
	}

	const before = identity.tensor();
	const fork = await identity.fork();
	deepEqual(t, fork.tensor(), before);
	t.like(fork.vigilance(), {cumulativeDrift: identity.vigilance().cumulativeDrift});
	const answerOfFork = await fork.cycle('d');
	deepEqual(t, identity.tensor(), before);
	t.false(fork.daemon.status().daemonRunning);

	const {id: _, processingTimeMs: __, ...answer} = await identity.cycle('d');
	const {id: ___, processingTimeMs: ____, ...forked} = answerOfFork;
	t.deepEqual(forked, answer);
	deepEqual(t, fork.tensor().dimensions, identity.tensor().dimensions);
	await fork.dispose();
	t.false(encoder.disposed);
	await identity.cycle('e');
	await identity.dispose();
});

test('a fork at a past state reaches the present by the same texts, bit for bit', async t => {
	const {identity} = await startIdentity({journal: createSqliteJournal({folder: await temporaryFolder(t)})});
	const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
	for (const content of texts) {
		await identity.cycle(content);
	}

	for (const at of [0, 2, 5]) {
		const fork = await identity.fork({at});
		for (const content of texts.slice(at)) {
			await fork.cycle(content);
		}

		deepEqual(t, fork.tensor().dimensions, identity.tensor().dimensions, `forked at ${at}`);
		await fork.dispose();
	}

	await identity.dispose();
});

test('a fork answers questions about its own past, and resets to its beginning', async t => {
	const {identity} = await startIdentity();
	await identity.cycle('a');
	const fork = await identity.fork();
	await fork.cycle({content: 'b', metadata: {source: 'ada'}});
	deepEqual(t, (await fork.stateAt(1)).dimensions, identity.tensor().dimensions);
	t.like(await fork.whatIf({without: {sources: ['ada']}}), {cycles: 1, leftOut: 1});
	t.deepEqual(await fork.reset(), {stateId: 0});
	await fork.dispose();
	await identity.dispose();
});

test('a fork uses the warn function of its identity', async t => {
	const {warn, warnings} = collectWarnings();
	const {identity} = await startIdentity({warn});
	const fork = await identity.fork();
	fork.on('cycle.done', () => {
		throw new Error('a defect of the listener');
	});
	await fork.cycle('a');
	t.deepEqual(warnings, ['A listener of the event cycle.done failed: a defect of the listener']);
	await fork.dispose();
	await identity.dispose();
});

test('a fork uses the clock of its identity', async t => {
	const {identity, clock} = await startIdentity();
	const fork = await identity.fork();
	await fork.daemon.start();
	clock.increment(defaultLoop.cycleIntervalSeconds * 1000);
	await settle();
	t.is(fork.daemon.status().cyclesSinceLastUser, 1);
	await fork.dispose();
	await identity.dispose();
});

test('a fork is refused if its signal is aborted', async t => {
	const {identity} = await startIdentity();
	await t.throwsAsync(identity.fork({}, {signal: AbortSignal.abort(new Error('changed my mind'))}), {message: 'changed my mind'});
	await identity.dispose();
});

test('a fork of the past needs a journal', async t => {
	const {identity} = await startIdentity();
	await t.throwsAsync(identity.fork({at: 0}), {code: 'no_journal'});
	await identity.dispose();
});
