/**
 * Many identities by name in one program: opened on request, closed when they are idle.
 *
 * @module processual-state/host
 */
import '../platform/require-node.ts';
export {createEmbeddedHost, type EmbeddedHost, type EmbeddedHostOptions} from './embedded-host.ts';
export type {Beginning, Host, HostReadiness, IdentityInfo, Placement} from './host.ts';
