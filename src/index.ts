/**
 * The library: an identity to embed in another application, with the types of its options and
 * results. An application imports only what it uses: `processual-state/http`, `/journal`,
 * `/store`, `/sources`, `/embedding`, `/language`, `/kernel`, `/actors`, `/inspection`, `/client`.
 *
 * @module processual-state
 */
export {createProcess, type ProcessOptions, type RunningProcess} from './identity/create-identity.ts';
export type {BootSources, BootStep, StepReport} from './actors/boot.ts';
export type {Corroborate, CycleStep, CycleSteps, Origin} from './actors/cycle.ts';
export {defaultLoop, type LoopConfig} from './actors/loop.ts';
export type {ProcessEmitted} from './actors/process-events.ts';
export type {TranslationReport} from './actors/translation.ts';
export type {Counters, KnownTrigger, LastTrigger} from './actors/trigger.ts';
export type * from './actors/views.ts';
export type {DeepReadonly} from './deep-freeze.ts';
export type {Authority} from './semiosis/fixation.ts';
export type {Direction, Profile, ProfileEntry} from './semiosis/profile.ts';
export type {DeclaredProfile, Person} from './semiosis/reference.ts';
export {dimensions, width, type Dimension} from './tensor/dimensions.ts';
export {StateTensor, type Rows} from './tensor/state-tensor.ts';
export type {Random, Time} from './clock.ts';
export * from './errors.ts';
