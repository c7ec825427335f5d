/** What the process hears, from its door and from its children, and what it lets the world hear. */
import type {StepReport} from './boot.ts';
import type {CycleReport, CycleRun, CycleSteps, Origin, TurnReport} from './cycle.ts';
import type {TokenReport} from '../embedding/encoder.ts';
import type {DaemonRequest} from './daemon.ts';
import type {ResetReport} from './reset.ts';
import type {TranslationReport} from './translation.ts';
import type {CycleResult} from './views.ts';

/** A cycle that a caller asks for. */
export type CycleOrder = Omit<CycleRun, 'origin' | 'turn'>;

/** What a process hears. */
export type ProcessEvent =
	| ({type: 'cycle'} & CycleOrder)
	| {type: 'reset'; id: string}
	| {type: 'translate'; id: string; context: string | null}
	| {type: 'translate.cancel'; id: string}
	| {type: 'daemon.start'}
	| {type: 'daemon.stop'}
	| {type: 'stop'}
	/** It comes from a persisted snapshot, and is to go on. */
	| {type: 'resume'}
	| {type: 'boot.step'; report: StepReport}
	| {type: 'journal.failed'; error: unknown}
	| CycleReport
	| TurnReport
	| ResetReport
	| TranslationReport
	| DaemonRequest;

/** What the process lets the world hear. Every listener hears the same object, which is read only. */
export type ProcessEmitted = Readonly<
	| {type: 'boot.step'; report: StepReport}
	/** With the dissonance score of each dimension, in the dimensions' order, and how the encoder read the text. */
	| {type: 'cycle.done'; id: string; trigger: string; origin: Origin; result: CycleResult; scores: readonly number[]; steps: Readonly<CycleSteps>; tokenReport: Readonly<TokenReport>}
	| {type: 'cycle.failed'; id: string; trigger: string; origin: Origin; error: unknown; steps?: Readonly<CycleSteps>}
	| {type: 'reset.done'; id: string; stateId: number}
	| {type: 'reset.failed'; id: string; error: unknown}
	| {type: 'journal.failed'; error: unknown}
	| {type: 'journal.mended'}
	| TranslationReport
>;
