/**
 * Inspection of a process: what happens in it, as events that can be watched, each with an id,
 * and a buffered past for those who come late or come back.
 *
 * The process's own events are always kept. Its machines are observed only while somebody
 * watches them, and a little longer, so that whoever reconnects finds no gap: with nobody
 * watching, XState has no observer to call. Observation begins with a picture of all actors
 * that live, so that what follows it can be understood.
 */
import type {InspectionEvent, Subscription} from 'xstate';
import {unrefTimers, systemTime, type Time, type Timers} from '../clock.ts';
import {dropped, eventTypes, isMachineFrameType} from './event-types.ts';
import {toFrame, collectFrames, type Frame} from './frames.ts';
import {History, type Happening} from './event-buffer.ts';
import {hearProcess, standing, type IdentityActor} from './identity-events.ts';

/** An event as a watcher hears it. */
export type WatchedEvent = {
	/** `<run>-<n>`: the run is this process's, n increases. */
	readonly id: string;
	readonly type: string;
	/** One JSON object. */
	readonly json: string;
};

/** What a watcher wants to hear. */
export type StreamFilter = {
	/** Types of the stream's events. */
	types: ReadonlySet<string>;
	/** Whether texts are included. They are kept only while somebody asks for them. */
	contents: boolean;
	/** Whether the buffered past comes first. Else it is the living picture alone: every actor, the state, the mode. */
	history: boolean;
	/** The id after which to go on, instead of both; null for a beginner. */
	after: string | null;
};

/** Observes one process for as many as watch. */
export type Inspection = {
	/** Every type that can be watched. */
	readonly types: readonly string[];
	/** Tells of the past that is wished for, at once, then of everything as it happens. Returns what ends it. */
	watch(wish: StreamFilter, hear: (event: WatchedEvent) => void): () => void;
	/** Stops listening to the process, and tells nobody anything more. */
	close(): void;
};

type Watcher = Pick<StreamFilter, 'types' | 'contents'> & {hear: (event: WatchedEvent) => void};

/** How long machines stay observed after the last watcher, in milliseconds: some tries to reconnect, or a page's reload. */
const lingering = 15_000;

/** More than this, texts included, is not worth keeping. */
const longestWithTexts = 64 * 1024;

/** Which process, and by which clock. */
export type InspectionOptions = {
	actor: IdentityActor;
	time?: Time;
	timers?: Timers;
	/** What tells this run of the process from another. */
	run?: string;
};

/**
 * Inspects a process from now on: right after it was created, so that its first steps are in the past.
 *
 * @example
 * ```ts
 * import {createProcess} from 'processual-state';
 * import {createApp, eventStream} from 'processual-state/http';
 * import {createInspection, describeMachines} from 'processual-state/inspection';
 *
 * const identity = createProcess();
 * const inspection = createInspection({actor: identity.actor});
 * const inspector = {events: eventStream(inspection).handle, machines: describeMachines()};
 * createApp(identity, {inspector}).listen(8100); // The page is /inspector.
 * ```
 */
export const createInspection = ({actor, time = systemTime, timers = unrefTimers, run = crypto.randomUUID().slice(0, 8)}: InspectionOptions): Inspection => {
	const history = new History();
	const watchers = new Set<Watcher>();
	/** Who wants the machines observed: those who watch, and those who did a moment ago. */
	const observers = new Set<{contents: boolean}>();
	let observation: Subscription | null = null;
	/** The number of the last event before the observation. */
	let observedFrom = 0;
	let isAnyWithTexts = false;

	const idOf = (number: number) => `${run}-${number}`;

	const toldTo = ({contents}: Pick<StreamFilter, 'contents'>, {number, type, json, withTexts}: Happening): WatchedEvent =>
		({id: idOf(number), type, json: (contents ? withTexts : null) ?? json});

	const happen = (happening: Happening): void => {
		for (const watcher of watchers) {
			if (watcher.types.has(happening.type)) {
				watcher.hear(toldTo(watcher, happening));
			}
		}
	};

	const happenInside = (frame: Frame, withTexts: Frame | null | undefined): void => {
		const json = withTexts ? JSON.stringify(withTexts) : null;
		happen(history.add(frame.type, JSON.stringify(frame), json !== null && json.length <= longestWithTexts ? json : null));
	};

	const observe = (event: InspectionEvent): void => {
		const now = time.now();
		const frame = toFrame(event, {now, contents: false});
		if (frame) {
			happenInside(frame, isAnyWithTexts ? toFrame(event, {now, contents: true}) : null);
		}
	};

	/** Begins, or goes on, to observe the machines; the returned function leaves them, after a while. */
	const observeFor = (contents: boolean): (() => void) => {
		const observer = {contents};
		observers.add(observer);
		isAnyWithTexts ||= contents;
		if (!observation) {
			observedFrom = history.latest;
			const now = time.now();
			const withTexts = contents ? collectFrames(actor, {now, contents}) : [];
			for (const [place, frame] of collectFrames(actor, {now, contents: false}).entries()) {
				happenInside(frame, withTexts[place]);
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
			}, lingering);
		};
	};

	const stopObserving = (): void => {
		observation?.unsubscribe();
		observation = null;
	};

	/** Where to go on after an id; null when it is none of this run's. */
	const placeOf = (id: string): number | null => {
		const place = id.startsWith(`${run}-`) ? id.slice(run.length + 1) : '';
		return /^\d+$/.test(place) && Number(place) <= history.latest ? Number(place) : null;
	};

	const tellPast = ({types, contents, history: isWished, after}: StreamFilter, hear: Watcher['hear']): void => {
		const place = after === null ? null : placeOf(after);
		const missed = place === null ? null : history.missing(place, types);
		const isResumed = missed === 0;
		if (after !== null && !isResumed) {
			const reason = missed === null ? 'The last event seen is of another run of the process.' : 'The buffered past does not reach back to the last event seen.';
			hear({id: idOf(place ?? 0), type: dropped, json: JSON.stringify({missed, reason})});
		}

		const from = place ?? 0;
		const isPastTold = after !== null || isWished;
		if (isPastTold) {
			for (const happening of history.after(from, types)) {
				hear(toldTo({contents}, happening));
			}
		}

		if (!isResumed) {
			const areActorsTold = isPastTold && from <= observedFrom && history.missing(observedFrom, types) === 0;
			const frames = areActorsTold ? [] : collectFrames(actor, {now: time.now(), contents});
			for (const {type, data} of [...frames.map(frame => ({type: frame.type, data: () => frame})), ...standing(actor)]) {
				if (types.has(type)) {
					hear({id: idOf(history.latest), type, json: JSON.stringify(data())});
				}
			}
		}
	};

	const stopHearing = hearProcess(actor, ({type, data}) => {
		happen(history.add(type, data));
	});

	return {
		types: eventTypes,

		watch(wish, hear) {
			const leave = [...wish.types].some(isMachineFrameType) ? observeFor(wish.contents) : null;
			tellPast(wish, hear);
			const watcher = {types: wish.types, contents: wish.contents, hear};
			watchers.add(watcher);
			return () => {
				if (watchers.delete(watcher)) {
					leave?.();
				}
			};
		},

		close() {
			stopHearing();
			stopObserving();
			watchers.clear();
		},
	};
};
