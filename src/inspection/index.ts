/**
 * Seeing a process think: its events as a stream, the machines to draw, and Stately's inspector as a listener.
 *
 * @module processual-state/inspection
 */
export type {IdentityActor} from './identity-events.ts';
export {createInspection, type Inspection, type InspectionOptions, type WatchedEvent, type StreamFilter} from './inspection.ts';
export {describeMachines} from './machines.ts';
export {connectInspector, type ConnectOptions} from './connect-inspector.ts';
