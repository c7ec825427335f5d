/**
 * The boot machine: one state per startup step, in the order of the interface. Each step adds its
 * part to what the earlier ones made ({@link BootResult}), and is reported to the parent. The steps
 * themselves are in `boot-steps.ts`. A boot that fails is an error of its actor.
 */
import {assign, fromPromise, sendParent, setup, type PromiseActorLogic} from 'xstate';
import {deepFreeze} from '../platform/immutable.ts';
import {bootSteps, performStep, type BootDeps, type BootResult, type BootStep, type StepOutcome} from './boot-steps.ts';
import {oneLine} from './process-context.ts';

/** One line of the boot report. */
export type StepReport = {readonly step: BootStep; readonly milliseconds: number; readonly warnings: readonly string[]};

/** What the boot tells its parent after each step. */
export type BootProgress = {readonly type: 'boot.step'; readonly report: StepReport};

/** What a step starts from: what the steps before it made. */
export type StepInput = {result: BootResult};

/**
 * Makes what an identity needs, one state per step; its output is a {@link BootResult}. Each step is an actor of its
 * name, which `provide` can replace.
 *
 * @example
 * ```ts
 * import {createBootMachine, processParts} from 'processual-state/actors';
 * import {createActor, toPromise} from 'xstate';
 *
 * const parts = processParts();
 * const {current} = await toPromise(createActor(createBootMachine(parts)).start());
 * console.log(current.stateId);
 * ```
 */
export const createBootMachine = (deps: BootDeps) => {
	const performers = bootSteps.map(step =>
		[step, fromPromise<StepOutcome, StepInput>(({input: {result}, signal}) => performStep(step, deps, result, signal))]);
	return setup({
		types: {
			context: {} as {result: BootResult; /** Monotonic milliseconds when the present step began. */ since: number},
			output: {} as BootResult,
		},
		actors: Object.fromEntries(performers) as Record<BootStep, PromiseActorLogic<StepOutcome, StepInput>>,
		actions: {
			report: sendParent(({context: {since}}, {step, warnings}: {step: BootStep} & StepOutcome): BootProgress =>
				deepFreeze({type: 'boot.step', report: {step, milliseconds: deps.time.elapsed() - since, warnings: [...warnings ?? []]}})),
			keep: assign(({context: {result}}, {step, part}: {step: BootStep} & StepOutcome) =>
				({result: oneLine({...result, ...part}, `made up to ${step}`), since: deps.time.elapsed()})),
		},
	}).createMachine({
		id: 'boot',
		// The steps fill it; the output has all of it.
		context: () => ({result: oneLine({} as BootResult, 'nothing yet'), since: deps.time.elapsed()}),
		initial: 'model',
		states: {
			...Object.fromEntries(bootSteps.map((step, i) => [step, stepState(step, bootSteps[i + 1] ?? 'done')])) as Record<BootStep, StepState>,
			done: {type: 'final'},
		},
		output: ({context}) => context.result,
	});
};

type StepState = ReturnType<typeof stepState>;

/** Performs the step, reports it, and enters `next`. */
const stepState = (step: BootStep, next: BootStep | 'done') => {
	const params = ({event: {output}}: {event: {output: StepOutcome}}) => ({step, ...output});
	return {
		invoke: {
			src: step,
			input: ({context: {result}}: {context: {result: BootResult}}): StepInput => ({result}),
			onDone: {target: next, actions: [{type: 'report' as const, params}, {type: 'keep' as const, params}]},
		},
	};
};
