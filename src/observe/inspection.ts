/**
 * Inspection of an identity: a stream of events, each with an id, and a buffer of recent ones
 * for watchers that come late or reconnect.
 *
 * The identity's own events are always buffered. Its machines are observed only while a watcher
 * asks for their frames, and {@link observeGraceMs} longer, so that a reconnecting watcher
 * misses nothing; otherwise XState has no observer to call. An observation starts with the
 * frames of all present actors, so that later frames can be understood.
 */
import type {InspectionEvent, Subscription} from 'xstate';
import {systemTime, unrefTimers, type Time, type Timers} from '../platform/clock.ts';
import type {JournalEntry} from '../journal/journal.ts';
import {EventBuffer, type BufferedEvent} from './event-buffer.ts';
import {eventTypes, isMachineFrameType, streamDropped} from '../wire/event-types.ts';
import {collectFrames, toFrame, type Frame} from './frames.ts';
import {currentEvents, subscribeToIdentity, type IdentityActor} from './identity-events.ts';
import {readMissedEvents, recordedTypes} from './missed-events.ts';
import {TakenTransitions} from './taken-transitions.ts';

/** An event as a watcher receives it. */
export type WatchedEvent = {
	/**
	 * `<seq>.<run>-<n>`: the number of the newest record in the journal, the run of the service, and a number that
	 * increases. Without a journal `<run>-<n>`; of an event that is read from the journal `<seq>`.
	 */
	readonly id: string;
	readonly type: string;
	/** One JSON object. */
	readonly json: string;
};

/** What a watcher receives. */
export type StreamFilter = {
	/** Types of the stream's events. */
	types: ReadonlySet<string>;
	/** Whether texts are included. They are buffered only while a watcher asks for them. */
	contents: boolean;
	/** Whether the buffered events come first. Otherwise only the present: every actor, the state, the mode. */
	history: boolean;
	/** The id after which to resume; null for a new watcher. */
	after: string | null;
};

/** Observes one identity for any number of watchers. */
export type Inspection = {
	/** Every type of event. */
	readonly types: readonly string[];
	/** Passes on the past that the filter asks for, at once, then every event as it happens. Returns a function that ends it. */
	watch(filter: StreamFilter, listener: (event: WatchedEvent) => void): () => void;
	/** Unsubscribes from the identity, and ends every watch. */
	close(): void;
};

type Watcher = Pick<StreamFilter, 'types' | 'contents'> & {listener: (event: WatchedEvent) => void};

/** How long machines stay observed after the last watcher has left: enough for a reload or some tries to reconnect. */
const observeGraceMs = 15_000;

/** A frame that is longer with its texts is buffered without them. */
const maxLengthWithTexts = 64 * 1024;

const dropped = (id: string, missed: number | null, reason: string): WatchedEvent =>
	({id, type: streamDropped, json: JSON.stringify({missed, reason})});

/** The identity to inspect, and the clocks. */
export type InspectionOptions = {
	/** The actor of the identity. */
	actor: IdentityActor;
	/**
	 * Reads the journal, so that a watcher resumes behind the last record that it heard of, also after a restart or on
	 * another node: an identity's `records`.
	 *
	 * @default undefined — a watcher of another run hears that events are missing
	 */
	read?: (from: number, count: number) => Promise<JournalEntry[]>;
	/** The clock of the frames. @default the system's */
	time?: Time;
	/** The timers that end an observation. @default the global ones, which do not keep the program alive */
	timers?: Timers;
	/** Tells this run of the service from another. @default eight random characters */
	run?: string;
};

/**
 * Inspects an identity from now on. Call it right after the identity is created, so that the
 * steps of the boot are buffered.
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
export const createInspection = ({
	actor, read, time = systemTime, timers = unrefTimers, run = crypto.randomUUID().slice(0, 8),
}: InspectionOptions): Inspection => {
	const buffer = new EventBuffer();
	const watchers = new Set<Watcher>();
	/** One for each watcher of frames, until {@link observeGraceMs} after it has left. */
	const observers = new Set<{contents: boolean}>();
	const taken = new TakenTransitions();
	let observation: Subscription | null = null;
	/** The number of the last event before the observation. */
	let observedFrom = 0;
	let isAnyWithTexts = false;

	const latestSeq = () => actor.getSnapshot().context.seq;

	const idOf = (seq: number | null, number: number) => `${seq === null ? '' : `${seq}.`}${run}-${number}`;

	const toWatched = ({contents}: Pick<StreamFilter, 'contents'>, {seq, number, type, json, jsonWithTexts}: BufferedEvent): WatchedEvent =>
		({id: idOf(seq, number), type, json: (contents ? jsonWithTexts : null) ?? json});

	const publish = (event: BufferedEvent): void => {
		for (const watcher of watchers) {
			if (watcher.types.has(event.type)) {
				watcher.listener(toWatched(watcher, event));
			}
		}
	};

	const publishFrame = (frame: Frame, withTexts: Frame | null | undefined): void => {
		const json = withTexts ? JSON.stringify(withTexts) : null;
		publish(buffer.add(latestSeq(), frame.type, JSON.stringify(frame), json !== null && json.length <= maxLengthWithTexts ? json : null));
	};

	const observe = (event: InspectionEvent): void => {
		if (event.type === '@xstate.microstep') {
			taken.collect(event);
			return;
		}

		const transitions = event.type === '@xstate.snapshot' ? taken.take(event.actorRef) : [];
		const options = {now: time.now(), transitions};
		const frame = toFrame(event, {...options, contents: false});
		if (frame) {
			publishFrame(frame, isAnyWithTexts ? toFrame(event, {...options, contents: true}) : null);
		}
	};

	/** Observes the machines for one more watcher. The returned function releases them after the grace period. */
	const holdObservation = (contents: boolean): (() => void) => {
		const observer = {contents};
		observers.add(observer);
		isAnyWithTexts ||= contents;
		if (!observation) {
			observedFrom = buffer.latest;
			const now = time.now();
			const withTexts = contents ? collectFrames(actor, {now, contents}) : [];
			for (const [index, frame] of collectFrames(actor, {now, contents: false}).entries()) {
				publishFrame(frame, withTexts[index]);
			}

			observation = actor.system.inspect(observe);
		}

		return () => {
			timers.setTimeout(() => {
				observers.delete(observer);
				isAnyWithTexts = [...observers].some(other => other.contents);
				if (observers.size === 0) {
					stopObserving();
				}
			}, observeGraceMs);
		};
	};

	const stopObserving = (): void => {
		observation?.unsubscribe();
		observation = null;
	};

	/** The number in an id; null for an id that is not of this run. */
	const numberOf = (id: string): number | null => {
		const numbered = id.replace(/^\d+\./, '');
		const digits = numbered.startsWith(`${run}-`) ? numbered.slice(run.length + 1) : '';
		return /^\d+$/.test(digits) && Number(digits) <= buffer.latest ? Number(digits) : null;
	};

	/** The number of the record that a watcher of another run heard of last; null where the journal cannot help. */
	const recordIn = (id: string | null, types: ReadonlySet<string>): number | null => {
		const seq = id !== null && numberOf(id) === null ? Number(/^(\d+)(?:\.|$)/.exec(id)?.[1] ?? NaN) : NaN;
		return read && seq <= (latestSeq() ?? -1) && recordedTypes.some(type => types.has(type)) ? seq : null;
	};

	/** Every actor, the state and the mode, as they are now. */
	const present = ({types, contents}: StreamFilter, withActors = true): WatchedEvent[] => {
		const id = idOf(latestSeq(), buffer.latest);
		const frames = withActors && [...types].some(isMachineFrameType) ? collectFrames(actor, {now: time.now(), contents}) : [];
		return [...frames.map(frame => ({type: frame.type, data: () => frame})), ...currentEvents(actor)]
			.filter(({type}) => types.has(type))
			.map(({type, data}) => ({id, type, json: JSON.stringify(data())}));
	};

	const replay = (filter: StreamFilter, listener: Watcher['listener']): void => {
		const {types, contents, history, after} = filter;
		const seen = after === null ? null : numberOf(after);
		const missed = seen === null ? null : buffer.countMissing(seen, types);
		const isResumed = missed === 0;
		if (after !== null && !isResumed) {
			listener(dropped(
				idOf(latestSeq(), seen ?? 0), missed,
				missed === null
					? 'The last event seen is from another run of the service.'
					: 'Events after the last one seen are no longer buffered.',
			));
		}

		const from = seen ?? 0;
		const isPastSent = after !== null || history;
		if (isPastSent) {
			for (const event of buffer.eventsAfter(from, types)) {
				listener(toWatched({contents}, event));
			}
		}

		if (!isResumed) {
			const areActorsSent = isPastSent && from <= observedFrom && buffer.countMissing(observedFrom, types) === 0;
			for (const event of present(filter, !areActorsSent)) {
				listener(event);
			}
		}
	};

	/** Tells the watcher of another run which records it missed, then the present, then what has happened by then. */
	const resume = async (filter: StreamFilter, seen: number, watcher: Watcher): Promise<void> => {
		const {listener} = watcher;
		const to = latestSeq()!;
		const next = present(filter);
		watcher.listener = event => {
			next.push(event);
		};

		let past: {missed: number | null; events: Awaited<ReturnType<typeof readMissedEvents>>['events']};
		try {
			past = await readMissedEvents(read!, actor.getSnapshot().context.boot!.initial, seen, to);
		} catch {
			past = {missed: null, events: []};
		}

		if (!watchers.has(watcher)) {
			return;
		}

		watcher.listener = listener;
		if (past.missed !== 0) {
			listener(dropped(String(seen), past.missed, 'Records after the last event seen are compacted, too many or cannot be read.'));
		}

		for (const {seq, type, data} of past.events) {
			if (filter.types.has(type)) {
				listener({id: String(seq), type, json: JSON.stringify(data())});
			}
		}

		for (const event of next) {
			listener(event);
		}
	};

	const unsubscribe = subscribeToIdentity(actor, ({type, data, dataWithTexts}) => {
		const areTextsHeard = dataWithTexts && [...watchers].some(({contents, types}) => contents && types.has(type));
		publish(buffer.add(latestSeq(), type, data, areTextsHeard ? JSON.stringify(dataWithTexts()) : null));
	});

	return {
		types: eventTypes,

		watch(filter, listener) {
			const release = [...filter.types].some(isMachineFrameType) ? holdObservation(filter.contents) : null;
			const watcher = {types: filter.types, contents: filter.contents, listener};
			const seen = recordIn(filter.after, filter.types);
			if (seen === null) {
				replay(filter, listener);
			}

			watchers.add(watcher);
			if (seen !== null) {
				void resume(filter, seen, watcher);
			}

			return () => {
				if (watchers.delete(watcher)) {
					release?.();
				}
			};
		},

		close() {
			unsubscribe();
			stopObserving();
			watchers.clear();
		},
	};
};
