/**
 * The machines, for your own actor system: the whole identity, its boot, and its daemon.
 *
 * @module processual-state/actors
 */
import '../platform/require-node.ts';
export {createBootMachine, type BootProgress, type StepInput} from './boot.ts';
export type {BootDeps, BootResult, BootStep, StepOutcome} from './boot-steps.ts';
export {createDaemonMachine, type DaemonDeps, type DaemonEvent, type DaemonInput, type DaemonRequest, type Mode} from './daemon.ts';
export type {EncoderBoot, EncoderPort, JournalPort, MachineDeps, TranslatorPort} from './deps.ts';
export type {LoopConfig} from './loop.ts';
export {createProcessMachine, type ProcessSnapshot} from './process.ts';
export {processParts, type ProcessOptions} from './process-parts.ts';
export type {ProcessEvent} from './process-events.ts';
export type {Decision, ForgetDecision} from '../instruments/describe-revision.ts';
export type {Random, Time} from '../platform/clock.ts';
