/**
 * The transitions that a machine takes on its way to a snapshot.
 *
 * A snapshot shows where a machine comes to rest. XState's microsteps show the transitions on
 * the way there, eventless ones included: they are collected until the actor's next snapshot.
 */
import type {ActorRefLike, InspectionEvent} from 'xstate';

type Microstep = Extract<InspectionEvent, {type: '@xstate.microstep'}>;

/** Ids of two states; `to` is the first target. */
export type TakenTransition = {from: string; to: string};

/** Bounds a frame's size: a machine that takes more before one snapshot is looping. */
const maxTransitions = 64;

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
