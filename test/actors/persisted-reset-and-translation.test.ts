/** Persisted snapshots of a reset and of a translation, state by state; how they go on in a new system. */
import test from 'ava';
import {createActor, setup, type ActorRefFrom} from 'xstate';
import type {CycleServices} from '../../src/actors/cycle.ts';
import {Handle, LiveHandle} from '../../src/actors/handle.ts';
import {snapshotFromJson, snapshotToJson} from '../../src/actors/persisted.ts';
import {resetMachine, type ResetReport} from '../../src/actors/reset.ts';
import {translationMachine, type TranslationReport} from '../../src/actors/translation.ts';
import {noTally} from '../../src/actors/tally.ts';
import {Turns} from '../../src/actors/turns.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {startVigilance} from '../../src/semiosis/vigilance.ts';
import type {FakeJournal} from './fake-journal.ts';
import {mulberry32, settle} from './fixtures.ts';
import {coversAll, kernel, run, sameState, type Run} from './persisting.ts';

const listening = <Machine extends typeof resetMachine | typeof translationMachine>(machine: Machine, input: unknown, told: unknown[]) =>
	setup({actors: {child: machine as typeof resetMachine}}).createMachine({
		invoke: {id: 'child', src: 'child', input: input as never},
		on: {'*': {actions: ({event}) => told.push(event)}},
	});

const valueOf = (parent: {getSnapshot: () => unknown}): unknown =>
	((parent.getSnapshot() as {children: Record<string, {getSnapshot: () => {value: unknown}}>}).children['child']!).getSnapshot().value;

const resets: Record<string, {prepare: (journal: FakeJournal) => void; told: ResetReport['type'] | null}> = {
	queued: {prepare() {}, told: 'reset.recorded'},
	recording: {
		prepare(journal) {
			journal.hold();
		},
		told: 'reset.recorded',
	},
	done: {prepare() {}, told: null},
	failed: {
		prepare(journal) {
			journal.break('no room');
		},
		told: null,
	},
};

coversAll(resetMachine, resets);

for (const [state, {prepare, told}] of Object.entries(resets)) {
	test(`a reset in ${state} goes on in a new system`, async t => {
		const old = run();
		prepare(old.journal);
		const initial = randomState(mulberry32(3), '2026-01-01T00:00:00.000Z');
		const record = {kind: 'reset', id: 'r', timestamp: '2026-01-01T00:00:00.000Z', standing: {counters: noTally.counters, lastTrigger: null, cumulativeDrift: 0}} as const;
		const vigilance = startVigilance(kernel, initial.rows, initial.rows);
		const restored = new Handle({state: initial, vigilance}, 'restored');
		const servicesOf = ({time, encoder, journal}: Run): CycleServices => ({
			kernel,
			encoder,
			corroborate: null,
			authority: minimalAuthority,
			reference: initial,
			living: {state: initial, vigilance},
			turns: new Turns(),
			journal,
			time,
		});
		const input = {id: 'r', turn: 1, services: new LiveHandle(servicesOf(old), 'services', 'services'), restored};
		const parent = createActor(listening(resetMachine, input, [])).start();
		const giveTurn = (actor: typeof parent) => {
			(actor.getSnapshot().children['child'] as ActorRefFrom<typeof resetMachine>).send({type: 'turn'});
		};

		if (state !== 'queued') {
			giveTurn(parent);
		}

		await settle();
		t.is(valueOf(parent), state);
		const text = snapshotToJson(parent.getPersistedSnapshot(), old.time);
		parent.stop();

		const heard: ResetReport[] = [];
		const next = run();
		const revived = createActor(listening(resetMachine, input, heard), {snapshot: snapshotFromJson(text, {services: servicesOf(next)})}).start();
		t.is(valueOf(revived), state);
		if (state === 'queued') {
			giveTurn(revived);
		}

		await settle();
		t.deepEqual(heard.map(({type}) => type), told === null ? [] : [told]);
		t.deepEqual(next.journal.records, told === null ? [] : [record]);
		if (heard[0]?.type === 'reset.recorded') {
			sameState(t, heard[0].restored.value.state, initial);
		}
	});
}

const translations: Record<string, {speak: () => Promise<{text: string; reasoningDetected: boolean}>; told: TranslationReport['type'] | null}> = {
	translating: {speak: async () => new Promise<never>(() => {}), told: 'translation.done'},
	done: {speak: async () => ({text: 'calm', reasoningDetected: false}), told: null},
	failed: {
		async speak() {
			throw new Error('no words');
		},
		told: null,
	},
};

coversAll(translationMachine, translations);

for (const [state, {speak, told}] of Object.entries(translations)) {
	test(`a translation in ${state} goes on in a new system`, async t => {
		const old = run();
		const profile = {affective: {joy: {value: 0.1, dimension: 'dispositions' as const, polePositive: 'joyful', poleNegative: 'sad'}}};
		const means = {translator: {translate: speak}, encoder: old.encoder, kernel, directions: []};
		const input = {id: 't', context: 'in a letter', profile: new Handle(profile, 'profile'), means: new LiveHandle(means, 'translator', 'means')};
		const parent = createActor(listening(translationMachine, input, [])).start();
		await settle();
		t.is(valueOf(parent), state);
		const text = snapshotToJson(parent.getPersistedSnapshot(), old.time);
		parent.stop();

		const heard: TranslationReport[] = [];
		const translator = {translate: async ({context}: {context: string | null}) => ({text: `happy, ${context}`, reasoningDetected: false})};
		const revived = createActor(listening(translationMachine, input, heard), {snapshot: snapshotFromJson(text, {means: {...means, translator}})}).start();
		t.is(valueOf(revived), state);
		await settle();
		t.deepEqual(heard.map(({type}) => type), told === null ? [] : [told]);
		if (told) {
			t.like(heard[0], {translation: {text: 'happy, in a letter', projections: {'affective.joy': 0.1}}});
		}
	});
}
