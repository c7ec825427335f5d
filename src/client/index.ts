/**
 * Clients of the service for any JavaScript runtime with `fetch`: browsers, Node, workers. They
 * need no other package. `connectIdentity` has the interface of a local identity.
 * `createClient` has one method per endpoint, with the same names.
 *
 * @module processual-state/client
 */
export {connectIdentity, type ConnectOptions} from './connect-identity.ts';
export {createClient, type Client, type ClientOptions, type CycleOptions, type EventsOptions} from './create-client.ts';
export type * from '../generated/types.ts';
export type {CallOptions} from '../platform/waiting.ts';
export {ClientError, type ErrorBody, type ErrorFields, type InvalidField} from './client-error.ts';
export type {
	CycleEndData, EventData, ServiceEventType, EventTypePattern, Failure, MachineFrame, IdentityEventData, ServiceEvent,
} from './event-types.ts';
export type {Timers} from '../platform/clock.ts';
export type {MachineFrameType, IdentityEventType} from '../wire/event-types.ts';
