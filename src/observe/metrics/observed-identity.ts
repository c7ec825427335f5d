/** What telemetry reads of an identity: its views, its emitted events and its snapshot. */
import type {LocalIdentity} from '../../identity/identity.ts';

/** The part of a running identity that telemetry needs. */
export type ObservedIdentity = Pick<LocalIdentity, 'health' | 'readiness' | 'vigilance' | 'daemon' | 'watch'> & {
	readonly actor: Pick<LocalIdentity['actor'], 'on' | 'getSnapshot' | 'subscribe'>;
};
