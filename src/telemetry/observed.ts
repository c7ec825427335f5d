/** What telemetry sees of a process: its views, what it lets the world hear, and its children. */
import type {RunningProcess} from '../create-process.ts';

export type Observed = Pick<RunningProcess, 'health' | 'readiness' | 'vigilance' | 'daemon'> & {
	readonly actor: Pick<RunningProcess['actor'], 'on' | 'getSnapshot'>;
};
