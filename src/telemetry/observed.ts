/** What telemetry sees of a process: its views, what it lets the world hear, and its children. */
import type {RunningProcess} from '../identity/create-identity.ts';

/** The part of a running process that is counted. */
export type Observed = Pick<RunningProcess, 'health' | 'readiness' | 'vigilance' | 'daemon'> & {
	readonly actor: Pick<RunningProcess['actor'], 'on' | 'getSnapshot'>;
};
