/**
 * The boot machine: one state per step, in the order of the interface. Each step adds its part to the
 * {@link BootResult} and is reported to the parent. The steps themselves are in `boot-steps.ts`. A failed boot is an
 * error of the actor.
 */
import {assign, fromPromise, sendParent, setup, type PromiseActorLogic} from 'xstate';
import {deepFreeze} from '../platform/immutable.ts';
import {bootSteps, performStep, type BootDeps, type BootResult, type BootStep, type StepOutcome} from './boot-steps.ts';
import {oneLine} from './process-context.ts';

/** One line of the boot report. */
export type StepReport = {readonly step: BootStep; readonly milliseconds: number; readonly warnings: readonly string[]};

/** Sent to the parent after each step. */
export type BootProgress = {readonly type: 'boot.step'; readonly report: StepReport};

/** The input of a step: the result of all earlier steps. */
export type StepInput = {result: BootResult};

/**
 * Creates the boot machine, whose output is a {@link BootResult}. Each step is an actor with the step's name, which
 * `provide` can replace.
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
			context: {} as {result: BootResult; /** The start of the current step in monotonic milliseconds. */ since: number},
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
		// The steps fill the result, which is complete in the output.
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
