/**
 * The interface over HTTP: an application to mount or to listen with, and what can be added to it.
 *
 * @module processual-state/http
 */
export {createApp, type AppOptions} from './app.ts';
export {eventStream, type EventSource, type EventStream, type StreamOptions, type StreamWish, type StreamedEvent} from './event-stream.ts';
export type {Logger} from './logger.ts';
export type {Sharing} from './origin.ts';
export type {HttpTelemetry} from './prometheus.ts';
export type {RateLimit} from './rate-limit.ts';
export {listen, type Listening} from './server.ts';
export type {Observed} from '../telemetry/observed.ts';
export type {AnsweredRequest} from '../telemetry/request-metrics.ts';
export {createTelemetry, type Telemetry, type TelemetryOptions} from '../telemetry/telemetry.ts';
