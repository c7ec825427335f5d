/**
 * The recent past: the last 1000 events of the identity and the last 1000 frames of its machines, in one numbering. They
 * are stored separately so that neither displaces the other.
 *
 * Frames are stored as text, since a snapshot would keep everything that it refers to in memory. An event of the identity
 * becomes text when it is first read; most never are.
 */
import {isMachineFrameType} from '../wire/event-types.ts';

export type BufferedEvent = {
	/** Counts the events of the run, from 1. */
	readonly number: number;
	readonly type: string;
	/** The number of the newest record that readers saw at the time; null if there was none. */
	readonly seq: number | null;
	/** One JSON object, without texts of users. */
	readonly json: string;
	/** Like `json`, but with texts; null if no watcher requested texts at the time, or the event has none. */
	readonly jsonWithTexts: string | null;
};

const capacity = 1000;

export class EventBuffer {
	/** The number of the latest event; 0 before the first. */
	latest = 0;
	readonly #machineFrames = new BoundedBuffer();
	readonly #identityEvents = new BoundedBuffer();

	/** @param content JSON, or a function that makes the object for it. */
	add(seq: number | null, type: string, content: string | (() => object), jsonWithTexts: string | null = null): BufferedEvent {
		let made = content;
		const event = {
			number: ++this.latest, seq, type, jsonWithTexts,
			get json() {
				return made = typeof made === 'function' ? JSON.stringify(made()) : made;
			},
		};
		this.#bufferOf(type).add(event);
		return event;
	}

	/** Drops all events; they count as missing from then on. */
	clear(): void {
		this.#machineFrames.clear();
		this.#identityEvents.clear();
	}

	/** The events of these types after a number, in order. */
	eventsAfter(number: number, types: ReadonlySet<string>): BufferedEvent[] {
		return this.#allAfter(number).filter(({type}) => types.has(type));
	}

	/** How many events of any type after a number are no longer buffered; 0 if all of the given types still are. */
	countMissing(number: number, types: ReadonlySet<string>): number {
		const isMissing = [...types].some(type => this.#bufferOf(type).lastDropped > number);
		return isMissing ? this.latest - number - this.#allAfter(number).length : 0;
	}

	#allAfter(number: number): BufferedEvent[] {
		return [
			...this.#machineFrames.eventsAfter(number), ...this.#identityEvents.eventsAfter(number),
		].toSorted((a, b) => a.number - b.number);
	}

	#bufferOf(type: string): BoundedBuffer {
		return isMachineFrameType(type) ? this.#machineFrames : this.#identityEvents;
	}
}

class BoundedBuffer {
	/** The number of the latest dropped event. */
	lastDropped = 0;
	readonly #events: BufferedEvent[] = [];

	add(event: BufferedEvent): void {
		this.#events.push(event);
		if (this.#events.length > capacity) {
			this.lastDropped = this.#events.shift()!.number;
		}
	}

	clear(): void {
		this.lastDropped = this.#events.splice(0).at(-1)?.number ?? this.lastDropped;
	}

	eventsAfter(number: number): BufferedEvent[] {
		return this.#events.filter(event => event.number > number);
	}
}
