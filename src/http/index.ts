/**
 * The interface over HTTP: an application to mount or to listen with, and what can be added to it.
 *
 * @module processual-state/http
 */
export {createApp, type AppOptions} from './app.ts';
export {eventStream, type EventSource, type EventStream, type StreamOptions, type StreamWish, type StreamedEvent} from './routes/events.ts';
export type {Logger} from './logger.ts';
export type {Sharing} from './middleware/origin.ts';
export type {HttpTelemetry} from './middleware/count-requests.ts';
export type {RateLimit} from './middleware/rate-limit.ts';
export {listen, type Listening} from './server.ts';
export type {Observed} from '../telemetry/observed.ts';
export type {AnsweredRequest} from '../telemetry/request-metrics.ts';
export {createTelemetry, type Telemetry, type TelemetryOptions} from '../telemetry/telemetry.ts';
