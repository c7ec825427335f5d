/**
 * The HTTP interface, for your own server or framework, and the server of the service.
 *
 * @module processual-state/http
 */
import '../platform/require-node.ts';
export {createHttp, type Http} from './create-http.ts';
export type {FastifyReply, FastifyRequest, HostHandler, KoaContext} from './hosts.ts';
export type {
	AccessToken, EventFeed, Forwarder, HttpIdentity, HttpOptions, HttpTelemetry, Logger, OriginPolicy, RateLimit, Resolver, ResolverRequest,
} from './http-options.ts';
export {listen, type Listening, type ListenOptions} from './server.ts';
export type {Beginning, Host, HostReadiness, IdentityInfo, Placement} from '../host/host.ts';
export type {AnsweredRequest, NodeFigures, ObservedIdentity, RequestTracing, TracedRequest} from '../observe/metrics/observed.ts';
export {createTelemetry, type Telemetry, type TelemetryOptions} from '../observe/metrics/telemetry.ts';
