/**
 * XState's inspection events in the wire format of `@statelyai/inspect`, which its inspectors
 * read: one JSON object for an actor, an event, a snapshot. The core's other events
 * (transitions, microsteps, actions) have no place in that format.
 *
 * It differs from what that package itself sends in this: what is large, alive or private is
 * summarised; the definition of a machine is whole, however deep; and an actor that is just
 * being made shows no snapshot yet, which follows at once, where the package waits a moment
 * and shows a later one.
 */
import type {ActorRefLike, AnyActor, InspectionEvent, Snapshot} from 'xstate';
import {memoizeWeak} from '../memoize-weak.ts';
import type {MachineFrameType} from './event-types.ts';
import {summarise} from './summary.ts';

/** The version of the package whose format this is. */
const formatVersion = '0.7.2';

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

/** When a frame is made, and whether texts stand in it. */
type Making = {now: number; contents: boolean};

/** The frame of an inspection event; null for one that has no place in the format. */
export const toFrame = (event: InspectionEvent, making: Making): Frame | null => {
	const {actorRef, rootId} = event;
	switch (event.type) {
		case '@xstate.actor': {
			return actorFrame(actorRef as AnyActor, rootId, {status: 'active'}, making);
		}

		case '@xstate.event': {
			return {
				...head(event.type, actorRef, rootId, making),
				event: summarise(event.event, making.contents),
				...(event.sourceRef && {sourceId: event.sourceRef.sessionId}),
			};
		}

		case '@xstate.snapshot': {
			return {
				...head(event.type, actorRef, rootId, making),
				event: summarise(event.event, making.contents),
				snapshot: summarise(event.snapshot, making.contents),
			};
		}

		default: {
			return null;
		}
	}
};

/** The frames of an actor and of everything that lives under it, each with its present snapshot, parents first. */
export const collectFrames = (root: AnyActor, making: Making): Frame[] => {
	const frames: Frame[] = [];
	const visit = (actor: AnyActor): void => {
		const snapshot = actor.getSnapshot() as Snapshot<unknown> & {children?: Record<string, AnyActor>};
		frames.push(actorFrame(actor, root.sessionId, snapshot, making));
		for (const child of Object.values(snapshot.children ?? {})) {
			visit(child);
		}
	};

	visit(root);
	return frames;
};

const actorFrame = (actor: AnyActor, rootId: string, snapshot: object, making: Making): Frame => {
	const {logic: {config}, _parent: parent} = actor as Pick<AnyActor, '_parent'> & {logic: {config?: unknown}};
	const isMachine = typeof config === 'object' && config !== null;
	const name = isMachine && actor.id === actor.sessionId ? (config as {id: string}).id : actor.id;
	return {
		...head('@xstate.actor', actor, rootId, making),
		name,
		...(parent && {parentId: parent.sessionId}),
		definition: isMachine ? definitionOf(config) : JSON.stringify({id: name}),
		snapshot: summarise(snapshot, making.contents),
	};
};

const head = (type: MachineFrameType, {sessionId}: ActorRefLike, rootId: string, {now}: Making): Frame =>
	({type, sessionId, rootId, createdAt: String(now), id: null, _version: formatVersion});

/** A machine's configuration as text; a function in it stands as its name. */
const definitionOf = memoizeWeak((config: object): string =>
	JSON.stringify(config, (_key, value: unknown) => typeof value === 'function' ? {type: value.name} : value));
