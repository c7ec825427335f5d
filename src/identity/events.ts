/**
 * The events of an identity: those that its process emits, and its lifecycle. A faulty listener cannot harm the
 * identity, its host or another listener.
 */
import type {StepReport} from '../actors/boot.ts';
import type {ProcessEmitted} from '../actors/process-events.ts';
import {ConfigurationError, reasonOf, type Warn} from '../platform/errors.ts';
import {requireKnownNames} from '../platform/unknown-names.ts';

/** An event in the lifecycle of an identity. */
export type LifecycleEvent = Readonly<
	/** The boot is done. */
	| {type: 'ready'; report: readonly StepReport[]}
	/** The boot failed, or the identity broke. For a remote identity also: its events cannot be followed. */
	| {type: 'failed'; error: unknown}
	/** The identity was disposed of. */
	| {type: 'stopped'}
>;

/** Sent to a consumer that fell behind or was cut off. Counts the events it missed; null if unknown. */
export type EventsDropped = {readonly type: 'stream.dropped'; readonly missed: number | null};

/** An event of an identity. Every listener receives the same read-only object. */
export type IdentityEvent = ProcessEmitted | LifecycleEvent | EventsDropped;

/** The type of an event of an identity. */
export type EventType = IdentityEvent['type'];

/** All types that a listener can name. The compiler reports one that is missing. */
const listenedTypes: Readonly<Record<EventType | '*', true>> = {
	'*': true, 'ready': true, 'failed': true, 'stopped': true, 'moved': true, 'boot.step': true,
	'cycle.done': true, 'cycle.held': true, 'cycle.failed': true, 'cycle.cancelled': true,
	'reset.done': true, 'reset.failed': true, 'identity.validated': true, 'validation.failed': true,
	'identity.revised': true, 'revision.failed': true, 'held.released': true, 'held.dropped': true, 'settlement.failed': true,
	'journal.failed': true, 'journal.recovered': true, 'stream.dropped': true, 'replay.progress': true,
	'drift.alarm': true, 'echo.noticed': true, 'source.noticed': true, 'source.changed': true, 'source.taken_up': true,
	'translation.done': true, 'translation.failed': true,
};

/** The event of a given type; any event for `*`. */
export type EventOf<Type extends EventType | '*'> = Type extends '*' ? IdentityEvent : Extract<IdentityEvent, {type: Type}>;

/** Called with each event of its type. A promise that it returns is not awaited. */
export type Listener<Type extends EventType | '*'> = (event: EventOf<Type>) => unknown;

/** Events in order, to be read with `for await`. */
export type EventStream = AsyncGenerator<IdentityEvent, void, void>;

/** Most events that a stream keeps for its consumer. */
const maxBuffered = 1000;

/** Ends streams that were garbage-collected before they were read. */
const abandoned = new FinalizationRegistry<() => void>(end => end());

export class IdentityEvents {
	readonly #listeners = new Map<string, Set<Listener<'*'>>>();
	readonly #warn: Warn;
	#unread = 0;
	#isClosed = false;

	constructor(warn: Warn) {
		this.#warn = warn;
	}

	/** Whether there are listeners. A stream counts from its first read. */
	get hasListeners(): boolean {
		return [...this.#listeners.values()].reduce((sum, {size}) => sum + size, 0) > this.#unread;
	}

	on<Type extends EventType | '*'>(type: Type, listener: Listener<Type>): () => void {
		requireKnownNames('An identity', {[String(type)]: listener}, listenedTypes, {kind: 'event'});
		if (typeof listener !== 'function') {
			throw new ConfigurationError(`The listener of the event ${type} must be a function.`);
		}

		const listeners = this.#listeners.get(type) ?? new Set();
		this.#listeners.set(type, listeners);
		// A function may be added twice; each registration is removed separately.
		const added: Listener<'*'> = event => listener(event as EventOf<Type>);
		listeners.add(added);
		return () => listeners.delete(added);
	}

	emit(event: IdentityEvent): void {
		for (const type of [event.type, '*']) {
			const listeners = this.#listeners.get(type);
			// A copy: a listener that another one adds is called from the next event on.
			for (const listener of Array.from(listeners ?? [])) {
				if (listeners!.has(listener)) {
					this.#tell(listener, event);
				}
			}
		}
	}

	/** Makes streams that are opened from now on end at once: their readers would wait forever. Listeners stay. */
	close(): void {
		this.#isClosed = true;
	}

	/**
	 * Streams the events from now on. A stream that is not read yet collects them, but does not keep its identity in
	 * memory.
	 *
	 * @param onEnd Called once, when the stream is read to its end, left, aborted, or garbage-collected unread.
	 */
	stream(signal?: AbortSignal, onEnd?: () => void): EventStream {
		const waiting: IdentityEvent[] = [];
		let missed = 0;
		let isOver = this.#isClosed;
		let isOpen = true;
		let isUnread = true;
		let wake: (() => void) | undefined;
		this.#unread++;
		const off = this.on('*', event => {
			if (waiting.length === maxBuffered) {
				waiting.shift();
				missed++;
			}

			waiting.push(event);
			isOver ||= event.type === 'stopped' || event.type === 'failed' || event.type === 'moved';
			wake?.();
		});
		const begin = (): void => {
			if (isUnread) {
				isUnread = false;
				this.#unread--;
			}
		};

		const end = (): void => {
			if (isOpen) {
				isOpen = false;
				begin();
				off();
				signal?.removeEventListener('abort', end);
				wake?.();
				onEnd?.();
			}
		};

		signal?.addEventListener('abort', end, {once: true});
		if (signal?.aborted || isOver) {
			end();
		}

		const read = async function * (): EventStream {
			try {
				// The generator runs up to here at once, so that `return()` reaches `finally` even before the first read.
				yield undefined as never;
				abandoned.unregister(end);
				begin();
				for (;;) {
					signal?.throwIfAborted();
					const event = waiting[0];
					if (missed > 0) {
						const dropped = missed;
						missed = 0;
						yield {type: 'stream.dropped', missed: dropped};
					} else if (event) {
						waiting.shift();
						yield event;
					} else if (isOver) {
						return;
					} else {
						await new Promise<void>(resolve => {
							wake = resolve;
						});
					}
				}
			} finally {
				end();
			}
		};

		// Neither the listener nor the signal refers to this object, so it can be collected once its reader is gone.
		const events = read();
		void events.next();
		abandoned.register(events, end, end);
		return events;
	}

	/** Creates a promise only for a listener that returns one, since events are many. */
	#tell(listener: Listener<'*'>, event: IdentityEvent): void {
		const failed = (error: unknown): void => this.#warn(`A listener of the event ${event.type} failed: ${reasonOf(error)}`, error);

		try {
			const result = listener(event);
			if (result instanceof Promise) {
				result.catch(failed);
			}
		} catch (error) {
			failed(error);
		}
	}
}
