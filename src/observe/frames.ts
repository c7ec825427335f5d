/**
 * XState's inspection events in the wire format of `@statelyai/inspect`, which its inspectors
 * read: one JSON object for an actor, an event or a snapshot. That format has no frames for
 * XState's other inspection events (transitions, microsteps, actions).
 *
 * Differences from the frames of that package: large, live and private values are summarised;
 * the definition of a machine is whole, however deep, up to 32 KiB; the frame of a new actor has no snapshot
 * yet, since the snapshot follows at once; a snapshot's frame may name the transitions taken.
 */
import type {ActorRefLike, AnyActor, InspectionEvent, Snapshot} from 'xstate';
import {memoizeWeak} from '../platform/immutable.ts';
import type {MachineFrameType} from '../wire/event-types.ts';
import {summarise} from './summary.ts';

/** The version of the package whose format this is. */
const formatVersion = '0.7.2';

/** Bytes of a definition in a frame. The largest of ours is 5 KB; an application's own machine may be any. */
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
	/** When the frame is made: milliseconds since the epoch. */
	now: number;
	/** Whether texts are included. */
	contents: boolean;
	/** What a snapshot's frame says of the way to it; nothing by default. */
	transitions?: readonly TakenTransition[];
};

/** The frame of an inspection event; null for one that has no frame in the format. */
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
				// Its details are in the frame of the event.
				event: summarise(event.event, contents, 1),
				snapshot: summarise(event.snapshot, contents),
				...(transitions.length > 0 && {transitions}),
			};
		}

		default: return null;
	}
};

/** The frames of an actor and of all actors below it, each with its present snapshot, parents first. */
export const collectFrames = (root: AnyActor, options: FrameOptions): Frame[] => {
	const frames: Frame[] = [];
	const visit = (actor: AnyActor): void => {
		const snapshot = actor.getSnapshot() as Snapshot<unknown> & {children?: Record<string, AnyActor>};
		frames.push(actorFrame(actor, root.sessionId, snapshot, options));
		for (const child of Object.values(snapshot.children ?? {})) {
			visit(child);
		}
	};

	visit(root);
	return frames;
};

const actorFrame = (actor: AnyActor, rootId: string, snapshot: object, options: FrameOptions): Frame => {
	const {logic: {config}, _parent: parent} = actor as Pick<AnyActor, '_parent'> & {logic: {config?: unknown}};
	const isMachine = typeof config === 'object' && config !== null;
	const name = (isMachine && actor.id === actor.sessionId ? (config as {id: string}).id : actor.id).slice(0, maxNameLength);
	return {
		...head('@xstate.actor', actor, rootId, options),
		name,
		...(parent && {parentId: parent.sessionId}),
		definition: (isMachine && definitionOf(config)) || JSON.stringify({id: name}),
		snapshot: summarise(snapshot, options.contents),
	};
};

const head = (type: MachineFrameType, {sessionId}: ActorRefLike, rootId: string, {now}: FrameOptions): Frame =>
	({type, sessionId, rootId, createdAt: String(now), id: null, _version: formatVersion});

/** A machine's configuration as JSON; a function is replaced by its name. Null where it is too large for a frame. */
const definitionOf = memoizeWeak((config: object): string | null => {
	const definition = JSON.stringify(config, (_key, value: unknown) => typeof value === 'function' ? {type: value.name} : value);
	return new TextEncoder().encode(JSON.stringify(definition)).length > maxDefinitionBytes ? null : definition;
});

type Microstep = Extract<InspectionEvent, {type: '@xstate.microstep'}>;

/** Ids of two states; `to` is the first target. */
export type TakenTransition = {from: string; to: string};

/** Bounds a frame's size: a machine that takes more before one snapshot is looping. */
const maxTransitions = 64;

/**
 * The transitions that a machine takes on its way to a snapshot. A snapshot shows where a machine comes to rest. XState's
 * microsteps show the transitions on the way there, eventless ones included: they are collected until the actor's next snapshot.
 */
export class TakenTransitions {
	readonly #pending = new WeakMap<ActorRefLike, TakenTransition[]>();

	/** Keeps the transitions of a microstep that enter a state. */
	collect({actorRef, _transitions: transitions}: Microstep): void {
		const pending = this.#pending.get(actorRef) ?? [];
		for (const {source, target} of transitions) {
			if (target?.[0] && pending.length < maxTransitions) {
				pending.push({from: source.id, to: target[0].id});
			}
		}

		this.#pending.set(actorRef, pending);
	}

	/** The actor's transitions since the last call, in the order in which they were taken. */
	take(actorRef: ActorRefLike): TakenTransition[] {
		const taken = this.#pending.get(actorRef) ?? [];
		this.#pending.delete(actorRef);
		return taken;
	}
}
