/**
 * The interface over HTTP: for servers of one's own, for hosts, and the server of the service.
 *
 * @module processual-state/http
 */
export {createHttp, type Http} from './create-http.ts';
export type {FastifyReply, FastifyRequest, HostHandler, KoaContext} from './hosts.ts';
export type {HttpOptions, HttpTelemetry} from './http-options.ts';
export type {Logger} from './logger.ts';
export type {OriginPolicy} from './middleware/origin.ts';
export type {RateLimit} from './middleware/rate-limit.ts';
export type {HttpIdentity, Resolver, ResolverRequest} from './resolve-identity.ts';
export type {EventFeed} from './routes/events.ts';
export {listen, type Listening, type ListenOptions} from './server.ts';
export type {ObservedIdentity} from '../telemetry/observed-identity.ts';
export type {AnsweredRequest} from '../telemetry/request-metrics.ts';
export {createTelemetry, type Telemetry, type TelemetryOptions} from '../telemetry/telemetry.ts';
