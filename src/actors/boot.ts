/**
 * The boot machine: one state per startup step, in the order of the interface. Each step adds its
 * part to what the earlier ones made ({@link BootResult}), and is reported to the parent. The steps
 * themselves are in `boot-steps.ts`. A boot that fails is an error of its actor.
 */
import {assign, fromPromise, sendParent, setup} from 'xstate';
import {deepFreeze} from '../deep-freeze.ts';
import {performStep, type BootDeps, type BootResult, type BootStep} from './boot-steps.ts';
import {oneLine} from './one-line.ts';

/** One line of the boot report. */
export type StepReport = {readonly step: BootStep; readonly milliseconds: number; readonly warnings: readonly string[]};

/** What the boot tells its parent after each step. */
export type BootProgress = {readonly type: 'boot.step'; readonly report: StepReport};

type StepOutput = {result: BootResult; report: StepReport};

type StepInput = {step: BootStep; result: BootResult};

/** Makes what an identity needs, one state per step; its output is a {@link BootResult}. */
export const createBootMachine = (deps: BootDeps) => {
	const perform = fromPromise<StepOutput, StepInput>(async ({input: {step, result}, signal}) => {
		const started = deps.time.elapsed();
		const {part, warnings} = await performStep(step, deps, result, signal);
		return {
			result: oneLine({...result, ...part}, `made up to ${step}`),
			report: deepFreeze({step, milliseconds: deps.time.elapsed() - started, warnings: [...warnings]}),
		};
	});

	return setup({
		types: {
			context: {} as {result: BootResult},
			output: {} as BootResult,
		},
		actors: {perform},
		actions: {
			keep: assign((_, {result}: StepOutput) => ({result})),
			report: sendParent((_, {report}: StepOutput): BootProgress => Object.freeze({type: 'boot.step', report})),
		},
	}).createMachine({
		id: 'boot',
		// The steps fill it; the output has all of it.
		context: {result: oneLine({} as BootResult, 'nothing yet')},
		initial: 'model',
		states: {
			model: stepState('model', 'journal'),
			journal: stepState('journal', 'initialState'),
			initialState: stepState('initialState', 'reference'),
			reference: stepState('reference', 'vigilance'),
			vigilance: stepState('vigilance', 'metrics'),
			metrics: stepState('metrics', 'authority'),
			authority: stepState('authority', 'translator'),
			translator: stepState('translator', 'directions'),
			directions: stepState('directions', 'themes'),
			themes: stepState('themes', 'calibration'),
			calibration: stepState('calibration', 'genesis'),
			genesis: stepState('genesis', 'done'),
			done: {type: 'final'},
		},
		output: ({context}) => context.result,
	});
};

/** Performs the step, reports it, and enters `next`. */
const stepState = <Next extends string>(step: BootStep, next: Next) => ({
	invoke: {
		src: 'perform' as const,
		input: ({context: {result}}: {context: {result: BootResult}}): StepInput => ({step, result}),
		onDone: {
			target: next,
			actions: [
				{type: 'keep' as const, params: ({event}: {event: {output: StepOutput}}) => event.output},
				{type: 'report' as const, params: ({event}: {event: {output: StepOutput}}) => event.output},
			],
		},
	},
});
