/**
 * The types of events that can be watched: those of the machines, as XState's inspectors name
 * them, and those of the process, which say what came of it all.
 */

/** What happens inside the machines: an actor begins, an event reaches one, one has a new snapshot. */
export const machineFrameTypes = ['@xstate.actor', '@xstate.event', '@xstate.snapshot'] as const;

/** Kinds of frames of the machines. */
export type MachineFrameType = (typeof machineFrameTypes)[number];

/** What the process has done or has become. */
export const identityEventTypes = [
	'boot.step',
	'cycle.done',
	'cycle.failed',
	'reset.done',
	'mode.changed',
	'daemon.started',
	'daemon.stopped',
	'vigilance.level',
	'state',
	'journal.failed',
	'journal.mended',
	'translation.done',
	'translation.failed',
] as const;

/** Kinds of the process's own events. */
export type IdentityEventType = (typeof identityEventTypes)[number];

/** What is said of the stream itself, whatever was asked for. */
export const dropped = 'stream.dropped';

export const eventTypes: readonly string[] = [...machineFrameTypes, ...identityEventTypes, dropped];

/** Whether a type is one of the machines'. */
export const isMachineFrameType = (type: string): type is MachineFrameType => (machineFrameTypes as readonly string[]).includes(type);
