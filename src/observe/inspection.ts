/**
 * Inspection of an identity: a stream of events, each with an id, and a buffer of recent ones for watchers that start late
 * or reconnect.
 *
 * Events of the identity are always buffered. Its machines are observed only while a watcher requests their frames, and a
 * while longer, so that a reconnecting watcher misses nothing. The rest of the time XState has no observer to call.
 */
import {systemTime, unrefTimers, type Time, type Timers} from '../platform/clock.ts';
import type {JournalEntry} from '../journal/journal.ts';
import {EventBuffer, type BufferedEvent} from './event-buffer.ts';
import {eventTypes, isMachineFrameType, streamDropped} from '../wire/event-types.ts';
import {FrameObserver} from './frame-observer.ts';
import {collectFrames} from './frames.ts';
import {currentEvents, subscribeToIdentity, type IdentityActor} from './identity-events.ts';
import {readMissedEvents, recordedTypes} from './missed-events.ts';

/** An event as a watcher receives it. */
export type WatchedEvent = {
	/**
	 * `<seq>.<run>-<n>`: the number of the newest record in the journal, the run of the service, and an increasing number.
	 * Without a journal `<run>-<n>`; for an event read from the journal `<seq>`.
	 */
	readonly id: string;
	readonly type: string;
	/** One JSON object. */
	readonly json: string;
};

/** Selects the events that a watcher receives. */
export type StreamFilter = {
	/** The types of events. */
	types: ReadonlySet<string>;
	/** Whether texts are included. They are buffered only while a watcher requests them. */
	contents: boolean;
	/** Whether the buffered events come first; otherwise only the present actors, state and mode. */
	history: boolean;
	/** The id after which to resume; null for a new watcher. */
	after: string | null;
};

/** Observes one identity for any number of watchers. */
export type Inspection = {
	/** All types of events. */
	readonly types: readonly string[];
	/** The id after which a watcher that starts now can resume, even if it receives no event. */
	readonly latestId: string;
	/** Passes on the past events that the filter requests, then every event as it happens. Returns a function that ends the watch. */
	watch(filter: StreamFilter, listener: (event: WatchedEvent) => void): () => void;
	/** Unsubscribes from the identity, and ends every watch. */
	close(): void;
};

type Watcher = Pick<StreamFilter, 'types' | 'contents'> & {listener: (event: WatchedEvent) => void};

const dropped = (id: string, missed: number | null, reason: string): WatchedEvent =>
	({id, type: streamDropped, json: JSON.stringify({missed, reason})});

/** The identity to inspect, its journal, and the clocks. */
export type InspectionOptions = {
	/** The actor of the identity. */
	actor: IdentityActor;
	/**
	 * Reads the journal, usually with an identity's `records`. Then a watcher can resume after the last record that it saw,
	 * even after a restart or on another node.
	 * @default undefined — a watcher from another run is notified that events are missing
	 */
	read?: (from: number, count: number) => Promise<JournalEntry[]>;
	/** The clock for the frames. @default the system's */
	time?: Time;
	/** The timers that end an observation. @default timers that do not keep the program alive */
	timers?: Timers;
	/** Distinguishes this run of the service from others. @default eight random characters */
	run?: string;
};

class LiveInspection implements Inspection {
	readonly types = eventTypes;
	readonly #actor: IdentityActor;
	readonly #read: InspectionOptions['read'];
	readonly #time: Time;
	readonly #run: string;
	readonly #buffer = new EventBuffer();
	readonly #watchers = new Set<Watcher>();
	readonly #machines: FrameObserver;
	readonly #unsubscribe: () => void;

	constructor({actor, read, time = systemTime, timers = unrefTimers, run = crypto.randomUUID().slice(0, 8)}: InspectionOptions) {
		this.#actor = actor;
		this.#read = read;
		this.#time = time;
		this.#run = run;
		this.#machines = new FrameObserver({
			actor, time, timers, publish: (type, json, jsonWithTexts) => this.#publish(type, json, jsonWithTexts),
		});
		// A forgetting also removes buffered texts. A revision whose answer was lost may have been a forgetting.
		const revised = actor.on('identity.revised', ({answer}) => {
			if (!answer || 'receipt' in answer) {
				this.#buffer.clear();
			}
		});
		const unsubscribe = subscribeToIdentity(actor, ({type, data, dataWithTexts}) => {
			const areTextsHeard = dataWithTexts && [...this.#watchers].some(({contents, types}) => contents && types.has(type));
			this.#publish(type, JSON.stringify(data), areTextsHeard ? JSON.stringify(dataWithTexts) : null);
		});
		this.#unsubscribe = () => {
			revised.unsubscribe();
			unsubscribe();
		};
	}

	watch(filter: StreamFilter, listener: Watcher['listener']): () => void {
		const release = [...filter.types].some(isMachineFrameType) ? this.#machines.hold(filter.contents, this.#buffer.latest) : null;
		const watcher = {types: filter.types, contents: filter.contents, listener};
		const seen = this.#recordIn(filter.after, filter.types);
		if (seen === null) {
			this.#replay(filter, listener);
		}

		this.#watchers.add(watcher);
		if (seen !== null) {
			void this.#resume(filter, seen, watcher);
		}

		return () => {
			if (this.#watchers.delete(watcher)) {
				release?.();
			}
		};
	}

	close(): void {
		this.#unsubscribe();
		this.#machines.stop();
		this.#watchers.clear();
	}

	get latestId(): string {
		return this.#idOf(this.#latestSeq(), this.#buffer.latest);
	}

	#latestSeq(): number | null {
		return this.#actor.getSnapshot().context.seq;
	}

	#idOf(seq: number | null, number: number): string {
		return `${seq === null ? '' : `${seq}.`}${this.#run}-${number}`;
	}

	#toWatched({contents}: Pick<StreamFilter, 'contents'>, {seq, number, type, json, jsonWithTexts}: BufferedEvent): WatchedEvent {
		return {id: this.#idOf(seq, number), type, json: (contents ? jsonWithTexts : null) ?? json};
	}

	#publish(type: string, json: string, jsonWithTexts: string | null): void {
		const event = this.#buffer.add({seq: this.#latestSeq(), type, json, jsonWithTexts});
		for (const watcher of this.#watchers) {
			if (watcher.types.has(type)) {
				watcher.listener(this.#toWatched(watcher, event));
			}
		}
	}

	/** The event number in an id; null if the id is from another run. */
	#numberOf(id: string): number | null {
		const numbered = id.replace(/^\d+\./, '');
		const digits = numbered.startsWith(`${this.#run}-`) ? numbered.slice(this.#run.length + 1) : '';
		return /^\d+$/.test(digits) && Number(digits) <= this.#buffer.latest ? Number(digits) : null;
	}

	/** The number of the last record that a watcher from another run saw; null if the journal cannot help. */
	#recordIn(id: string | null, types: ReadonlySet<string>): number | null {
		const seq = id !== null && this.#numberOf(id) === null ? Number(/^(\d+)(?:\.|$)/.exec(id)?.[1] ?? NaN) : NaN;
		return this.#read && seq <= (this.#latestSeq() ?? -1) && recordedTypes.some(type => types.has(type)) ? seq : null;
	}

	/** All actors, the state and the mode, as they are now. */
	#present({types, contents}: StreamFilter, withActors = true): WatchedEvent[] {
		const id = this.latestId;
		const isForFrames = withActors && [...types].some(isMachineFrameType);
		const frames = isForFrames ? collectFrames(this.#actor, {now: this.#time.now(), contents}) : [];
		return [...frames.map(frame => ({type: frame.type, data: frame})), ...currentEvents(this.#actor)]
			.filter(({type}) => types.has(type))
			.map(({type, data}) => ({id, type, json: JSON.stringify(data)}));
	}

	#replay(filter: StreamFilter, listener: Watcher['listener']): void {
		const {types, contents, history, after} = filter;
		const seen = after === null ? null : this.#numberOf(after);
		const missed = seen === null ? null : this.#buffer.countMissing(seen, types);
		const isResumed = missed === 0;
		if (after !== null && !isResumed) {
			listener(dropped(
				this.#idOf(this.#latestSeq(), seen ?? 0), missed,
				missed === null
					? 'The last event seen is from another run of the service.'
					: 'Events after the last one seen are no longer buffered.',
			));
		}

		const from = seen ?? 0;
		const isPastSent = after !== null || history;
		if (isPastSent) {
			for (const event of this.#buffer.eventsAfter(from, types)) {
				listener(this.#toWatched({contents}, event));
			}
		}

		if (!isResumed) {
			const {observedFrom} = this.#machines;
			const areActorsSent = isPastSent && from <= observedFrom && this.#buffer.countMissing(observedFrom, types) === 0;
			for (const event of this.#present(filter, !areActorsSent)) {
				listener(event);
			}
		}
	}

	/** Sends a watcher from another run the records it missed, then the present, then the events since the call. */
	async #resume(filter: StreamFilter, seen: number, watcher: Watcher): Promise<void> {
		const {listener} = watcher;
		const to = this.#latestSeq()!;
		const next = this.#present(filter);
		watcher.listener = event => next.push(event);

		const {initial} = this.#actor.getSnapshot().context.boot!;
		const {missed, events} = await readMissedEvents(this.#read!, initial, seen, to)
			// The journal cannot be read.
			.catch(() => ({missed: null, events: []}));
		if (!this.#watchers.has(watcher)) {
			return;
		}

		watcher.listener = listener;
		if (missed !== 0) {
			listener(dropped(String(seen), missed, 'Records after the last event seen are compacted, too many or cannot be read.'));
		}

		for (const {seq, type, data} of events) {
			if (filter.types.has(type)) {
				listener({id: String(seq), type, json: JSON.stringify(data)});
			}
		}

		for (const event of next) {
			listener(event);
		}
	}
}

/**
 * Inspects an identity from now on. Call it right after creating the identity, so that the steps of the boot are buffered.
 *
 * @example
 * ```ts
 * import {createIdentity} from 'processual-state';
 * import {createInspection} from 'processual-state/inspection';
 *
 * const identity = createIdentity();
 * const inspection = createInspection({actor: identity.actor, read: identity.records});
 * inspection.watch({types: new Set(['cycle.done']), contents: false, history: false, after: null}, ({json}) => {
 * 	console.log(json);
 * });
 * ```
 */
export const createInspection = (options: InspectionOptions): Inspection => new LiveInspection(options);
