/**
 * Clients of the service for any JavaScript runtime with `fetch`: browsers, Node, workers. They
 * need no other package. `connectIdentity` has the interface of an identity in this program.
 * `createClient` has a method for each endpoint, the names of the wire, and the types of its schemas.
 *
 * @module processual-state/client
 */
export {connectIdentity, type ConnectOptions} from './connect-identity.ts';
export {createClient, type CallOptions, type Client, type ClientOptions, type CycleOptions, type EventsOptions, type MomentOptions} from './create-client.ts';
export type * from './responses.ts';
export {ClientError, type ErrorBody, type InvalidField} from './client-error.ts';
export type {SnakeCase} from '../wire/snake-case.ts';
export type {EventData, EventType, EventTypePattern, Failure, Frame, IdentityEventData, ServiceEvent} from './event-types.ts';
export type {Timers} from '../platform/clock.ts';
export type {MachineFrameType, IdentityEventType} from '../observe/event-types.ts';
