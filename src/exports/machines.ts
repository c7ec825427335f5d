/**
 * The machines, for an actor system of one's own.
 *
 * @module processual-state/machines
 */
export {bootMachine, nobody, type BootSources, type Born} from '../actors/boot.ts';
export {cycleMachine, type CycleEvent, type CycleInput, type CycleOutcome, type CycleReport, type CycleRun, type CycleServices, type LivingState, type TurnReport} from '../actors/cycle.ts';
export {daemonMachine, type DaemonEvent, type DaemonInput, type DaemonRequest} from '../actors/daemon.ts';
export {Handle, LiveHandle} from '../actors/handle.ts';
export {defaultLoop, type LoopConfig} from '../actors/loop.ts';
export {snapshotFromJson, snapshotToJson, type Live} from '../actors/persisted.ts';
export {processMachine, type ProcessInput} from '../actors/process.ts';
export type {CycleOrder, ProcessEvent} from '../actors/process-events.ts';
export {resetMachine, type ResetEvent, type ResetInput, type ResetOutcome, type ResetReport} from '../actors/reset.ts';
export {noTally, type Tally} from '../actors/tally.ts';
export {translationMachine, type TranslationInput, type TranslationMeans} from '../actors/translation.ts';
export {Turns, type Place} from '../actors/turns.ts';
export {minimalAuthority} from '../semiosis/fixation.ts';
export {randomState} from '../semiosis/initial-state.ts';
export type {CycleRules, WorkingState} from '../semiosis/run-cycle.ts';
export {startVigilance, type DriftReport, type Level, type Thresholds, type Vigilance} from '../semiosis/vigilance.ts';
export {systemTime, type Random, type Time} from '../time.ts';
