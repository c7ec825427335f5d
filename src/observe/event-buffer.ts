/**
 * The recent past: the last 1000 events of the identity and the last 1000 frames of its machines, in one numbering. They
 * are stored separately so that neither displaces the other, and as text, since an object could keep a state in memory.
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

/** The events of one kind, and the number of the latest one that was dropped. */
type Kept = {readonly events: BufferedEvent[]; lastDropped: number};

/** Drops the oldest events, so that at most so many are left. */
const keepNewest = (kept: Kept, count: number): void => {
	kept.lastDropped = kept.events.splice(0, kept.events.length - count).at(-1)?.number ?? kept.lastDropped;
};

export class EventBuffer {
	/** The number of the latest event; 0 before the first. */
	latest = 0;
	readonly #machineFrames: Kept = {events: [], lastDropped: 0};
	readonly #identityEvents: Kept = {events: [], lastDropped: 0};

	add(content: Omit<BufferedEvent, 'number'>): BufferedEvent {
		const event = {...content, number: ++this.latest};
		const kept = this.#keptOf(event.type);
		kept.events.push(event);
		keepNewest(kept, capacity);
		return event;
	}

	/** Drops all events; they count as missing from then on. */
	clear(): void {
		keepNewest(this.#machineFrames, 0);
		keepNewest(this.#identityEvents, 0);
	}

	/** The events of these types after a number, in order. */
	eventsAfter(number: number, types: ReadonlySet<string>): BufferedEvent[] {
		return this.#allAfter(number).filter(({type}) => types.has(type)).toSorted((a, b) => a.number - b.number);
	}

	/** How many events of any type after a number are no longer buffered; 0 if all of the given types still are. */
	countMissing(number: number, types: ReadonlySet<string>): number {
		const isMissing = [...types].some(type => this.#keptOf(type).lastDropped > number);
		return isMissing ? this.latest - number - this.#allAfter(number).length : 0;
	}

	#allAfter(number: number): BufferedEvent[] {
		return [...this.#machineFrames.events, ...this.#identityEvents.events].filter(event => event.number > number);
	}

	#keptOf(type: string): Kept {
		return isMachineFrameType(type) ? this.#machineFrames : this.#identityEvents;
	}
}
