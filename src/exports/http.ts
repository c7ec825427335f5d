/**
 * The interface over HTTP: an application to mount or to listen with, and what can be added to it.
 *
 * @module processual-state/http
 */
export {createApp, type AppOptions} from '../http/app.ts';
export {eventStream, type EventSource, type EventStream, type StreamOptions, type StreamWish, type StreamedEvent} from '../http/event-stream.ts';
export type {Logger} from '../http/logger.ts';
export type {Sharing} from '../http/origin.ts';
export type {HttpTelemetry} from '../http/prometheus.ts';
export type {RateLimit} from '../http/rate-limit.ts';
export {listen, type Listening} from '../http/server.ts';
export type {Observed} from '../telemetry/observed.ts';
export type {AnsweredRequest} from '../telemetry/request-metrics.ts';
export {createTelemetry, type Telemetry, type TelemetryOptions} from '../telemetry/telemetry.ts';
