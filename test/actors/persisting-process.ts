/** What tests of a whole process's snapshots share: a process, the new system that reads it, and a comparison of both. */
import {createActor, waitFor, type Actor} from 'xstate';
import {defaultLoop} from '../../src/actors/loop.ts';
import {snapshotFromJson, type Live} from '../../src/actors/persisted.ts';
import {processMachine, type ProcessInput} from '../../src/actors/process.ts';
import type {ProcessEmitted} from '../../src/actors/process-events.ts';
import {selectDaemon, selectMetrics} from '../../src/actors/selectors.ts';
import {minimalAuthority} from '../../src/semiosis/fixation.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {mulberry32, settle, vectorOf} from './fixtures.ts';
import {kernel, run, sameState, type Run} from './persisting.ts';

export const inputOf = ({time, random, encoder, journal}: Run): ProcessInput => {
	let ids = 0;
	return {
		embeddingModel: 'fake',
		loop: defaultLoop,
		newId: () => `own-${++ids}`,
		sources: {
			kernel,
			time,
			random,
			journal,
			loadEncoder: async () => encoder,
			initialState: async () => ({state: randomState(mulberry32(3), '2026-01-01T00:00:00.000Z'), warnings: []}),
			requireInitialState: true,
			person: async () => ({person: {words: 'a person', profile: null}, warnings: []}),
			calibrate: true,
			authority: async () => minimalAuthority,
			corroborate: null,
			translator: async () => ({translate: async () => ({text: 'calm', reasoningDetected: false})}),
			directions: async () => ({directions: [{name: 'joy', category: 'affective', polePositive: 'joyful', poleNegative: 'sad', vector: vectorOf('joy')}], warnings: []}),
			themes: async () => ({rumination: ['r0', 'r1'], corpus: ['c0', 'c1']}),
		},
	};
};

type Process = Actor<typeof processMachine>;

const heardOf = (process: Process): ProcessEmitted[] => {
	const heard: ProcessEmitted[] = [];
	process.on('*', event => heard.push(event));
	return heard;
};

export const start = async (own = run()) => {
	const process = createActor(processMachine, {input: inputOf(own), clock: own.clock});
	const heard = heardOf(process);
	process.start();
	await waitFor(process, state => !state.matches('booting'));
	return {process, heard, ...own};
};

/** A new run at the same moment, whose journal holds what the old one holds by now. */
export const nextTo = (old: Run): Run => {
	const next = run(old.time.now());
	next.journal.genesis = old.journal.genesis;
	next.journal.records = [...old.journal.records];
	return next;
};

export const rehydrate = (text: string, next: Run, live?: Live) => {
	const input = inputOf(next);
	const translator = {translate: async () => ({text: 'calm', reasoningDetected: false})};
	const process = createActor(processMachine, {input, clock: next.clock, snapshot: snapshotFromJson(text, live ?? {input, encoder: next.encoder, translator})});
	const heard = heardOf(process);
	process.start();
	process.send({type: 'resume'});
	return {process, heard};
};

export const cycle = (process: Process, ...contents: string[]) => {
	for (const content of contents) {
		process.send({type: 'cycle', id: content, content, trigger: 'user', metadata: {}});
	}
};

/** Both run the same cycle, and must come to the same state, records and counters. */
export const comparing = async (t: Parameters<typeof sameState>[0], old: Process, oldRun: Run, revived: Process, next: Run) => {
	cycle(old, 'the last');
	cycle(revived, 'the last');
	await settle();
	sameState(t, revived.getSnapshot().context.state!, old.getSnapshot().context.state!);
	t.deepEqual(next.journal.records, oldRun.journal.records);
	t.deepEqual(revived.getSnapshot().context.vigilance!.value.report, old.getSnapshot().context.vigilance!.value.report);
	t.deepEqual(selectMetrics(revived.getSnapshot()).totalCycles, selectMetrics(old.getSnapshot()).totalCycles);
	t.deepEqual(selectDaemon(revived.getSnapshot(), next.time).cyclesBreakdown, selectDaemon(old.getSnapshot(), oldRun.time).cyclesBreakdown);
};
