/**
 * What goes over the wire, as types: those of the very schemas that requests and answers are
 * checked against. Only types are taken from there, so that nothing of it is loaded.
 */
import type {Static} from 'typebox';
import type * as schemas from '../http/schemas.ts';

export type Health = Static<typeof schemas.Health>;
export type CycleRequest = Static<typeof schemas.CycleRequest>;
export type CycleAnswer = Static<typeof schemas.CycleAnswer>;
export type TranslateRequest = Static<typeof schemas.TranslateRequest>;
export type TranslateAnswer = Static<typeof schemas.TranslateAnswer>;
export type State = Static<typeof schemas.State>;
export type Vigilance = Static<typeof schemas.Vigilance>;
export type Metrics = Static<typeof schemas.Metrics>;
export type ResetAnswer = Static<typeof schemas.ResetAnswer>;
export type DaemonStatus = Static<typeof schemas.DaemonStatus>;
export type DaemonStartAnswer = Static<typeof schemas.DaemonStartAnswer>;
export type DaemonStopAnswer = Static<typeof schemas.DaemonStopAnswer>;
export type Profile = Static<typeof schemas.Profile>;
export type Alive = Static<typeof schemas.Alive>;
export type Ready = Static<typeof schemas.Ready>;
export type OpenapiDocument = Static<typeof schemas.OpenapiDocument>;
