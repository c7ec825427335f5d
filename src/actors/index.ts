/**
 * The machines, for your own actor system: each is made of the parts that it works with.
 *
 * @module processual-state/actors
 */
import '../platform/require-node.ts';
export {createBootMachine, type BootProgress, type StepInput} from './boot.ts';
export {unknownPerson, type BootDeps, type BootResult, type BootStep, type StepOutcome} from './boot-steps.ts';
export {createCycleMachine} from './cycle.ts';
export type {CycleDeps} from './cycle-actions.ts';
export type {CycleEvent, CycleInput, CycleOrder, CycleOutcome, CycleReport, TurnOverdue} from './cycle-events.ts';
export {createDaemonMachine, type DaemonDeps} from './daemon.ts';
export type {Mode} from './daemon-actions.ts';
export type {DaemonEvent, DaemonInput, DaemonRequest} from './daemon-events.ts';
export type {EncoderBoot, EncoderPort, JournalPort, MachineDeps, TranslatorPort} from './deps.ts';
export {defaultLoop, type LoopConfig} from './loop.ts';
export {createProcessMachine} from './process.ts';
export {processParts, type ProcessOptions} from './process-parts.ts';
export type {ProcessEvent} from './process-events.ts';
export {createResetMachine, type ResetDeps, type ResetEvent, type ResetInput, type ResetOutcome, type ResetReport} from './reset.ts';
export {noTally, type Tally} from './tally.ts';
export {createTranslationMachine, type TranslationDeps, type TranslationInput} from './translation.ts';
export type {Place, Turn, Turns} from './turns.ts';
export {encoderLoadedOnce, journalLoadedOnce, translatorLoadedOnce} from './loaded-once.ts';
export {minimalAuthority, type Proposal, type Proposals} from '../semiosis/fixation.ts';
export {randomState} from '../semiosis/initial-state.ts';
export type {CycleRules, EmbeddedText, WorkingState} from '../semiosis/run-cycle.ts';
export {startVigilance, type DriftReport, type Level, type Thresholds, type Vigilance} from '../semiosis/vigilance.ts';
export type {ValidationOrder} from './compose-validation.ts';
export {createValidationMachine, type ValidationDeps, type ValidationEvent, type ValidationInput, type ValidationReport} from './validation.ts';
export {systemTime, type Random, type Time} from '../platform/clock.ts';
