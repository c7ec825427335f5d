/**
 * The types of events on the stream: frames of the machines, with the names that XState's inspectors use, and events of
 * the identity, which report results.
 */

/** Frames of the machines: an actor starts, an actor receives an event, an actor has a new snapshot. */
export const machineFrameTypes = ['@xstate.actor', '@xstate.event', '@xstate.snapshot'] as const;

/** The type of a machine's frame. */
export type MachineFrameType = (typeof machineFrameTypes)[number];

/** Events of the identity: its actions and its changes. */
export const identityEventTypes = [
	'boot.step',
	'ready',
	'failed',
	'stopped',
	'cycle.done',
	'cycle.held',
	'cycle.failed',
	'cycle.cancelled',
	'reset.done',
	'reset.failed',
	'identity.validated',
	'validation.failed',
	'identity.revised',
	'revision.failed',
	'replay.progress',
	'held.released',
	'held.dropped',
	'settlement.failed',
	'mode.changed',
	'daemon.started',
	'daemon.stopped',
	'vigilance.level',
	'state',
	'journal.failed',
	'journal.recovered',
	'moved',
	'translation.done',
	'translation.failed',
	'drift.alarm',
	'echo.noticed',
	'source.changed',
	'source.noticed',
	'source.taken_up',
] as const;

/** The type of an identity's event. */
export type IdentityEventType = (typeof identityEventTypes)[number];

/** Sent regardless of the filter: events are missing before the next one. */
export const streamDropped = 'stream.dropped';

export const eventTypes: readonly string[] = [...machineFrameTypes, ...identityEventTypes, streamDropped];

export const isMachineFrameType = (type: string): type is MachineFrameType => (machineFrameTypes as readonly string[]).includes(type);

/** Paths in events whose keys are data and must not be renamed: an operator names the directions. */
export const dataInEvents: readonly string[] = ['projections'];
