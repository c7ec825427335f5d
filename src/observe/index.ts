/**
 * An identity's events as a stream, and a connection to Stately's inspector.
 *
 * @module processual-state/inspection
 */
import '../platform/require-node.ts';
export type {IdentityActor} from './identity-events.ts';
export {createInspection, type Inspection, type InspectionOptions, type StreamFilter, type WatchedEvent} from './inspection.ts';
export {connectInspector, type InspectorConnectOptions} from './connect-inspector.ts';
