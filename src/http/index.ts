/**
 * The interface over HTTP: an application to mount or to listen with, and its options.
 *
 * @module processual-state/http
 */
export {createApp, type AppOptions, type HttpTelemetry} from './app.ts';
export type {Logger} from './logger.ts';
export type {OriginPolicy} from './middleware/origin.ts';
export type {RateLimit} from './middleware/rate-limit.ts';
export {createEventStream, type EventFeed, type EventStream, type EventStreamOptions} from './routes/events.ts';
export {listen, type Listening} from './server.ts';
export type {ObservedIdentity} from '../telemetry/observed-identity.ts';
export type {AnsweredRequest} from '../telemetry/request-metrics.ts';
export {createTelemetry, type Telemetry, type TelemetryOptions} from '../telemetry/telemetry.ts';
