/**
 * Seeing a process think: its events as a stream, the machines to draw, and Stately's inspector as a listener.
 *
 * @module processual-state/inspector
 */
export type {ProcessActor} from '../inspector/process-events.ts';
export {createInspection, type Inspection, type InspectionOptions, type WatchedEvent, type Wish} from '../inspector/inspection.ts';
export {machineDefinitions} from '../inspector/machines.ts';
export {connectInspector, type ConnectOptions} from '../inspector/web-socket.ts';
