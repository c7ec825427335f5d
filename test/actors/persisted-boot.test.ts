/** Persisted snapshots of a process that boots: a new system goes on at the step where the old one was. */
import test from 'ava';
import {createActor, waitFor} from 'xstate';
import {bootMachine, type BootStep} from '../../src/actors/boot.ts';
import {snapshotToJson} from '../../src/actors/persisted.ts';
import {processMachine} from '../../src/actors/process.ts';
import {atomicStates, run, type Run} from './persisting.ts';
import {comparing, inputOf, rehydrate, start} from './persisting-process.ts';

const steps = ['model', 'journal', 'initialState', 'reference', 'vigilance', 'metrics', 'authority', 'translator', 'directions', 'themes', 'calibration', 'genesis'] as const;

test('every step of the boot has its case; a boot that is done is there no more', t => {
	t.deepEqual(atomicStates(bootMachine), [...steps, 'done']);
});

/** A process as it is written in the midst of a step of its boot. */
const writtenIn = async (step: BootStep, own: Run): Promise<string> => {
	const process = createActor(processMachine, {input: inputOf(own), clock: own.clock});
	const {promise, resolve} = Promise.withResolvers<string>();
	const look = () => {
		if (process.getSnapshot().children.boot?.getSnapshot().matches(step)) {
			resolve(snapshotToJson(process.getPersistedSnapshot(), own.time));
		}
	};

	process.subscribe(look);
	process.start();
	look();
	process.getSnapshot().children.boot!.subscribe(look);
	const text = await promise;
	process.stop();
	return text;
};

for (const step of steps) {
	test(`a process that boots goes on at the step ${step}`, async t => {
		const text = await writtenIn(step, run());
		const next = run();
		const {process} = rehydrate(text, next);
		t.true(process.getSnapshot().matches('booting'));
		t.true(process.getSnapshot().children.boot!.getSnapshot().matches(step));
		await waitFor(process, state => state.matches('ready'));
		t.deepEqual(process.getSnapshot().context.report.map(made => made.step), [...steps]);
		const undisturbed = await start();
		await comparing(t, undisturbed.process, undisturbed, process, next);
	});
}
