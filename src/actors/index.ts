/**
 * The machines, for an actor system of one's own.
 *
 * @module processual-state/actors
 */
export {bootMachine, nobody, type BootSources, type Born} from './boot.ts';
export {cycleMachine, type CycleEvent, type CycleInput, type CycleOutcome, type CycleReport, type CycleRun, type CycleServices, type LivingState, type TurnReport} from './cycle.ts';
export {daemonMachine, type DaemonEvent, type DaemonInput, type DaemonRequest} from './daemon.ts';
export {Handle, LiveHandle} from './handle.ts';
export {defaultLoop, type LoopConfig} from './loop.ts';
export {snapshotFromJson, snapshotToJson, type Live} from './persisted.ts';
export {processMachine, type ProcessInput} from './process.ts';
export type {CycleOrder, ProcessEvent} from './process-events.ts';
export {resetMachine, type ResetEvent, type ResetInput, type ResetOutcome, type ResetReport} from './reset.ts';
export {noTally, type Tally} from './tally.ts';
export {translationMachine, type TranslationInput, type TranslationMeans} from './translation.ts';
export {Turns, type Place} from './turns.ts';
export {minimalAuthority} from '../semiosis/fixation.ts';
export {randomState} from '../semiosis/initial-state.ts';
export type {CycleRules, WorkingState} from '../semiosis/run-cycle.ts';
export {startVigilance, type DriftReport, type Level, type Thresholds, type Vigilance} from '../semiosis/vigilance.ts';
export {systemTime, type Random, type Time} from '../clock.ts';
