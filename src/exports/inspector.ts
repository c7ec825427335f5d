/** Seeing a process think: its events as a stream, the machines to draw, and Stately's inspector as a listener. */
export {createInspection, type Inspection} from '../inspector/inspection.ts';
export {machineDefinitions} from '../inspector/machines.ts';
export {connectInspector} from '../inspector/web-socket.ts';
