/**
 * Persisted snapshots of a cycle, state by state: a system is brought into a state, written as
 * text, and read by a new system with its own encoder, journal and clock, which goes on from there.
 */
import test from 'ava';
import {createActor, fromPromise, setup, type Actor, type ActorRefFrom} from 'xstate';
import {cycleMachine, type CycleReport, type CycleServices} from '../../src/actors/cycle.ts';
import {LiveHandle, type Handle} from '../../src/actors/handle.ts';
import {snapshotFromJson, snapshotToJson} from '../../src/actors/persisted.ts';
import type {Embedding} from '../../src/embedding/encoder.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {noTally} from '../../src/actors/tally.ts';
import {Turns} from '../../src/actors/turns.ts';
import {startVigilance} from '../../src/semiosis/vigilance.ts';
import {mulberry32, settle, vectorOf} from './fixtures.ts';
import {coversAll, kernel, run, sameState, type Run} from './persisting.ts';

type Reports = CycleReport[];

/** A parent of one cycle, as an application may have it. */
const keeperOf = (reports: Reports, cycle = cycleMachine) => setup({
	types: {context: {} as {services: Handle<CycleServices>}, input: {} as CycleServices, events: {} as CycleReport},
	actors: {cycle},
}).createMachine({
	id: 'keeper',
	context: ({input}) => ({services: new LiveHandle(input, 'services', 'services')}),
	invoke: {id: 'cycle', src: 'cycle', input: ({context}) => context},
	on: {'*': {actions: ({event}) => reports.push(event)}},
});

const servicesOf = ({time, encoder, journal}: Run, science: 'quick' | 'slow' | null = 'quick'): CycleServices => {
	const initial = randomState(mulberry32(3), '2026-01-01T00:00:00.000Z');
	const corroborate = science === 'slow' ? async () => new Promise<never>(() => {}) : async () => [vectorOf('known'), null];
	return {
		kernel,
		encoder,
		corroborate: science && corroborate,
		authority: minimalAuthority,
		reference: initial.withId(-1),
		living: {state: initial, vigilance: startVigilance(kernel, initial.rows, initial.rows)},
		journal,
		turns: new Turns(),
		time,
	};
};

const cycleIn = (actor: Actor<ReturnType<typeof keeperOf>>) => actor.getSnapshot().children['cycle'] as ActorRefFrom<typeof cycleMachine>;

const ask = {type: 'run', run: {id: 'one', content: 'hello', trigger: 'user', metadata: {$: 'a mark', deep: [null]}, origin: 'caller', turn: 1}} as const;

/** A cycle that nothing disturbed. */
const undisturbed = async () => {
	const reports: Reports = [];
	const keeper = createActor(keeperOf(reports), {input: servicesOf(run())}).start();
	cycleIn(keeper).send(ask);
	await settle();
	return reports[0] as Extract<CycleReport, {type: 'cycle.recorded'}>;
};

type CycleCase = {prepare: (own: Run) => void; science?: 'slow'; waits?: boolean; asked: boolean; cancelled?: boolean; end: 'recorded' | null};

const cycleCases: Record<string, CycleCase> = {
	idle: {prepare() {}, asked: false, end: null},
	embedding: {prepare: ({encoder}) => void encoder.hold('hello'), asked: true, end: 'recorded'},
	queued: {prepare() {}, waits: true, asked: true, end: 'recorded'},
	corroborating: {prepare() {}, science: 'slow', asked: true, end: 'recorded'},
	recording: {
		prepare({journal}) {
			journal.hold();
		},
		asked: true,
		end: 'recorded',
	},
	done: {prepare() {}, asked: true, end: null},
	failed: {
		prepare({encoder}) {
			encoder.fail('hello', new Error('the model broke'));
		},
		asked: true,
		end: null,
	},
	cancelled: {prepare: ({encoder}) => void encoder.hold('hello'), asked: true, cancelled: true, end: null},
};

coversAll(cycleMachine, cycleCases);

for (const [state, {prepare, science, waits, asked, cancelled, end}] of Object.entries(cycleCases)) {
	test(`a cycle in ${state} goes on in a new system`, async t => {
		const old = run();
		prepare(old);
		const keeper = createActor(keeperOf([]), {input: {...servicesOf(old, science), ...(waits && {turns: new Turns(noTally, [[0, {actor: 'other', kind: 'cycle', isReady: false, trigger: null}]])})}}).start();
		if (asked) {
			cycleIn(keeper).send(ask);
			await settle();
		}

		if (cancelled) {
			cycleIn(keeper).send({type: 'cancel'});
		}

		t.is(cycleIn(keeper).getSnapshot().value as string, state);
		const {run: ran} = cycleIn(keeper).getSnapshot().context;
		const text = snapshotToJson(keeper.getPersistedSnapshot(), old.time);
		keeper.stop();

		const reports: Reports = [];
		const next = run();
		const services = servicesOf(next);
		const revived = createActor(keeperOf(reports), {input: services, snapshot: snapshotFromJson(text, {services})}).start();
		t.is(cycleIn(revived).getSnapshot().value as string, state);
		t.deepEqual(cycleIn(revived).getSnapshot().context.run, ran);
		if (waits) {
			cycleIn(revived).send({type: 'turn'});
		}

		await settle();
		if (end === null) {
			t.deepEqual(reports, [], 'what was told is not told again');
			cycleIn(revived).send(ask);
			await settle();
		}

		const [report] = reports as [Extract<CycleReport, {type: 'cycle.recorded'}>];
		t.is(report.type, 'cycle.recorded');
		const expected = await undisturbed();
		sameState(t, report.outcome.value.state, expected.outcome.value.state);
		t.deepEqual(next.journal.records, [expected.outcome.value.record]);
	});
}

test('how a cycle failed is read back', async t => {
	const old = run();
	old.encoder.embed = async () => new Float32Array(3);
	const keeper = createActor(keeperOf([]), {input: servicesOf(old)}).start();
	cycleIn(keeper).send(ask);
	await settle();
	const services = servicesOf(run());
	const revived = createActor(keeperOf([]), {input: services, snapshot: snapshotFromJson(snapshotToJson(keeper.getPersistedSnapshot(), old.time), {services})}).start();
	t.like(cycleIn(revived).getSnapshot().context.progress.error, {name: 'EmbeddingError', code: 'embedding'});
});

test('an application’s own actors, given by name, go on from a snapshot as well', async t => {
	const asked: string[] = [];
	const own = cycleMachine.provide({
		actors: {
			embed: fromPromise<Embedding, {content: string; services: Handle<CycleServices>}>(async ({input: {content}}) => {
				asked.push(content);
				return asked.length === 1 ? new Promise<never>(() => {}) : {vector: vectorOf(content), report: {}};
			}),
		},
	});
	const old = run();
	const keeper = createActor(keeperOf([], own), {input: servicesOf(old)}).start();
	cycleIn(keeper).send(ask);
	const text = snapshotToJson(keeper.getPersistedSnapshot(), old.time);
	keeper.stop();

	const reports: Reports = [];
	const services = servicesOf(run());
	createActor(keeperOf(reports, own), {input: services, snapshot: snapshotFromJson(text, {services})}).start();
	await settle();
	t.deepEqual(asked, ['hello', 'hello']);
	t.is(reports[0]?.type, 'cycle.recorded');
	sameState(t, services.living.state, (await undisturbed()).outcome.value.state);
});
