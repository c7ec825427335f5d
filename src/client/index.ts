/**
 * A client of the service for any JavaScript that has `fetch`: browsers, Node, workers. It
 * loads nothing but its own few files. Names are the wire's, types those of the schemas that the
 * service checks with.
 *
 * @module processual-state/client
 */
export {createClient, type CallOptions, type Client, type ClientOptions, type EventsOptions} from './create-client.ts';
export type * from './responses.ts';
export {ClientError, type InvalidField} from './client-error.ts';
export type {EventData, EventType, EventTypePattern, Frame, IdentityEventData, ServiceEvent} from './event-types.ts';
export type {Timers} from '../clock.ts';
export type {MachineFrameType, IdentityEventType} from '../inspection/event-types.ts';
