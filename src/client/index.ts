/**
 * A client of the service for any JavaScript runtime with `fetch`: browsers, Node, workers. It
 * imports only its own files. Names are those of the wire, types those of the service's schemas.
 *
 * @module processual-state/client
 */
export {createClient, type CallOptions, type Client, type ClientOptions, type EventsOptions} from './create-client.ts';
export type * from './responses.ts';
export {ClientError, type InvalidField} from './client-error.ts';
export type {EventData, EventType, EventTypePattern, Frame, IdentityEventData, ServiceEvent} from './event-types.ts';
export type {Timers} from '../clock.ts';
export type {MachineFrameType, IdentityEventType} from '../inspection/event-types.ts';
