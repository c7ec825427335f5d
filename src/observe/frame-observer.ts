/**
 * Observes the machines of an identity while a watcher requests their frames, and a while longer. An observation starts
 * with the frames of all present actors, so that later frames make sense.
 */
import type {AnyActor, InspectionEvent, Subscription} from 'xstate';
import type {Time, Timers} from '../platform/clock.ts';
import {collectFrames, TakenTransitions, toFrame, type Frame} from './frames.ts';
import type {IdentityActor} from './identity-events.ts';

/** How long machines stay observed after the last watcher has left: enough for a reload or a few attempts to reconnect. */
const observeGraceMs = 15_000;

/** A frame that exceeds this length with its texts is buffered without them. */
const maxLengthWithTexts = 64 * 1024;

type ObserverDeps = {
	actor: IdentityActor;
	time: Time;
	timers: Timers;
	/** Called with each frame as JSON, and as JSON with texts if a watcher requested them and they are short. */
	publish: (type: Frame['type'], json: string, jsonWithTexts: string | null) => void;
};

export class FrameObserver {
	/** The number of the last event before the observation. */
	observedFrom = 0;
	readonly #deps: ObserverDeps;
	/** One entry per watcher of frames, until {@link observeGraceMs} after it has left. */
	readonly #observers = new Set<{contents: boolean}>();
	readonly #taken = new TakenTransitions();
	#observation: Subscription | null = null;

	constructor(deps: ObserverDeps) {
		this.#deps = deps;
	}

	/** Observes for one more watcher. The returned function releases it after the grace period. */
	hold(contents: boolean, latest: number): () => void {
		const observer = {contents};
		this.#observers.add(observer);
		if (!this.#observation) {
			this.#start(contents, latest);
		}

		return () => {
			this.#deps.timers.setTimeout(() => {
				this.#observers.delete(observer);
				if (this.#observers.size === 0) {
					this.stop();
				}
			}, observeGraceMs);
		};
	}

	stop(): void {
		this.#observation?.unsubscribe();
		this.#observation = null;
	}

	#start(contents: boolean, latest: number): void {
		this.observedFrom = latest;
		const now = this.#deps.time.now();
		const withTexts = contents ? collectFrames(this.#deps.actor, {now, contents}) : [];
		for (const [index, frame] of collectFrames(this.#deps.actor, {now, contents: false}).entries()) {
			this.#tell(frame, withTexts[index]);
		}

		this.#observation = this.#deps.actor.system.inspect((event: InspectionEvent) => this.#observe(event));
	}

	/** An identity may be a part of an application's system, whose other actors are not its watchers' business. */
	#observe(event: InspectionEvent): void {
		const {actor, time} = this.#deps;
		if (!isWithin(event.actorRef as AnyActor, actor)) {
			return;
		}

		if (event.type === '@xstate.microstep') {
			this.#taken.collect(event);
			return;
		}

		const transitions = event.type === '@xstate.snapshot' ? this.#taken.take(event.actorRef) : [];
		const options = {now: time.now(), transitions};
		const ofIdentity = {...event, rootId: actor.sessionId};
		const frame = toFrame(ofIdentity, {...options, contents: false});
		if (frame) {
			const areTextsWanted = [...this.#observers].some(({contents}) => contents);
			this.#tell(frame, areTextsWanted ? toFrame(ofIdentity, {...options, contents: true}) : null);
		}
	}

	#tell(frame: Frame, withTexts: Frame | null | undefined): void {
		const json = withTexts ? JSON.stringify(withTexts) : null;
		this.#deps.publish(frame.type, JSON.stringify(frame), json !== null && json.length <= maxLengthWithTexts ? json : null);
	}
}

/** Whether an actor is the given one, or below it. */
const isWithin = (actor: AnyActor, root: AnyActor): boolean => {
	const {_parent: parent} = actor;
	return actor === root || (parent !== undefined && isWithin(parent as AnyActor, root));
};
