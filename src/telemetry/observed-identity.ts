/** What telemetry reads of an identity: its views, its emitted events and its snapshot. */
import type {RunningIdentity} from '../identity/create-identity.ts';

/** The part of a running identity that telemetry needs. */
export type ObservedIdentity = Pick<RunningIdentity, 'health' | 'readiness' | 'vigilance' | 'daemon'> & {
	readonly actor: Pick<RunningIdentity['actor'], 'on' | 'getSnapshot'>;
};
