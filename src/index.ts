/**
 * The library: a process to embed in another application, and what its options and answers are
 * made of. What serves, stores, embeds or translates stands under names of its own, so that an
 * application loads only what it uses: `processual-state/http`, `/journal`, `/store`,
 * `/embedding`, `/language`, `/kernel`, `/machines`, `/inspector`, `/client`.
 *
 * @packageDocumentation
 */
export {createProcess, type ProcessOptions, type RunningProcess} from './create-process.ts';
export type {BootSources, StepReport} from './actors/boot.ts';
export type {Corroborate} from './actors/cycle.ts';
export type {LoopConfig} from './actors/daemon.ts';
export type {ProcessEmitted} from './actors/process-events.ts';
export type * from './actors/views.ts';
export type {Authority} from './semiosis/fixation.ts';
export type {Direction, Profile} from './semiosis/profile.ts';
export type {DeclaredProfile, Person} from './semiosis/reference.ts';
export {dimensions, width, type Dimension} from './tensor/dimensions.ts';
export {StateTensor} from './tensor/state-tensor.ts';
export * from './errors.ts';
