/**
 * Seeing a process think: its events as a stream, the machines to draw, and Stately's inspector as a listener.
 *
 * @module processual-state/inspection
 */
export type {ProcessActor} from './identity-events.ts';
export {createInspection, type Inspection, type InspectionOptions, type WatchedEvent, type Wish} from './inspection.ts';
export {machineDefinitions} from './machines.ts';
export {connectInspector, type ConnectOptions} from './connect-inspector.ts';
