/**
 * What goes over the wire, as types: those of the very schemas that requests and answers are
 * checked against. Only types are taken from there, so that nothing of it is loaded.
 */
import type {Static} from 'typebox';
import type * as schemas from '../http/schemas.ts';

/** Answer of `GET /health`. */
export type Health = Static<typeof schemas.Health>;
/** Body of `POST /cycle`. */
export type CycleRequest = Static<typeof schemas.CycleRequest>;
/** Answer of `POST /cycle`. */
export type CycleAnswer = Static<typeof schemas.CycleAnswer>;
/** Body of `POST /translate`. */
export type TranslateRequest = Static<typeof schemas.TranslateRequest>;
/** Answer of `POST /translate`. */
export type TranslateAnswer = Static<typeof schemas.TranslateAnswer>;
/** Answer of `GET /state`. */
export type State = Static<typeof schemas.State>;
/** Answer of `GET /vigilance`. */
export type Vigilance = Static<typeof schemas.Vigilance>;
/** Answer of `GET /metrics`, as JSON. */
export type Metrics = Static<typeof schemas.Metrics>;
/** Answer of `POST /reset`. */
export type ResetAnswer = Static<typeof schemas.ResetAnswer>;
/**
 * Answer of `GET /daemon/status`. Two names mislead, as the interface has them: `cycles_since_last_user` is the total of
 * all cycles but the user's, and `time_since_last_user_seconds` counts from the last trigger of any kind.
 */
export type DaemonStatus = Static<typeof schemas.DaemonStatus>;
/** Answer of `POST /daemon/start`. */
export type DaemonStartAnswer = Static<typeof schemas.DaemonStartAnswer>;
/** Answer of `POST /daemon/stop`. */
export type DaemonStopAnswer = Static<typeof schemas.DaemonStopAnswer>;
/** Answer of `GET /profile`. */
export type Profile = Static<typeof schemas.Profile>;
/** Answer of `GET /livez`. */
export type Alive = Static<typeof schemas.Alive>;
/** Answer of `GET /readyz`. */
export type Ready = Static<typeof schemas.Ready>;
/** Answer of `GET /openapi.json`. */
export type OpenapiDocument = Static<typeof schemas.OpenapiDocument>;
