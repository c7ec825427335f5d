/**
 * XState's inspection events in the wire format of `@statelyai/inspect`: one JSON object per actor, event or snapshot. The
 * format has no frames for XState's other inspection events (transitions, microsteps, actions).
 *
 * Differences from that package's frames: large, live and private values are summarised; the definition of a machine is
 * complete at any depth, up to 32 KiB; the frame of a new actor has no snapshot yet, since one follows at once; a
 * snapshot's frame may list the transitions taken.
 */
import type {ActorRefLike, AnyActor, InspectionEvent, Snapshot} from 'xstate';
import {memoizeWeak} from '../platform/immutable.ts';
import type {MachineFrameType} from '../wire/event-types.ts';
import {summarise} from './summary.ts';

/** The version of the package that defines the format. */
const formatVersion = '0.7.2';

/** Most bytes of a definition in a frame. The largest here is 5 KB, but an application's machine may have any size. */
const maxDefinitionBytes = 32 * 1024;

const maxNameLength = 200;

/** At most 64 KB of JSON: each summary in it has at most 24 KiB. */
export type Frame = {
	type: MachineFrameType;
	sessionId: string;
	rootId: string;
	/** Milliseconds since the epoch. */
	createdAt: string;
	id: null;
	_version: string;
	[field: string]: unknown;
};

export type FrameOptions = {
	/** The time of the frame, in milliseconds since the epoch. */
	now: number;
	/** Whether texts are included. */
	contents: boolean;
	/** The transitions that led to a snapshot. @default none */
	transitions?: readonly TakenTransition[];
};

/** The frame of an inspection event; null for an event without a frame in the format. */
export const toFrame = (event: InspectionEvent, options: FrameOptions): Frame | null => {
	const {actorRef, rootId} = event;
	const {contents, transitions = []} = options;
	switch (event.type) {
		case '@xstate.actor': return actorFrame(actorRef as AnyActor, rootId, {status: 'active'}, options);
		case '@xstate.event': {
			return {
				...head(event.type, actorRef, rootId, options),
				event: summarise(event.event, contents),
				...(event.sourceRef && {sourceId: event.sourceRef.sessionId}),
			};
		}

		case '@xstate.snapshot': {
			return {
				...head(event.type, actorRef, rootId, options),
				// The details are in the frame of the event.
				event: summarise(event.event, contents, 1),
				snapshot: summarise(event.snapshot, contents),
				...(transitions.length > 0 && {transitions}),
			};
		}

		default: return null;
	}
};

/** The frames of an actor and all its descendants, each with its present snapshot, parents first. */
export const collectFrames = (actor: AnyActor, options: FrameOptions, rootId = actor.sessionId): Frame[] => {
	const snapshot = actor.getSnapshot() as Snapshot<unknown> & {children?: Record<string, AnyActor>};
	const below = Object.values(snapshot.children ?? {}).flatMap(child => collectFrames(child, options, rootId));
	return [actorFrame(actor, rootId, snapshot, options), ...below];
};

const actorFrame = (actor: AnyActor, rootId: string, snapshot: object, options: FrameOptions): Frame => {
	const {logic: {config}, _parent: parent} = actor as Pick<AnyActor, '_parent'> & {logic: {config?: unknown}};
	const isMachine = typeof config === 'object' && config !== null;
	const name = (isMachine && actor.id === actor.sessionId ? (config as {id: string}).id : actor.id).slice(0, maxNameLength);
	return {
		...head('@xstate.actor', actor, rootId, options),
		name,
		...(parent && actor.sessionId !== rootId && {parentId: parent.sessionId}),
		definition: (isMachine && definitionOf(config)) || JSON.stringify({id: name}),
		snapshot: summarise(snapshot, options.contents),
	};
};

const head = (type: MachineFrameType, {sessionId}: ActorRefLike, rootId: string, {now}: FrameOptions): Frame =>
	({type, sessionId, rootId, createdAt: String(now), id: null, _version: formatVersion});

/** A machine's configuration as JSON, with functions replaced by their names; null if it is too large for a frame. */
const definitionOf = memoizeWeak((config: object): string | null => {
	const definition = JSON.stringify(config, (_key, value: unknown) => typeof value === 'function' ? {type: value.name} : value);
	return new TextEncoder().encode(JSON.stringify(definition)).length > maxDefinitionBytes ? null : definition;
});

type Microstep = Extract<InspectionEvent, {type: '@xstate.microstep'}>;

/** A transition, as the ids of its states; `to` is the first target. */
export type TakenTransition = {from: string; to: string};

/** Bounds the size of a frame. A machine that takes more transitions before one snapshot is looping. */
const maxTransitions = 64;

/**
 * Collects the transitions that lead to a snapshot. A snapshot only shows the state in which a machine comes to rest. XState's
 * microsteps show all transitions before it, including eventless ones; they are collected until the actor's next snapshot.
 */
export class TakenTransitions {
	readonly #pending = new WeakMap<ActorRefLike, TakenTransition[]>();

	/** Stores the transitions of a microstep that enter a state. */
	collect({actorRef, _transitions: transitions}: Microstep): void {
		const pending = this.#pending.get(actorRef) ?? [];
		for (const {source, target} of transitions) {
			if (target?.[0] && pending.length < maxTransitions) {
				pending.push({from: source.id, to: target[0].id});
			}
		}

		this.#pending.set(actorRef, pending);
	}

	/** Returns and removes the actor's collected transitions, in the order in which they were taken. */
	take(actorRef: ActorRefLike): TakenTransition[] {
		const taken = this.#pending.get(actorRef) ?? [];
		this.#pending.delete(actorRef);
		return taken;
	}
}
