/** The identity’s events: each is sent with its fields, when it happens and only then. */
import test from 'ava';
import {identityEventTypes} from '../../src/wire/event-types.ts';
import {toEvent} from '../../src/observe/identity-events.ts';
import {createInspection} from '../../src/observe/inspection.ts';
import {createIdentity} from '../../src/identity/create-identity.ts';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {FakeEncoder, mulberry32, settle, startIdentity} from '../actors/fixtures.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {latestOf, watching} from './watching.ts';

const start = async (options: Parameters<typeof startIdentity>[0] = {}) => {
	const started = await startIdentity(options);
	const inspection = createInspection({actor: started.identity.actor, run: 'run'});
	const watched = watching(inspection, {types: identityEventTypes});
	watched.received.length = 0;
	return {...started, inspection, ...watched};
};

test('the steps of the boot are events, with paths redacted from their warnings; then come the first state and mode', async (t) => {
	const identity = createIdentity({
		encoder: async () => new FakeEncoder(),
		themes: {rumination: ['r'], corpus: ['c']},
		directions: async ({warn}) => {
			warn('/srv/data/directions.json is empty.');
			return [];
		},
	});
	const {of, types} = watching(createInspection({actor: identity.actor}), {types: identityEventTypes});
	const report = await identity.ready();
	t.true(report.length > 9);
	t.deepEqual(of('boot.step'), report.map(made => made.step === 'directions' ? {...made, warnings: ['… is empty.']} : made));
	t.deepEqual(types().filter(type => type !== 'boot.step'), ['state', 'mode.changed', 'ready']);
	t.is(types().at(-3), 'state');
	t.deepEqual(of('ready'), [{report: of('boot.step')}]);
});

test('cycle.done holds the result of the cycle and the dissonance of each dimension', async (t) => {
	const {identity, of} = await start();
	const result = await identity.cycle({content: 'The sea is quiet.', trigger: 'veille'});
	const vigilance = identity.vigilance();
	const [{scores, steps, ...rest}] = of('cycle.done') as [Record<string, any>];
	t.deepEqual(rest, {
		id: '1',
		trigger: 'veille',
		origin: 'caller',
		state_id: result.stateId,
		delta_magnitude: result.deltaMagnitude,
		dissonance_total: result.dissonanceTotal,
		is_choc: result.isChoc,
		dimensions_affected: result.dimensionsAffected,
		cumulative_drift: vigilance.cumulativeDrift,
		level: vigilance.level,
		processing_time_ms: 0,
		timestamp: identity.state().timestamp,
	});
	t.deepEqual(Object.keys(scores), [...dimensions]);
	t.deepEqual(Object.keys(steps), ['embedding', 'dissonance', 'fixation', 'applying']);
	t.deepEqual(dimensions.filter(dimension => scores[dimension] > 0.1), result.dimensionsAffected);
});

test('every published state is an event, with the distance of each dimension from the reference', async (t) => {
	const {identity, of} = await start();
	await identity.cycle({content: 'one'});
	await identity.cycle({content: 'two'});
	await identity.reset();
	t.deepEqual(of('state').map(state => state['state_id']), [1, 2, 0]);
	const [, second, restored] = of('state') as [unknown, Record<string, any>, Record<string, any>];
	t.true(second['cumulative_drift'] > 0);
	t.true(second['distances'].thirdness > 0);
	t.deepEqual(Object.keys(second['distances']), [...dimensions]);
	t.like(restored, {cumulative_drift: 0, level: 'ok', timestamp: identity.state().timestamp});
});

test('cycle.done comes before the state that the cycle made', async (t) => {
	const {identity, types} = await start();
	await identity.cycle({content: 'one'});
	t.deepEqual(types(), ['mode.changed', 'cycle.done', 'state']);
});

test('cycle.failed holds the reason, with paths redacted', async (t) => {
	const {identity, encoder, of} = await start();
	encoder.fail('bad', new Error('no model in /srv/models'));
	await t.throwsAsync(identity.cycle({content: 'bad'}));
	t.deepEqual(of('cycle.failed'), [{
		id: '1',
		trigger: 'user',
		origin: 'caller',
		message: 'The encoder failed: no model in …',
		code: 'embedding',
		retryable: false,
		steps: {embedding: 0},
	}]);
	t.deepEqual(of('state'), []);
});

test('mode.changed comes when the mode changes, and only then', async (t) => {
	const {identity, of} = await start();
	await identity.cycle({content: 'one'});
	await identity.cycle({content: 'two'});
	await identity.cycle({content: 'three', trigger: 'corpus'});
	await identity.reset();
	t.deepEqual(of('mode.changed'), [
		{mode: 'conversation', is_ruminating: false, daemon_running: false},
		{mode: 'autonomous', is_ruminating: true, daemon_running: false},
		{mode: 'idle', is_ruminating: false, daemon_running: false},
	]);
});

test('daemon.started and daemon.stopped come with the mode that follows', async (t) => {
	const {identity, types, of} = await start();
	identity.daemon.start();
	identity.daemon.start();
	identity.daemon.stop();
	t.deepEqual(types(), ['daemon.started', 'mode.changed', 'daemon.stopped', 'mode.changed']);
	t.deepEqual(of('daemon.started'), [{}]);
	t.deepEqual(of('mode.changed'), [
		{mode: 'autonomous', is_ruminating: true, daemon_running: true},
		{mode: 'idle', is_ruminating: false, daemon_running: false},
	]);
});

test('cycles of the autonomous loop have the daemon as their origin', async (t) => {
	const {identity, clock, of} = await start();
	identity.daemon.start();
	clock.increment(864_000);
	await settle();
	t.like(of('cycle.done')[0], {origin: 'daemon', trigger: 'rumination_free'});
});

test('vigilance.level comes when the level changes, with the drift that changed it', async (t) => {
	const {identity, of} = await start();
	while (identity.vigilance().level === 'ok') {
		await identity.cycle({content: 'on and on'});
	}

	const {cumulativeDrift} = identity.vigilance();
	await identity.cycle({content: 'on and on'});
	await identity.reset();
	t.deepEqual(of('vigilance.level'), [
		{level: 'warning', cumulative_drift: cumulativeDrift},
		{level: 'ok', cumulative_drift: 0},
	]);
});

test('a reset is an event', async (t) => {
	const {identity, of} = await start();
	await identity.cycle({content: 'one'});
	await identity.reset();
	t.deepEqual(of('reset.done'), [{id: '2', state_id: 0}]);
});

test('findings of the watch are events with the field names of the wire', async (t) => {
	const {identity, of} = await start();
	const timestamp = '2026-01-01T00:00:00.000Z';
	const alarm = {
		voice: 'heard',
		span: 8,
		reading: 2,
		limit: 1.5,
		conversation: {texts: 1, ids: ['1'], from: timestamp, to: timestamp},
		since: {id: '1', source: 'ada', timestamp},
		blame: [{source: 'ada', share: 1}],
	} as const;
	identity.actor.send({type: 'drift.alarm', ...alarm, unreadShare: 0.1, moved: {alike: 1, sources: 6}, averageRunLength: 1000});
	identity.actor.send({type: 'source.noticed', source: 'ada', share: 0.6, p: 0.005, driftP: 0.01});
	identity.actor.send({type: 'source.changed', source: 'ada', p: 0.02});
	t.deepEqual(of('drift.alarm'), [{...alarm, unread_share: 0.1, moved: {alike: 1, sources: 6}, average_run_length: 1000}]);
	t.deepEqual(of('source.noticed'), [{source: 'ada', share: 0.6, p: 0.005, drift_p: 0.01}]);
	t.deepEqual(of('source.changed'), [{source: 'ada', p: 0.02}]);
});

test('journal.failed holds the reason; the journal’s recovery comes with the restored state', async (t) => {
	const journal = new FakeJournal();
	const {identity, clock, types, of} = await start({journal});
	journal.break('The disk is full: /var/lib/processual/journal.');
	await t.throwsAsync(identity.cycle({content: 'lost'}));
	journal.mend();
	clock.increment(5000);
	await settle();
	t.deepEqual(of('journal.failed'), [{message: 'The disk is full: …', code: 'journal', retryable: false}]);
	t.deepEqual(of('journal.recovered'), [{}]);
	t.true(types().indexOf('journal.failed') < types().indexOf('journal.recovered'));
	t.like(of('state').at(-1), {state_id: 0});
});

test('translation events have ids and errors, and no texts', async (t) => {
	const answers = [async () => ({text: 'I am calm.', reasoningDetected: false}), async () => {
		throw new Error('The language model does not answer.');
	}];
	const {identity, of} = await start({translator: async () => ({translate: async () => answers.shift()!()})});
	await identity.translate({context: 'a letter'});
	await t.throwsAsync(identity.translate({context: null}));
	t.deepEqual(of('translation.done'), [{id: '1'}]);
	t.deepEqual(
		of('translation.failed'),
		[{id: '2', message: 'The translator failed: The language model does not answer.', code: 'language', retryable: false}],
	);
});

test('an inspection that starts late does not publish the present state as an event', async (t) => {
	const {identity} = await startIdentity({initialState: async () => randomState(mulberry32(3), '2026-01-01T00:00:00.000Z')});
	const inspection = createInspection({actor: identity.actor});
	t.is(latestOf(inspection), 0);
	await identity.cycle({content: 'one'});
	t.is(latestOf(inspection), 3);
});

test('once closed, an inspection receives nothing more', async (t) => {
	const {identity, inspection, received} = await start();
	inspection.close();
	await identity.cycle({content: 'one'});
	identity.daemon.start();
	t.deepEqual(received, []);
	t.is(latestOf(inspection), 0);
});

test('data has the field names of the wire at every depth, but keeps the names of directions', t => {
	const {data} = toEvent(
		'translation.done',
		{reasoningDetected: false, projections: {'affective.calmAgitated': 1}, own: [{textId: null}]},
	);
	t.deepEqual(data, {reasoning_detected: false, projections: {'affective.calmAgitated': 1}, own: [{text_id: null}]});
});
