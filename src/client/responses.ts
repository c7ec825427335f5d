/**
 * Requests and responses as types: those of the schemas that the service validates with. Only
 * types are imported, so the client loads no schema.
 */
import type {Static} from '#typebox';
import type * as cycle from '../http/routes/cycle.ts';
import type * as daemon from '../http/routes/daemon.ts';
import type * as health from '../http/routes/health.ts';
import type * as metrics from '../http/routes/metrics.ts';
import type * as openapi from '../http/routes/openapi.ts';
import type * as probes from '../http/routes/probes.ts';
import type * as profile from '../http/routes/profile.ts';
import type * as reset from '../http/routes/reset.ts';
import type * as state from '../http/routes/state.ts';
import type * as translate from '../http/routes/translate.ts';
import type * as vigilance from '../http/routes/vigilance.ts';

/** Response of `GET /health`. */
export type Health = Static<typeof health.Health>;
/** Body of `POST /cycle`. */
export type CycleRequest = Static<typeof cycle.CycleRequest>;
/** Response of `POST /cycle`. */
export type CycleResponse = Static<typeof cycle.CycleResponse>;
/** Body of `POST /translate`. */
export type TranslateRequest = Static<typeof translate.TranslateRequest>;
/** Response of `POST /translate`. */
export type TranslateResponse = Static<typeof translate.TranslateResponse>;
/** Response of `GET /state`. */
export type State = Static<typeof state.State>;
/** Response of `GET /vigilance`. */
export type Vigilance = Static<typeof vigilance.Vigilance>;
/** Response of `GET /metrics`, as JSON. */
export type Metrics = Static<typeof metrics.Metrics>;
/** Response of `POST /reset`. */
export type ResetResponse = Static<typeof reset.ResetResponse>;
/**
 * Response of `GET /daemon/status`. Two names mislead, as the interface has them: `cycles_since_last_user` is the total of
 * all cycles but the user's, and `time_since_last_user_seconds` counts from the last trigger of any kind.
 */
export type DaemonStatus = Static<typeof daemon.DaemonStatus>;
/** Response of `POST /daemon/start`. */
export type DaemonStartResponse = Static<typeof daemon.DaemonStartResponse>;
/** Response of `POST /daemon/stop`. */
export type DaemonStopResponse = Static<typeof daemon.DaemonStopResponse>;
/** Response of `GET /profile`. */
export type Profile = Static<typeof profile.Profile>;
/** Response of `GET /livez`. */
export type Alive = Static<typeof probes.Alive>;
/** Response of `GET /readyz`. */
export type Ready = Static<typeof probes.Ready>;
/** Response of `GET /openapi.json`. */
export type OpenapiDocument = Static<typeof openapi.OpenapiDocument>;
